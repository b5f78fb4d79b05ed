import { Button, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { facetTerm } from '@holdfast/contract/query/facet-term';
import type { sensitiveChoices } from '@holdfast/contract/query/fields';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchFacetName, SearchFacets } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { MonthHistogram } from './month-histogram.tsx';

const useStyles = makeStyles({
  facets: { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))', gap: tokens.spacingHorizontalL },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  value: { justifyContent: 'space-between', width: '100%', fontWeight: tokens.fontWeightRegular, textAlign: 'left' },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  hits: { flexShrink: 0, paddingLeft: tokens.spacingHorizontalS, fontVariantNumeric: 'tabular-nums' },
});

/** People and folders are in the tree beside the hits. */
const lists = ['workload', 'kind', 'filetype', 'size', 'sensitive', 'language'] as const satisfies readonly SearchFacetName[];

interface FacetsProps {
  readonly found: SearchFacets;
  /** Narrows the search by a term. */
  readonly onNarrow: (term: Query) => void;
}

/** What the hits can be narrowed by, with exact counts: a click adds the value to the query. */
export function Facets({ found, onNarrow }: FacetsProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <section aria-label={text('search.facets.title')}>
      <Stack>
        <MonthHistogram months={found.facets.month.values} onNarrow={onNarrow} />
        <div className={styles.facets}>
          {lists
            // One kind of number among the hits is worth knowing; one workload says nothing.
            .filter((name) => found.facets[name].values.length > (name === 'sensitive' ? 0 : 1))
            .map((name) => (
              <FacetList key={name} name={name} facet={found.facets[name]} onNarrow={onNarrow} />
            ))}
        </div>
      </Stack>
    </section>
  );
}

interface FacetListProps {
  readonly name: (typeof lists)[number];
  readonly facet: SearchFacets['facets'][SearchFacetName];
  readonly onNarrow: (term: Query) => void;
}

function FacetList({ name, facet, onNarrow }: FacetListProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const wordOf = useValueWord(name);
  return (
    <div>
      <Subtitle2 as="h2">{text(`search.facets.${name}`)}</Subtitle2>
      <ul className={styles.list}>
        {facet.values.map(({ value, label, hits }) => (
          <li key={value}>
            <Button appearance="subtle" size="small" className={styles.value} onClick={() => onNarrow(facetTerm(name, value))}>
              <span className={styles.name}>{wordOf(value, label)}</span>
              <span className={styles.hits}>{format.count(hits)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {facet.others > 0 && <Text size={200}>{text('search.facets.others', { count: facet.others })}</Text>}
    </div>
  );
}

const kinds: ReadonlySet<string> = new Set(['email', 'meetings', 'contacts', 'tasks', 'im', 'docs']);
const sizes: ReadonlySet<string> = new Set(['0', '10KB', '100KB', '1MB', '10MB']);
const workloads: ReadonlySet<string> = new Set(['exchange', 'onedrive', 'sharepoint', 'teams']);

type Kind = 'email' | 'meetings' | 'contacts' | 'tasks' | 'im' | 'docs';
type Size = '0' | '10KB' | '100KB' | '1MB' | '10MB';
type Sensitive = (typeof sensitiveChoices)[number];
type WorkloadName = 'exchange' | 'onedrive' | 'sharepoint' | 'teams';

/** A language as the reader's own calls it. */
const nameOfLanguage = (locale: string, code: string): string => new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code;

/** A value in the reader's language where it is a word of ours. */
function useValueWord(name: SearchFacetName): (value: string, label: string) => string {
  const text = useText();
  const format = useFormat();
  return (value, label) => {
    if (name === 'kind' && kinds.has(value)) return text(`search.kinds.${value as Kind}`);
    if (name === 'size' && sizes.has(value)) return text(`search.facets.sizes.${value as Size}`);
    if (name === 'sensitive') return text(`search.facets.sensitiveKinds.${value as Sensitive}`);
    if (name === 'workload' && workloads.has(value)) return text(`search.facets.workloads.${value as WorkloadName}`);
    if (name === 'language') return nameOfLanguage(format.locale, value);
    return label;
  };
}
