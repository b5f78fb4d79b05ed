import { makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { marksIn } from '@holdfast/contract/query/marks';
import type { TextPart } from '@holdfast/contract/query/marks';
import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchPassage } from '@holdfast/contract/search';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import type { Translate } from '../../i18n/phrase-key.ts';
import { MarkedText } from '../../ui/marked-text.tsx';
import type { TextMarks } from '../../ui/marked-text.tsx';
import { usePassages } from './search.queries.ts';
import type { PassageSource } from './search.queries.ts';

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', color: tokens.colorNeutralForeground2 },
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});

/** Marks the words of a query in texts of a hit. */
export type Marker = (part: TextPart, text: string) => TextMarks;

const nothing: Query = { kind: 'everything' };

/** The marker of a search; without one, nothing is marked. */
export function useMarker(query: string | undefined): Marker {
  const read = useMemo(() => (query === undefined ? undefined : parseQuery(query).query) ?? nothing, [query]);
  return (part, text) => marksIn(read, part, text);
}

/** Where a passage is: "in Offer.pdf, page 3"; empty for the text of the item itself. */
function whereOf({ part, name, page }: SearchPassage, text: Translate): string {
  if (part === 'attachment' && page !== null) return text('search.passages.inPage', { name: name ?? '', page });
  if (part === 'attachment') return text('search.passages.in', { name: name ?? '' });
  if (part === 'text') return page === null ? '' : text('search.passages.page', { page });
  return text(part === 'name' ? 'search.passages.names' : 'search.passages.people');
}

/** The best passage of a hit, in one line of the list. */
export function PassageLine({ source, hitId }: { readonly source: PassageSource; readonly hitId: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const marker = useMarker(source.started.query);
  const [best] = usePassages(source).data?.get(hitId) ?? [];
  if (best === undefined) return <Text size={200} className={styles.line} />;
  const where = whereOf(best, text);
  return (
    <Text size={200} className={styles.line}>
      {where === '' ? '' : `${where}: `}
      <MarkedText text={best.text} marks={marker(best.part, best.text)} />
    </Text>
  );
}

/** Every passage of the hit that is read. */
export function PassageList({ source, hitId }: { readonly source: PassageSource; readonly hitId: string }): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  const marker = useMarker(source.started.query);
  const passages = usePassages(source).data?.get(hitId) ?? [];
  if (passages.length === 0) return null;
  return (
    <div>
      <Subtitle2 as="h3">{text('search.passages.title')}</Subtitle2>
      <ul className={styles.list}>
        {passages.map((passage) => {
          const where = whereOf(passage, text);
          return (
            <li key={`${passage.part} ${passage.name}`}>
              {where !== '' && <Text weight="semibold">{where}: </Text>}
              <MarkedText text={passage.text} marks={marker(passage.part, passage.text)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
