import { Button, Checkbox, Link, makeStyles, SearchBox, Switch, Text, tokens } from '@fluentui/react-components';
import { EyeRegular, FolderRegular } from '@fluentui/react-icons';
import type { Node, RestorePoint } from '@holdfast/contract/discovery';
import { useEffect, useMemo, useRef, useState } from 'react';
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
  const codeText = useCodeText();
  const { clock } = usePortal();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [previewed, setPreviewed] = useState<Node | null>(null);
  // Who opens a folder in the list goes on in the list of that folder.
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const items = useItems(place, { nodeId, at, search, everywhere });
  const trail = items.data?.pages[0]?.trail ?? [];
  const last = trail.at(-1);
  const here = last === undefined ? text('restore.root') : codeText(last.name);
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
        <Trail
          trail={trail}
          onOpen={(folder) => {
            setFollowed(null);
            onOpen(folder);
          }}
        />
        <Switch label={text('restore.everywhere')} checked={everywhere} onChange={(_event, { checked }) => setEverywhere(checked)} />
      </Row>
      <Contents
        key={nodeId}
        items={items}
        isSearch={search !== ''}
        selection={selection}
        onSelect={onSelect}
        onPreview={setPreviewed}
        takesFocus={followed === nodeId}
        onOpen={(folder) => {
          setTyped('');
          setFollowed(folder);
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
  readonly takesFocus: boolean;
}

function Contents({ items, isSearch, selection, onSelect, onOpen, onPreview, takesFocus }: ContentsProps): ReactElement {
  const text = useText();
  const mayRead = useMay('content.read');
  const rows = useMemo(() => items.data?.pages.flatMap((page) => page.items) ?? [], [items.data]);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Until the rows have come; and in a folder that has none.
    if (takesFocus) frame.current?.focus();
  }, [takesFocus]);
  const open = (row: Node): void => {
    if (row.isContainer) onOpen(row.nodeId);
    else if (mayRead) onPreview(row);
  };
  return (
    <div ref={frame} role="group" aria-label={text('restore.contents')} tabIndex={-1}>
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
          takesFocus={takesFocus}
          onOpen={open}
          onSelect={(row) => onSelect(toggled(selection, row))}
          render={(row, tabIndex) => (
            <ItemRow
              row={row}
              tabIndex={tabIndex}
              isChosen={isSelected(selection, row.nodeId)}
              onToggle={() => onSelect(toggled(selection, row))}
              onOpen={() => open(row)}
            />
          )}
          onNearEnd={() => {
            if (items.hasNextPage && !items.isFetchingNextPage) void items.fetchNextPage();
          }}
        />
      )}
    </div>
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
  readonly tabIndex: 0 | -1;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
  /** Opens a folder, or the preview of what is none. */
  readonly onOpen: () => void;
}

function ItemRow({ row, tabIndex, isChosen, onToggle, onOpen }: ItemRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const codeText = useCodeText();
  const mayRead = useMay('content.read');
  const kind = row.lastSeenAt === null ? codeText(row.kind) : text('restore.lastSeen', { date: format.date(row.lastSeenAt) });
  return (
    <>
      <span role="gridcell">
        <Checkbox tabIndex={tabIndex} aria-label={text('restore.selectItem', { name: row.name })} checked={isChosen} onChange={onToggle} />
      </span>
      <span role="gridcell" className={styles.name} title={row.path}>
        {row.isContainer ? (
          <Link as="button" tabIndex={tabIndex} aria-label={text('restore.openFolder', { name: row.name })} onClick={onOpen}>
            <FolderRegular className={styles.icon} aria-hidden />
            {row.kind === 'area' ? codeText(row.name) : row.name}
          </Link>
        ) : (
          row.name
        )}
      </span>
      <span role="gridcell" className={styles.extra}>
        {kind}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.roomy}`}>
        {row.author ?? '–'}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.wide}`}>
        {format.dateTime(row.modifiedAt)}
      </span>
      <span role="gridcell" className={`${styles.extra} ${styles.number}`}>
        {row.isContainer ? '–' : format.bytes(row.sizeBytes)}
      </span>
      <span role="gridcell" className={styles.action}>
        {mayRead && !row.isContainer && (
          <Button
            appearance="subtle"
            tabIndex={tabIndex}
            icon={<EyeRegular />}
            aria-label={text('restore.previewOf', { name: row.name })}
            onClick={onOpen}
          />
        )}
      </span>
    </>
  );
}
