import { makeStyles, Subtitle2, Text, tokens, Tree, TreeItem, TreeItemLayout } from '@fluentui/react-components';
import { FolderRegular } from '@fluentui/react-icons';
import { placeTerm } from '@holdfast/contract/query/facet-term';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchFacets, SearchPlaceFound } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { narrowScreen } from '../../ui/theme.ts';

const useStyles = makeStyles({
  frame: {
    maxHeight: '560px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    padding: tokens.spacingVerticalS,
    [narrowScreen]: { maxHeight: '240px' },
  },
  // Threads of a channel are folders as well, and their names are sentences.
  name: { display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden', overflowWrap: 'anywhere' },
  count: { fontVariantNumeric: 'tabular-nums', color: tokens.colorNeutralForeground2 },
});

interface PlacesTreeProps {
  readonly places: SearchFacets['places'];
  /** Narrows the search by a term. */
  readonly onNarrow: (term: Query) => void;
}

/** Whose the hits are and in which folders, with exact counts: a folder narrows the search to it. */
export function PlacesTree({ places, onNarrow }: PlacesTreeProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [only, ...more] = places.values;
  return (
    <nav className={styles.frame} aria-label={text('search.places.title')}>
      <Subtitle2 as="h2">{text('search.places.title')}</Subtitle2>
      <Tree
        aria-label={text('search.places.title')}
        size="small"
        {...(only !== undefined && more.length === 0 ? { defaultOpenItems: [only.value] } : {})}
      >
        {places.values.map((place) => (
          <Place key={place.value} place={place} onNarrow={onNarrow} />
        ))}
      </Tree>
      {places.others > 0 && <Text size={200}>{text('search.facets.others', { count: places.others })}</Text>}
    </nav>
  );
}

function Place({ place, onNarrow }: { readonly place: SearchPlaceFound; readonly onNarrow: (term: Query) => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { folders } = place;
  return (
    <TreeItem itemType="branch" value={place.value}>
      <TreeItemLayout aside={<Hits count={place.hits} />}>
        <span className={styles.name}>{place.label}</span>
      </TreeItemLayout>
      <Tree>
        <Leaf name={text('search.places.all')} id={`${place.value} *`} hits={place.hits} onPick={() => onNarrow(placeTerm(place.value))} />
        {folders.values.map(({ value, label, hits }) => (
          <Leaf
            key={value}
            name={label}
            id={`${place.value} /${value}`}
            hits={hits}
            onPick={() => onNarrow(placeTerm(place.value, value))}
          />
        ))}
        {folders.others > 0 && <Text size={200}>{text('search.facets.others', { count: folders.others })}</Text>}
      </Tree>
    </TreeItem>
  );
}

interface LeafProps {
  readonly id: string;
  readonly name: string;
  readonly hits: number;
  readonly onPick: () => void;
}

function Leaf({ id, name, hits, onPick }: LeafProps): ReactElement {
  const styles = useStyles();
  return (
    <TreeItem itemType="leaf" value={id} onClick={onPick}>
      <TreeItemLayout iconBefore={<FolderRegular />} aside={<Hits count={hits} />}>
        <span className={styles.name}>{name}</span>
      </TreeItemLayout>
    </TreeItem>
  );
}

function Hits({ count }: { readonly count: number }): ReactElement {
  const format = useFormat();
  const styles = useStyles();
  return <span className={styles.count}>{format.count(count)}</span>;
}
