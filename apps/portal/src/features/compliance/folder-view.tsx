import { Button, Subtitle2, Switch, Text } from '@fluentui/react-components';
import { CalendarRegular, DeleteRegular, GridRegular, ListRegular, LockClosedRegular } from '@fluentui/react-icons';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { RestorePoint, Source } from '@holdfast/contract/discovery';
import type { SourceReference } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { AddToCase } from '../cases/index.ts';
import { PointChooser, useFileView, usePoints } from '../content/index.ts';
import type { FileView } from '../content/index.ts';
import { HoldForm } from '../holds/index.ts';
import { useDeletionJobOf } from '../jobs/index.ts';
import { ChosenNodes, useNodeRights } from './chosen-nodes.tsx';
import { useFolderAddress } from './folder-address.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { FolderGrid } from './folder-grid.tsx';
import { FolderTable } from './folder-table.tsx';
import type { FolderTableProps } from './folder-table.tsx';
import { NodeDetails } from './node-details.tsx';
import { menuAt, NodeMenu } from './node-menu.tsx';
import type { AskedMenu } from './node-menu.tsx';
import { Trail } from './trail.tsx';
import type { TrailStep } from './trail.tsx';

interface FolderViewProps {
  readonly place: SitePlace;
  readonly site: Source;
}

/** A site at a time: the way to the folder, the choice of time, and what the folder holds. */
export function FolderView({ place, site }: FolderViewProps): ReactElement {
  const [address, go] = useFolderAddress();
  const [opened, setOpened] = useState<ManagedNode | null>(null);
  const [asked, setAsked] = useState<AskedMenu | null>(null);
  const [toHold, setToHold] = useState<readonly ManagedNode[] | null>(null);
  const [toAdd, setToAdd] = useState<readonly ManagedNode[] | null>(null);
  const [view, setView] = useFileView();
  const open = (node: ManagedNode): void => (node.isContainer ? go({ nodeId: node.nodeId }) : setOpened(node));
  const start = useStartFolder(place, address.at);
  const folder = { ...address, nodeId: address.nodeId ?? start ?? null };
  const trail = useTrail(place, folder).filter(({ nodeId }) => nodeId !== start);
  return (
    <Stack>
      <SiteHead place={place} site={site} address={address} onChange={go} onHold={() => setToHold([])} view={view} onView={setView} />
      <Trail site={site.name} trail={trail} onOpen={(nodeId) => go({ nodeId })} />
      {start === undefined ? (
        <LoadingShape rows={6} />
      ) : (
        <FolderContents
          view={view}
          key={`${folder.nodeId ?? ''} ${folder.at ?? ''} ${folder.showsDeleted}`}
          place={place}
          address={folder}
          onOpen={open}
          onMenu={(node, at) => setAsked(menuAt(node, at))}
          onHold={setToHold}
          onAddToCase={setToAdd}
        />
      )}
      {asked !== null && (
        <NodeMenu
          place={place}
          asked={asked}
          onOpen={open}
          onDetails={setOpened}
          onHold={setToHold}
          onAddToCase={setToAdd}
          onClose={() => setAsked(null)}
        />
      )}
      {toHold !== null && <HoldForm tenantId={place.tenantId} resource={site} items={toHold} onClose={() => setToHold(null)} />}
      {toAdd !== null && <AddToCase tenantId={place.tenantId} resourceId={site.resourceId} items={toAdd} onClose={() => setToAdd(null)} />}
      {opened !== null && <NodeDetails place={place} node={opened} onClose={() => setOpened(null)} />}
    </Stack>
  );
}

interface FolderContentsProps extends Omit<FolderTableProps, 'commands'> {
  readonly view: FileView;
  readonly onHold: (nodes: readonly ManagedNode[]) => void;
  readonly onAddToCase: (nodes: readonly ManagedNode[]) => void;
}

