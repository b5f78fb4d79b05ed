import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import type { MenuPoint } from '../../ui/menu-point.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { TileGrid } from '../../ui/tile-grid.tsx';
import { FileTile, fileTileHeight } from '../content/index.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { folderQuery } from './folder-query.ts';

const useStyles = makeStyles({
  selection: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM, minHeight: '32px' },
});

const gridHeight = 548;
const pageSize = 200;

/** The nodes of a folder, loaded as the reader scrolls. */
function useNodes({ tenantId, sourceId }: SitePlace, address: FolderAddress) {
  const { client } = usePortal();
  const folder = folderQuery(sourceId, address);
  return useInfiniteQuery({
    queryKey: [...keyOf(compliance.nodes), 'tiles', tenantId, folder],
    queryFn: ({ pageParam, signal }) =>
      client.send(compliance.nodes, {
        params: { tenantId },
        query: { ...folder, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        quiet: true,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

export interface FolderGridProps {
  readonly place: SitePlace;
  readonly address: FolderAddress;
  readonly onOpen: (node: ManagedNode) => void;
  readonly onMenu: (node: ManagedNode, at: MenuPoint) => void;
  /** What can be done with the chosen tiles; absent where nothing can. */
  readonly commands: ((nodes: readonly ManagedNode[]) => ReactNode) | undefined;
}

/** Files and folders as tiles: those that are chosen stay so while the reader scrolls through the folder. */
export function FolderGrid(props: FolderGridProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { place, address, onOpen, onMenu, commands } = props;
  const nodes = useNodes(place, address);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ManagedNode>>(new Map());
  if (nodes.isError) return <FailedState error={nodes.error} onRetry={() => void nodes.refetch()} />;
  if (nodes.data === undefined) return <LoadingShape rows={8} />;
  const tiles = nodes.data.pages.flatMap((page) => page.items);
  const toggle = (node: ManagedNode): void => {
    const next = new Map(chosen);
    if (!next.delete(node.nodeId)) next.set(node.nodeId, node);
    setChosen(next);
  };
  if (tiles.length === 0) return <EmptyState text={text('compliance.emptyFolder')} />;
  return (
    <>
      <div className={styles.selection} role="group" aria-label={text('kit.selected', { count: chosen.size })}>
        {chosen.size > 0 && (
          <>
            <Text weight="semibold" role="status">
              {text('kit.selected', { count: chosen.size })}
            </Text>
            {commands?.([...chosen.values()])}
          </>
        )}
      </div>
      <TileGrid
        label={text('compliance.folder')}
        tiles={tiles}
        total={nodes.data.pages[0]?.total ?? tiles.length}
        height={gridHeight}
        tileHeight={fileTileHeight}
        tileKey={(node) => node.nodeId}
        onNearEnd={() => {
          if (nodes.hasNextPage && !nodes.isFetchingNextPage) void nodes.fetchNextPage();
        }}
        onOpen={onOpen}
        onSelect={(node) => (commands === undefined ? onOpen(node) : toggle(node))}
        onMenu={onMenu}
        render={(node, tabIndex) => (
          <FileTile
            node={{ ...node, itemCount: null, lastSeenAt: null, path: node.name }}
            tabIndex={tabIndex}
            isChosen={chosen.has(node.nodeId)}
            isOpen={false}
            onToggle={commands === undefined ? undefined : () => toggle(node)}
            onOpen={() => onOpen(node)}
          />
        )}
      />
    </>
  );
}
