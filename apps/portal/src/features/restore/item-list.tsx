import { Button, Checkbox, Link, makeStyles, SearchBox, Switch, Text, tokens } from '@fluentui/react-components';
import { EyeRegular, FolderRegular } from '@fluentui/react-icons';
import type { Node, RestorePoint } from '@holdfast/contract/discovery';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { useItems } from './restore.queries.ts';
import type { SourcePlace } from './restore.queries.ts';
import { isSelected, toggled } from './selection.ts';
import type { ChosenVersion, Selection } from './selection.ts';

const pauseMs = 300;
const listHeight = 480;

const useStyles = makeStyles({
  name: { flex: '1 0 160px', minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  extra: {
    width: '100px',
    flexShrink: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrowScreen]: { display: 'none' },
  },
  wide: { width: '160px' },
  // Beside the folders the name needs the room more than its author does.
  roomy: { '@media (max-width: 1500px)': { display: 'none' } },
  // As wide with a button as without, so that the columns stand below each other.
  action: { width: '32px', flexShrink: 0 },
  number: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  icon: { verticalAlign: 'text-bottom', marginInlineEnd: tokens.spacingHorizontalXS },
});

export interface ItemListProps {
  readonly place: SourcePlace;
  readonly at: string | null;
  readonly point: RestorePoint;
  readonly nodeId: string;
  readonly onOpen: (nodeId: string) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onVersion: (node: Node, version: ChosenVersion) => void;
}

/** What lies in a folder at a time, or what a search finds below it, with checkboxes and preview. */
export function ItemList({ place, at, point, nodeId, onOpen, selection, onSelect, onVersion }: ItemListProps): ReactElement {
  const text = useText();
  const { clock } = usePortal();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [previewed, setPreviewed] = useState<Node | null>(null);
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const items = useItems(place, { nodeId, at, search, everywhere });
  const trail = items.data?.pages[0]?.trail ?? [];
  const here = trail.at(-1)?.name ?? text('restore.root');
  return (
    <Stack>
      <SearchBox
        aria-label={text('restore.search', { name: here })}
        placeholder={text('restore.search', { name: here })}
        value={typed}
        onChange={(_event, { value }) => setTyped(value)}
        style={{ maxWidth: 'none' }}
      />
      <Row spread>
        <Trail trail={trail} onOpen={onOpen} />
        <Switch label={text('restore.everywhere')} checked={everywhere} onChange={(_event, { checked }) => setEverywhere(checked)} />
      </Row>
      <Contents
        items={items}
        isSearch={search !== ''}
        selection={selection}
        onSelect={onSelect}
        onPreview={setPreviewed}
        onOpen={(folder) => {
          setTyped('');
          onOpen(folder);
        }}
      />
      {previewed !== null && (
        <PreviewDialog
          place={place}
          node={previewed}
          sequence={previewed.lastSequence ?? point.sequence}
          onVersion={(version) => onVersion(previewed, version)}
          onClose={() => setPreviewed(null)}
        />
      )}
    </Stack>
  );
}

interface ContentsProps {
  readonly items: ReturnType<typeof useItems>;
  readonly isSearch: boolean;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (nodeId: string) => void;
  readonly onPreview: (node: Node) => void;
}

function Contents({ items, isSearch, selection, onSelect, onOpen, onPreview }: ContentsProps): ReactElement {
  const text = useText();
  const rows = useMemo(() => items.data?.pages.flatMap((page) => page.items) ?? [], [items.data]);
  return (
    <>
      {items.isPending && <LoadingShape rows={8} />}
      {items.isError && <FailedState error={items.error} title={text('failures.folderContent')} onRetry={() => void items.refetch()} />}
      {items.data !== undefined && rows.length === 0 && <EmptyState text={text(!isSearch ? 'restore.nothingHere' : 'kit.noMatches')} />}
      {rows.length > 0 && (
        <VirtualList
          label={text('restore.contents')}
          rows={rows}
          total={items.data?.pages[0]?.total ?? rows.length}
          height={listHeight}
          rowKey={(row) => row.nodeId}
          render={(row) => (
            <ItemRow
              row={row}
              isChosen={isSelected(selection, row.nodeId)}
              onToggle={() => onSelect(toggled(selection, row))}
              onOpen={() => onOpen(row.nodeId)}
              onPreview={() => onPreview(row)}
            />
          )}
          onNearEnd={() => {
            if (items.hasNextPage && !items.isFetchingNextPage) void items.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

function Trail({
  trail,
  onOpen,
}: {
  readonly trail: readonly { nodeId: string; name: string }[];
  readonly onOpen: (nodeId: string) => void;
}): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  return (
    <Text>
      <Link as="button" onClick={() => onOpen('root')}>
        {text('restore.root')}
      </Link>
      {trail.map((step) => (
        <span key={step.nodeId}>
          {' / '}
          <Link as="button" onClick={() => onOpen(step.nodeId)}>
            {codeText(step.name)}
          </Link>
        </span>
      ))}
    </Text>
  );
}

interface ItemRowProps {
  readonly row: Node;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
  readonly onPreview: () => void;
}

function ItemRow({ row, isChosen, onToggle, onOpen, onPreview }: ItemRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const codeText = useCodeText();
  const mayRead = useMay('content.read');
  const kind = row.lastSeenAt === null ? codeText(row.kind) : text('restore.lastSeen', { date: format.date(row.lastSeenAt) });
  return (
    <>
      <span role="cell">
        <Checkbox aria-label={text('restore.selectItem', { name: row.name })} checked={isChosen} onChange={onToggle} />
      </span>
      <span role="cell" className={styles.name} title={row.path}>
        {row.isContainer ? (
          <Link as="button" aria-label={text('restore.openFolder', { name: row.name })} onClick={onOpen}>
            <FolderRegular className={styles.icon} aria-hidden />
            {row.kind === 'area' ? codeText(row.name) : row.name}
          </Link>
        ) : (
          row.name
        )}
      </span>
      <span role="cell" className={styles.extra}>
        {kind}
      </span>
      <span role="cell" className={`${styles.extra} ${styles.roomy}`}>
        {row.author ?? '–'}
      </span>
      <span role="cell" className={`${styles.extra} ${styles.wide}`}>
        {format.dateTime(row.modifiedAt)}
      </span>
      <span role="cell" className={`${styles.extra} ${styles.number}`}>
        {row.isContainer ? '–' : format.bytes(row.sizeBytes)}
      </span>
      <span role="cell" className={styles.action}>
        {mayRead && !row.isContainer && (
          <Button
            appearance="subtle"
            icon={<EyeRegular />}
            aria-label={text('restore.previewOf', { name: row.name })}
            onClick={onPreview}
          />
        )}
      </span>
    </>
  );
}
