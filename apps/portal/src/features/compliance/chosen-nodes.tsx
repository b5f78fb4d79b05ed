import { Button } from '@fluentui/react-components';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { useRestoreOf } from '../restore/index.ts';
import type { SitePlace } from './folder-address.ts';

const itemOf = ({ nodeId, name, sizeBytes, isContainer }: ManagedNode) => ({ nodeId, name, sizeBytes, isContainer });

/** What the reader may do with items of a site. */
export interface NodeRights {
  readonly read: boolean;
  readonly restore: boolean;
  readonly export: boolean;
  readonly hold: boolean;
  readonly addToCase: boolean;
}

export function useNodeRights(): NodeRights {
  return {
    read: useMay('content.read'),
    restore: useMay('restore.run'),
    export: useMay('restore.elsewhere'),
    hold: useMay('deletion.manage'),
    addToCase: useMay('cases.work'),
  };
}

/** Begins a restore or an export of items that one restore point has. */
export function useNodeExits(place: SitePlace): {
  readonly restore: (nodes: readonly ManagedNode[]) => void;
  readonly download: (nodes: readonly ManagedNode[]) => void;
} {
  const restoreOf = useRestoreOf();
  const leave = (nodes: readonly ManagedNode[], target: { readonly target?: 'download' }): void => {
    const [first] = nodes;
    if (first !== undefined) restoreOf(place, { sequence: first.sequence, items: nodes.map(itemOf), ...target });
  };
  return { restore: (nodes) => leave(nodes, {}), download: (nodes) => leave(nodes, { target: 'download' }) };
}

export interface ChosenNodesProps {
  readonly place: SitePlace;
  readonly nodes: readonly ManagedNode[];
  readonly onHold: (nodes: readonly ManagedNode[]) => void;
  readonly onAddToCase: (nodes: readonly ManagedNode[]) => void;
}

/** What can be done with chosen items. A restore reads one restore point: items that were deleted at different times need one each. */
export function ChosenNodes({ place, nodes, onHold, onAddToCase }: ChosenNodesProps): ReactElement {
  const text = useText();
  const rights = useNodeRights();
  const exits = useNodeExits(place);
  const isOnePoint = new Set(nodes.map((node) => node.sequence)).size === 1;
  const leave = (go: (nodes: readonly ManagedNode[]) => void) => () => {
    if (isOnePoint) go(nodes);
  };
  return (
    <>
      {rights.restore && (
        <Button disabledFocusable={!isOnePoint} onClick={leave(exits.restore)}>
          {text('compliance.restoreSelection')}
        </Button>
      )}
      {rights.export && (
        <Button disabledFocusable={!isOnePoint} onClick={leave(exits.download)}>
          {text('compliance.export')}
        </Button>
      )}
      {rights.hold && <Button onClick={() => onHold(nodes)}>{text('holds.placeOn')}</Button>}
      {rights.addToCase && <Button onClick={() => onAddToCase(nodes)}>{text('cases.addToCase')}</Button>}
      {!isOnePoint && <span role="status">{text('compliance.samePoint')}</span>}
    </>
  );
}