/** What the folder holds, as the reader likes to see it. */
function FolderContents({ view, onHold, onAddToCase, ...folder }: FolderContentsProps): ReactElement {
  const rights = useNodeRights();
  const chosen = (nodes: readonly ManagedNode[]): ReactElement => (
    <ChosenNodes place={folder.place} nodes={nodes} onHold={onHold} onAddToCase={onAddToCase} />
  );
  const commands = rights.restore || rights.hold || rights.addToCase ? chosen : undefined;
  return view === 'list' ? <FolderTable {...folder} commands={commands} /> : <FolderGrid {...folder} commands={commands} />;
}

/** Where browsing begins: a site or drive whose root holds one container alone begins in that. Undefined until it is known. */
function useStartFolder({ tenantId, sourceId }: SitePlace, at: string | null): string | null | undefined {
  const query = { sourceId, limit: 1, ...(at === null ? {} : { at }) };
  const root = useQuery({ ...read(compliance.nodes, { params: { tenantId }, query, quiet: true }), staleTime: 30_000 });
  if (root.isPending) return undefined;
  const [only] = root.data?.items ?? [];
  return root.data?.total === 1 && only?.isContainer === true ? only.nodeId : null;
}

/** The folders down to the open one; those that are deleted have their way up, too. */
function useTrail({ tenantId, sourceId }: SitePlace, { nodeId, at }: FolderAddress): readonly TrailStep[] {
  const query = { sourceId, limit: 1, deleted: 'true', ...(nodeId === null ? {} : { nodeId }), ...(at === null ? {} : { at }) } as const;
  const here = useQuery({ ...read(compliance.nodes, { params: { tenantId }, query, quiet: true }), staleTime: 30_000 });
  return here.data?.trail ?? [];
}

interface SiteHeadProps extends FolderViewProps {
  readonly address: FolderAddress;
  readonly onChange: (change: Partial<FolderAddress>) => void;
  readonly onHold: () => void;
  readonly view: FileView;
  readonly onView: (view: FileView) => void;
}

const referenceOf = ({ graphId, name, address }: Source): SourceReference => ({ id: graphId, name, address });

/** Name of the site, the time that is looked at, and what can be done with the whole of it. */
function SiteHead({ place, site, address, onChange, onHold, view, onView }: SiteHeadProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayHold = useMay('deletion.manage');
  const mayManage = useMay('jobs.manage');
  const deletionJobOf = useDeletionJobOf();
  const [choosing, setChoosing] = useState(false);
  const points = usePoints(place).data?.items ?? [];
  const current = points.find((point) => point.at === address.at) ?? points[0];
  const choose = (point: RestorePoint): void => {
    setChoosing(false);
    onChange({ at: point.sequence === points[0]?.sequence ? null : point.at });
  };
  return (
    <>
      <Row spread>
        <Row>
          <Subtitle2 as="h2">{site.name}</Subtitle2>
          <Text role="status">
            {address.at === null ? text('compliance.newestState') : text('compliance.stateOf', { date: format.dateTime(address.at) })}
          </Text>
        </Row>
        <Row>
          <Button icon={<CalendarRegular />} aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {text(choosing ? 'restore.hideTime' : 'restore.chooseTime')}
          </Button>
          {mayHold && (
            <Button icon={<LockClosedRegular />} onClick={onHold}>
              {text('holds.placeOn')}
            </Button>
          )}
          {mayManage && (
            <Button icon={<DeleteRegular />} onClick={() => deletionJobOf(place, site.kind === 'site' ? referenceOf(site) : null)}>
              {text('compliance.deleteByJob')}
            </Button>
          )}
          <Button icon={view === 'grid' ? <ListRegular /> : <GridRegular />} onClick={() => onView(view === 'grid' ? 'list' : 'grid')}>
            {text(view === 'grid' ? 'content.showAsList' : 'content.showAsGrid')}
          </Button>
          <Switch
            label={text('compliance.showDeleted')}
            checked={address.showsDeleted}
            onChange={(_event, { checked }) => onChange({ showsDeleted: checked })}
          />
        </Row>
      </Row>
      {choosing && current !== undefined && <PointChooser points={points} current={current} onChoose={choose} />}
    </>
  );
}
