import { makeStyles } from '@fluentui/react-components';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import type { SelectionGestures } from '../../ui/data-table/selection-gestures.ts';
import { FileTile, Thumbnail } from '../content/index.ts';
import type { SitePlace } from './folder-address.ts';

const useStyles = makeStyles({ root: { height: '100%' } });

interface NodeTileProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  /** With which its picture is opened; null for the icon of its kind. */
  readonly reason: string | null;
  readonly tabIndex: 0 | -1;
  readonly isChosen: boolean;
  /** Null where nothing can be chosen. */
  readonly gestures: SelectionGestures | null;
  readonly onOpen: () => void;
}

/** A file or folder of a site as a tile, chosen with the mouse as in OneDrive; keys have the box and the name in it. */
export function NodeTile({ place, node, reason, tabIndex, isChosen, gestures, onOpen }: NodeTileProps): ReactElement {
  const styles = useStyles();
  const { nodeId, sequence } = node;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the box and the name in it take keys
    <div
      className={styles.root}
      {...gestures?.ofRow(nodeId)}
      onClickCapture={(event) => {
        if (gestures === null || (event.target as Element).closest('[data-selects]') !== null) return;
        if (gestures.takesClick(nodeId, event)) event.stopPropagation();
      }}
    >
      <FileTile
        node={{ ...node, itemCount: null, lastSeenAt: null, path: node.name }}
        tabIndex={tabIndex}
        picture={<Thumbnail place={{ ...place, nodeId, sequence }} node={node} reason={reason} />}
        isChosen={isChosen}
        isOpen={false}
        onToggle={gestures === null ? undefined : (isRange) => gestures.onBox(nodeId, isRange)}
        onOpen={onOpen}
      />
    </div>
  );
}
