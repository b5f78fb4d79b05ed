import { Button, makeStyles, Subtitle2, Switch, Text } from '@fluentui/react-components';
import { CalendarRegular, GridRegular, ListRegular, LockClosedRegular } from '@fluentui/react-icons';
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
import { MoreCommands, type Command } from '../../ui/command-bar.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { PointChooser, useFileView, usePoints } from '../content/index.ts';
import type { FileView } from '../content/index.ts';
import { useDeletionJobOf } from '../jobs/index.ts';
import { ChosenNodes } from './chosen-nodes.tsx';
import { useFolderAddress } from './folder-address.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { FolderGrid } from './folder-grid.tsx';
import { FolderTable } from './folder-table.tsx';
import type { FolderTableProps } from './folder-table.tsx';
import { DeedForm, deedTexts, type AskedDeed } from './node-deeds.tsx';
import { NodeDetails } from './node-details.tsx';
import { menuAt, NodeMenu } from './node-menu.tsx';
import type { AskedMenu } from './node-menu.tsx';
import { useNodeRights } from './node-rights.ts';
import { Trail } from './trail.tsx';
import type { TrailStep } from './trail.tsx';

const useStyles = makeStyles({
  // A long way wraps beside the button instead of sending it to a row of its own.
  way: { flex: '1 1 200px', minWidth: 0 },
});

interface FolderViewProps {
  readonly place: SitePlace;
  readonly site: Source;
}

/** A site at a time: the way to the folder, the choice of time, and what the folder holds. */
export function FolderView({ place, site }: FolderViewProps): ReactElement {
  const styles = useStyles();
  const [address, go] = useFolderAddress();
  const [opened, setOpened] = useState<ManagedNode | null>(null);
  const [asked, setAsked] = useState<AskedMenu | null>(null);
  const [toDo, setToDo] = useState<AskedDeed | null>(null);
  const [view, setView] = useFileView();
  const open = (node: ManagedNode): void => (node.isContainer ? go({ nodeId: node.nodeId }) : setOpened(node));
  const start = useStartFolder(place, address.at);
  const folder = { ...address, nodeId: address.nodeId ?? start ?? null };
  const trail = useTrail(place, folder).filter(({ nodeId }) => nodeId !== start);
  return (
    <Stack>
      <SiteHead place={place} site={site} address={address} onChange={go} onDo={setToDo} />
      <Row spread>
        <div className={styles.way}>
          <Trail site={site.name} trail={trail} onOpen={(nodeId) => go({ nodeId })} />
        </div>
        <ViewSwitch view={view} onView={setView} />
      </Row>
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
          onDo={setToDo}
        />
      )}
      {asked !== null && (
        <NodeMenu place={place} asked={asked} onOpen={open} onDetails={setOpened} onDo={setToDo} onClose={() => setAsked(null)} />
      )}
      {toDo !== null && <DeedForm tenantId={place.tenantId} site={site} asked={toDo} onClose={() => setToDo(null)} />}
      {opened !== null && <NodeDetails place={place} node={opened} onClose={() => setOpened(null)} />}
    </Stack>
  );
}

/** The way to the other look of the folder. */
function ViewSwitch({ view, onView }: { readonly view: FileView; readonly onView: (view: FileView) => void }): ReactElement {
  const text = useText();
  const isGrid = view === 'grid';
  return (
    <Button appearance="subtle" icon={isGrid ? <ListRegular /> : <GridRegular />} onClick={() => onView(isGrid ? 'list' : 'grid')}>
      {text(isGrid ? 'content.showAsList' : 'content.showAsGrid')}
    </Button>
  );
}

interface FolderContentsProps extends Omit<FolderTableProps, 'commands'> {
  readonly view: FileView;
  readonly onDo: (asked: AskedDeed) => void;
}

/** What the folder holds, as the reader likes to see it. */
function FolderContents({ view, onDo, ...folder }: FolderContentsProps): ReactElement {
  const rights = useNodeRights();
  const chosen = (nodes: readonly ManagedNode[]): ReactElement => <ChosenNodes place={folder.place} nodes={nodes} onDo={onDo} />;
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
  readonly onDo: (asked: AskedDeed) => void;
}

const referenceOf = ({ graphId, name, address }: Source): SourceReference => ({ id: graphId, name, address });

/** Name of the site, the time that is looked at, and what can be done with the whole of it. */
function SiteHead({ place, site, address, onChange, onDo }: SiteHeadProps): ReactElement {
  const text = useText();
  const format = useFormat();
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
          <SiteCommands place={place} site={site} onDo={onDo} />
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

/** What can be done with the whole of a site or drive: its hold in sight, the rest behind a button. */
function SiteCommands({ place, site, onDo }: FolderViewProps & { readonly onDo: (asked: AskedDeed) => void }): ReactElement {
  const text = useText();
  const rights = useNodeRights();
  const mayManage = useMay('jobs.manage');
  const deletionJobOf = useDeletionJobOf();
  const of = (deed: 'retention' | 'retentionEvent'): Command => ({
    id: deed,
    label: text(deedTexts[deed]),
    run: () => onDo({ deed, nodes: [] }),
  });
  const deletion: Command = {
    id: 'delete',
    label: text('compliance.deleteByJob'),
    run: () => deletionJobOf(place, site.kind === 'site' ? referenceOf(site) : null),
  };
  const more = [...(rights.hold ? [of('retention'), of('retentionEvent')] : []), ...(mayManage ? [deletion] : [])];
  return (
    <>
      {rights.hold && (
        <Button icon={<LockClosedRegular />} onClick={() => onDo({ deed: 'hold', nodes: [] })}>
          {text('holds.placeOn')}
        </Button>
      )}
      {more.length > 0 && <MoreCommands label={text('kit.moreCommands')} commands={more} />}
    </>
  );
}
