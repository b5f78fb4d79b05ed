import { Subtitle2 } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { FileVersions } from './file-versions.tsx';
import type { SitePlace } from './folder-address.ts';
import { NodeState } from './node-state.tsx';
import { WhyKept } from './why-kept.tsx';

export interface NodeDetailsProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  readonly onClose: () => void;
}

/** A file or folder: why it is kept, who can open it, and every version of a file. */
export function NodeDetails({ place, node, onClose }: NodeDetailsProps): ReactElement {
  const { tenantId, sourceId } = place;
  const query = { sourceId, nodeId: node.nodeId };
  const kept = useQuery(read(compliance.kept, { params: { tenantId }, query, quiet: true }));
  return (
    <DetailDrawer title={node.name} isWide onClose={onClose}>
      <NodeFacts node={node} />
      {kept.isError && <FailedState error={kept.error} onRetry={() => void kept.refetch()} />}
      {kept.data !== undefined && <WhyKept kept={kept.data} />}
      {!node.isContainer && <KeptVersions place={place} node={node} />}
    </DetailDrawer>
  );
}

function KeptVersions({ place, node }: Omit<NodeDetailsProps, 'onClose'>): ReactElement {
  const text = useText();
  const { tenantId, sourceId } = place;
  const query = { sourceId, nodeId: node.nodeId };
  const versions = useQuery(read(compliance.versions, { params: { tenantId }, query, quiet: true }));
  return (
    <>
      <Subtitle2 as="h3">{text('compliance.versions')}</Subtitle2>
      {versions.isError && <FailedState error={versions.error} onRetry={() => void versions.refetch()} />}
      {versions.isPending && <LoadingShape rows={4} />}
      {versions.data !== undefined && <FileVersions place={place} node={node} versions={versions.data.items} />}
    </>
  );
}

function NodeFacts({ node }: { readonly node: ManagedNode }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Facts
      items={[
        [text('compliance.state'), <NodeState key="state" state={node.state} />],
        ...(node.isContainer ? [] : ([[text('compliance.size'), format.bytes(node.sizeBytes)]] as const)),
        [text('compliance.modified'), format.dateTime(node.modifiedAt)],
        [text('compliance.author'), node.author ?? '–'],
      ]}
    />
  );
}
