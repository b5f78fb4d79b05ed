import { Button } from '@fluentui/react-components';
import { CalendarRegular, GridRegular, ListRegular } from '@fluentui/react-icons';
import type { Node, RestorePoint } from '@holdfast/contract/discovery';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { SourcePlace, useItems } from './content.queries.ts';
import type { Choice, OpenNode } from './choice.ts';
import { FileGrid } from './file-grid.tsx';
import { isLookedAt } from './item-row.tsx';
import { ItemRows } from './item-rows.tsx';
import { MonthView } from './month-view.tsx';
import { useFileView } from './use-file-view.ts';

export interface ItemListProps {
  readonly place: SourcePlace;
  /** What is said when the contents cannot be read. */
  readonly failure: 'failures.folderContent' | 'failures.siteContent';
  readonly at: string | null;
  readonly point: RestorePoint;
  readonly node: OpenNode;
  readonly showsDeleted: boolean;
  readonly onOpen: (node: OpenNode) => void;
  readonly choice: Choice | undefined;
  /** The item in the reading pane. */
  readonly read: Node | null;
  readonly onRead: (node: Node) => void;
}

interface ContentsProps extends ItemListProps {
  readonly items: ReturnType<typeof useItems>;
  /** What was deleted from here; it comes before what is there. */
  readonly deleted: readonly Node[] | undefined;
  readonly sort: string | null;
  readonly onSort: (sort: string | null) => void;
  readonly isSearch: boolean;
  readonly isMail: boolean;
  readonly takesFocus: boolean;
}

/** The items of the folder that is open, or why there are none. */
export function Contents(props: ContentsProps): ReactElement {
  const { items, deleted, failure, isSearch, takesFocus } = props;
  const text = useText();
  const rows = useMemo(() => [...(deleted ?? []), ...(items.data?.pages.flatMap((page) => page.items) ?? [])], [deleted, items.data]);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Until the rows have come; and in a folder that has none.
    if (takesFocus) frame.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame} role="group" aria-label={text('restore.contents')} aria-busy={items.isPlaceholderData} tabIndex={-1}>
      {items.isPending && <LoadingShape rows={8} />}
      {items.isError && <FailedState error={items.error} title={text(failure)} onRetry={() => void items.refetch()} />}
      {items.data !== undefined && rows.length === 0 && <EmptyState text={text(!isSearch ? 'restore.nothingHere' : 'kit.noMatches')} />}
      {rows.length > 0 && <Shown {...props} rows={rows} />}
    </div>
  );
}

/** How the items are shown, and the button to the other way: events have a month, files have tiles. */
function useLook({ node, isSearch, rows }: Pick<ContentsProps, 'node' | 'isSearch'> & { readonly rows: readonly Node[] }) {
  const [asMonth, setAsMonth] = useState(true);
  const [fileView, setFileView] = useFileView();
  if (node.kind === 'calendar' && !isSearch) {
    const other = <ViewSwitch to={asMonth ? 'content.showAsList' : 'content.showAsMonth'} onSwitch={() => setAsMonth(!asMonth)} />;
    return { look: asMonth ? 'month' : 'list', other } as const;
  }
  if (!rows.some(({ kind }) => kind === 'file')) return { look: 'list', other: null } as const;
  const isGrid = fileView === 'grid';
  const other = (
    <ViewSwitch to={isGrid ? 'content.showAsList' : 'content.showAsGrid'} onSwitch={() => setFileView(isGrid ? 'list' : 'grid')} />
  );
  return { look: fileView, other };
}

/** Rows below each other; events in their month and files as tiles, as the reader wants them. */
function Shown(props: ContentsProps & { readonly rows: readonly Node[] }): ReactElement {
  const { rows, items, deleted, onOpen, onRead } = props;
  const mayRead = useMay('content.read');
  const { look, other } = useLook(props);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = items;
  const loadMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  const listed = {
    ...props,
    total: (items.data?.pages[0]?.total ?? rows.length) + (deleted?.length ?? 0),
    open: (row: Node): void => {
      if (row.isContainer) onOpen({ nodeId: row.nodeId, kind: row.kind });
      else if (mayRead) onRead(row);
    },
    canRead: (row: Node) => mayRead && isLookedAt(row),
    onNearEnd: loadMore,
  };
  return (
    <>
      {other}
      {look === 'month' && <MonthView rows={rows} read={props.read} onRead={onRead} hasMore={hasNextPage} onNearEnd={loadMore} />}
      {look === 'grid' && <FileGrid {...listed} />}
      {look === 'list' && <ItemRows {...listed} />}
    </>
  );
}

const switchIcons = {
  'content.showAsList': <ListRegular />,
  'content.showAsMonth': <CalendarRegular />,
  'content.showAsGrid': <GridRegular />,
};

/** The way to the other look of what is shown. */
function ViewSwitch({ to, onSwitch }: { readonly to: keyof typeof switchIcons; readonly onSwitch: () => void }): ReactElement {
  const text = useText();
  return (
    <Row>
      <Button size="small" appearance="subtle" icon={switchIcons[to]} onClick={onSwitch}>
        {text(to)}
      </Button>
    </Row>
  );
}
