import { Button, Dropdown, makeStyles, Option, Text, tokens } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { QueryFor } from '@holdfast/contract/route';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useSelectionGestures } from '../../ui/data-table/selection-gestures.ts';
import type { TableState } from '../../ui/data-table/table-state.ts';
import { Toolbar } from '../../ui/data-table/toolbar.tsx';
import { useTableState } from '../../ui/data-table/use-table-state.ts';
import type { MenuPoint } from '../../ui/menu-point.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { TileGrid } from '../../ui/tile-grid.tsx';
import { fileTileHeight } from '../content/index.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { useFolderColumns, useFolderFilters } from './folder-columns.tsx';
import { folderQuery } from './folder-query.ts';
import { NodeTile } from './node-tile.tsx';
import { usePictures } from './use-pictures.tsx';

const useStyles = makeStyles({
  selection: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM, minHeight: '32px' },
  order: { minWidth: '132px' },
});

const gridHeight = 548;
const pageSize = 200;

/** The nodes of a folder, loaded as the reader scrolls. */
function useNodes({ tenantId, sourceId }: SitePlace, address: FolderAddress, { search, sort, filters }: TableState) {
  const { client } = usePortal();
  const folder = {
    ...filters,
    ...folderQuery(sourceId, address),
    ...(search === '' ? {} : { search }),
    ...(sort === null ? {} : { sort }),
  } as QueryFor<typeof compliance.nodes>;
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

/** Files and folders as tiles: narrowed, sorted and chosen as in the list, with pictures of them on request. */
export function FolderGrid(props: FolderGridProps): ReactElement {
  const text = useText();
  const { place, address } = props;
  const filters = useFolderFilters();
  const [state, change] = useTableState(useFolderColumns(), filters);
  const nodes = useNodes(place, address, state);
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0;
  return (
    <>
      <Toolbar
        label={text('compliance.folder')}
        state={state}
        filters={filters}
        isSearchable
        onChange={change}
        exportMenu={<OrderChoice sort={state.sort} onSort={(sort) => change({ sort })} />}
      />
      <GridContents {...props} nodes={nodes} isNarrowed={isNarrowed} />
    </>
  );
}

interface GridContentsProps extends FolderGridProps {
  readonly nodes: ReturnType<typeof useNodes>;
  readonly isNarrowed: boolean;
}

/** The tiles that are loaded, or why there are none. */
function GridContents({ nodes, isNarrowed, ...props }: GridContentsProps): ReactElement {
  const text = useText();
  if (nodes.isError) return <FailedState error={nodes.error} onRetry={() => void nodes.refetch()} />;
  if (nodes.data === undefined) return <LoadingShape rows={8} />;
  const tiles = nodes.data.pages.flatMap((page) => page.items);
  if (tiles.length === 0) return <EmptyState text={text(isNarrowed ? 'kit.noMatches' : 'compliance.emptyFolder')} />;
  return (
    <Tiles
      {...props}
      tiles={tiles}
      total={nodes.data.pages[0]?.total ?? tiles.length}
      onNearEnd={() => {
        if (nodes.hasNextPage && !nodes.isFetchingNextPage) void nodes.fetchNextPage();
      }}
    />
  );
}

/** By what the tiles are sorted: the columns of the list that can be. */
function OrderChoice({ sort, onSort }: { readonly sort: string | null; readonly onSort: (sort: string | null) => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const orders = useFolderColumns().flatMap((column) =>
    column.sort === undefined
      ? []
      : [
          { value: column.sort, label: text('compliance.ascending', { column: column.title }) },
          { value: `-${column.sort}`, label: text('compliance.descending', { column: column.title }) },
        ],
  );
  const chosen = orders.find(({ value }) => value === (sort ?? 'name')) ?? orders[0];
  return (
    <Dropdown
      className={styles.order}
      aria-label={text('compliance.order')}
      value={chosen?.label ?? ''}
      selectedOptions={[chosen?.value ?? '']}
      onOptionSelect={(_event, { optionValue = '' }) => onSort(optionValue === 'name' ? null : optionValue)}
    >
      {orders.map(({ value, label }) => (
        <Option key={value} value={value}>
          {label}
        </Option>
      ))}
    </Dropdown>
  );
}

interface TilesProps extends FolderGridProps {
  readonly tiles: readonly ManagedNode[];
  readonly total: number;
  readonly onNearEnd: () => void;
}

/** The tiles: those that are chosen stay so while the reader scrolls through the folder. */
function Tiles(props: TilesProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { place, tiles, total, onNearEnd, onOpen, onMenu, commands } = props;
  const [chosen, setChosen] = useState<ReadonlyMap<string, ManagedNode>>(new Map());
  const pictures = usePictures(place.sourceId);
  const select = (keys: ReadonlySet<string>): void => {
    const here = new Map([...chosen, ...tiles.map((node) => [node.nodeId, node] as const)]);
    setChosen(new Map([...here].filter(([key]) => keys.has(key))));
  };
  const keyOfNode = (node: ManagedNode): string => node.nodeId;
  const gestures = useSelectionGestures({
    rows: tiles,
    rowKey: keyOfNode,
    ...(commands === undefined ? {} : { selected: new Set(chosen.keys()), onSelect: select }),
  });
  return (
    <>
      <div className={styles.selection} role="group" aria-label={text('kit.selected', { count: chosen.size })}>
        {chosen.size > 0 && (
          <>
            <Text weight="semibold" role="status">
              {text('kit.selected', { count: chosen.size })}
            </Text>
            {commands?.([...chosen.values()])}
            <Button appearance="subtle" onClick={() => setChosen(new Map())}>
              {text('kit.clearSelection')}
            </Button>
          </>
        )}
        {pictures.choice}
      </div>
      <TileGrid
        label={text('compliance.folder')}
        tiles={tiles}
        total={total}
        height={gridHeight}
        tileHeight={fileTileHeight}
        tileKey={keyOfNode}
        onNearEnd={onNearEnd}
        onOpen={onOpen}
        onSelect={(node) => (commands === undefined ? onOpen(node) : gestures.onBox(node.nodeId, false))}
        onMenu={onMenu}
        render={(node, tabIndex) => (
          <NodeTile
            place={place}
            node={node}
            reason={pictures.reason}
            tabIndex={tabIndex}
            isChosen={chosen.has(node.nodeId)}
            gestures={commands === undefined ? null : gestures}
            onOpen={() => onOpen(node)}
          />
        )}
      />
    </>
  );
}
