import { Button } from '@fluentui/react-components';
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
import { isLookedAt } from './item-row.tsx';
import { ItemRows } from './item-rows.tsx';
import { MonthView } from './month-view.tsx';

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

/** Rows below each other; the events of a calendar in their month, until the reader wants a list. */
function Shown(props: ContentsProps & { readonly rows: readonly Node[] }): ReactElement {
  const { rows, items, deleted, isSearch, node, onOpen, onRead } = props;
  const text = useText();
  const mayRead = useMay('content.read');
  const [asMonth, setAsMonth] = useState(true);
  const isCalendar = node.kind === 'calendar' && !isSearch;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = items;
  const loadMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  const open = (row: Node): void => {
    if (row.isContainer) onOpen({ nodeId: row.nodeId, kind: row.kind });
    else if (mayRead) onRead(row);
  };
  return (
    <>
      {isCalendar && (
        <Row>
          <Button size="small" appearance="subtle" aria-pressed={!asMonth} onClick={() => setAsMonth(!asMonth)}>
            {text(asMonth ? 'content.showAsList' : 'content.showAsMonth')}
          </Button>
        </Row>
      )}
      {isCalendar && asMonth ? (
        <MonthView rows={rows} read={props.read} onRead={onRead} hasMore={hasNextPage} onNearEnd={loadMore} />
      ) : (
        <ItemRows
          {...props}
          total={(items.data?.pages[0]?.total ?? rows.length) + (deleted?.length ?? 0)}
          open={open}
          canRead={(row) => mayRead && isLookedAt(row)}
          onNearEnd={loadMore}
        />
      )}
    </>
  );
}
