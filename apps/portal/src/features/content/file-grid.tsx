import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { TileGrid } from '../../ui/tile-grid.tsx';
import type { Choice } from './choice.ts';
import { FileTile, fileTileHeight } from './file-tile.tsx';

const gridHeight = 548;

interface FileGridProps {
  readonly rows: readonly Node[];
  readonly total: number;
  readonly choice: Choice | undefined;
  readonly read: Node | null;
  readonly onRead: (node: Node) => void;
  readonly open: (node: Node) => void;
  readonly canRead: (node: Node) => boolean;
  readonly takesFocus: boolean;
  readonly onNearEnd: () => void;
}

/** Files and folders as tiles. While something is read, the arrows read on. */
export function FileGrid({ rows, total, choice, read, onRead, open, canRead, takesFocus, onNearEnd }: FileGridProps): ReactElement {
  const text = useText();
  return (
    <TileGrid
      label={text('restore.contents')}
      tiles={rows}
      total={total}
      height={gridHeight}
      tileHeight={fileTileHeight}
      tileKey={(node) => node.nodeId}
      takesFocus={takesFocus}
      onNearEnd={onNearEnd}
      onOpen={open}
      onMove={(node) => {
        if (read !== null && canRead(node)) onRead(node);
      }}
      onSelect={(node) => (choice === undefined ? open(node) : choice.toggle(node))}
      render={(node, tabIndex) => (
        <FileTile
          node={node}
          tabIndex={tabIndex}
          isChosen={choice?.isChosen(node.nodeId) === true}
          isOpen={read?.nodeId === node.nodeId}
          onToggle={choice === undefined ? undefined : () => choice.toggle(node)}
          onOpen={node.isContainer || canRead(node) ? () => open(node) : undefined}
        />
      )}
    />
  );
}
