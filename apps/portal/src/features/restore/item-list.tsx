import { Caption1, Link, SearchBox, Switch, Text } from '@fluentui/react-components';
import type { Node, RestorePoint } from '@holdfast/contract/discovery';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { ItemHead, ItemRow } from './item-row.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { useItems } from './restore.queries.ts';
import type { SourcePlace } from './restore.queries.ts';
import { isSelected, toggled } from './selection.ts';
import type { ChosenVersion, Selection } from './selection.ts';

const pauseMs = 300;
const listHeight = 480;

export interface ItemListProps {
  readonly place: SourcePlace;
  /** What is said when the contents cannot be read. */
  readonly failure: 'failures.folderContent' | 'failures.siteContent';
  readonly at: string | null;
  readonly point: RestorePoint;
  readonly nodeId: string;
  readonly onOpen: (nodeId: string) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onVersion: (node: Node, version: ChosenVersion) => void;
}

/** What a step of the way is called: areas are codes, and a message that is only a picture has no words. */
function useStepName(): (name: string) => string {
  const text = useText();
  const codeText = useCodeText();
  return (name) => (name.trim() === '' ? text('restore.nameless') : codeText(name));
}

/** What lies in a folder at a time, or what a search finds below it, with checkboxes and preview. */
export function ItemList({ place, failure, at, point, nodeId, onOpen, selection, onSelect, onVersion }: ItemListProps): ReactElement {
  const text = useText();
  const stepName = useStepName();
  const { clock } = usePortal();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [sort, setSort] = useState<string | null>(null);
  const [previewed, setPreviewed] = useState<Node | null>(null);
  // Who opens a folder in the list goes on in the list of that folder.
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const items = useItems(place, { nodeId, at, search, everywhere, sort });
  const trail = items.data?.pages[0]?.trail ?? [];
  const last = trail.at(-1);
  const here = last === undefined ? text('restore.root') : stepName(last.name);
  return (
    <Stack>
      <SearchBox
        aria-label={text('restore.search', { name: here })}
        placeholder={text('restore.search', { name: here })}
        value={typed}
        onChange={(_event, { value }) => setTyped(value)}
        style={{ maxWidth: 'none' }}
      />
      <Caption1>{text('restore.searchScope')}</Caption1>
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
        failure={failure}
        sort={sort}
        onSort={setSort}
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

interface ContentsProps extends Pick<ItemListProps, 'failure'> {
  readonly items: ReturnType<typeof useItems>;
  readonly sort: string | null;
  readonly onSort: (sort: string | null) => void;
  readonly isSearch: boolean;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (nodeId: string) => void;
  readonly onPreview: (node: Node) => void;
  readonly takesFocus: boolean;
}

function Contents({
  items,
  failure,
  sort,
  onSort,
  isSearch,
  selection,
  onSelect,
  onOpen,
  onPreview,
  takesFocus,
}: ContentsProps): ReactElement {
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
      {items.isError && <FailedState error={items.error} title={text(failure)} onRetry={() => void items.refetch()} />}
      {items.data !== undefined && rows.length === 0 && <EmptyState text={text(!isSearch ? 'restore.nothingHere' : 'kit.noMatches')} />}
      {rows.length > 0 && (
        <VirtualList
          label={text('restore.contents')}
          rows={rows}
          total={items.data?.pages[0]?.total ?? rows.length}
          height={listHeight}
          rowKey={(row) => row.nodeId}
          takesFocus={takesFocus}
          head={<ItemHead sort={sort} onSort={onSort} />}
          onOpen={open}
          onSelect={(row) => onSelect(toggled(selection, row))}
          render={(row, tabIndex) => (
            <ItemRow
              row={row}
              tabIndex={tabIndex}
              isChosen={isSelected(selection, row.nodeId)}
              onToggle={() => onSelect(toggled(selection, row))}
              onOpen={() => open(row)}
              onPreview={() => onPreview(row)}
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
  const stepName = useStepName();
  return (
    <Text>
      <Link as="button" onClick={() => onOpen('root')}>
        {text('restore.root')}
      </Link>
      {trail.map((step) => (
        <span key={step.nodeId}>
          {' / '}
          <Link as="button" onClick={() => onOpen(step.nodeId)}>
            {stepName(step.name)}
          </Link>
        </span>
      ))}
    </Text>
  );
}
