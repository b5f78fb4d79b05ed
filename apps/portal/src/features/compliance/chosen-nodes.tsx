import { Button } from '@fluentui/react-components';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useRestoreOf } from '../restore/index.ts';
import type { SitePlace } from './folder-address.ts';
import { deedsOf, deedTexts, type AskedDeed } from './node-deeds.tsx';
import { useNodeRights } from './node-rights.ts';

const itemOf = ({ nodeId, name, sizeBytes, isContainer }: ManagedNode) => ({ nodeId, name, sizeBytes, isContainer });

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
  readonly onDo: (asked: AskedDeed) => void;
}

/** What can be done with chosen items. A restore reads one restore point: items that were deleted at different times need one each. */
export function ChosenNodes({ place, nodes, onDo }: ChosenNodesProps): ReactElement {
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
      {deedsOf(rights).map((deed) => (
        <Button key={deed} onClick={() => onDo({ deed, nodes })}>
          {text(deedTexts[deed])}
        </Button>
      ))}
      {!isOnePoint && <span role="status">{text('compliance.samePoint')}</span>}
    </>
  );
}
