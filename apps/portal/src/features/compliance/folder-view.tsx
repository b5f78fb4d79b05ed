import { Button, Subtitle2, Switch, Text } from '@fluentui/react-components';
import { CalendarRegular, LockClosedRegular } from '@fluentui/react-icons';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { RestorePoint, Source } from '@holdfast/contract/discovery';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { HoldForm } from '../holds/index.ts';
import { PointChooser, usePoints } from '../restore/index.ts';
import { FileDetails } from './file-details.tsx';
import { useFolderAddress } from './folder-address.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { FolderTable } from './folder-table.tsx';
import { Trail } from './trail.tsx';

interface FolderViewProps {
  readonly place: SitePlace;
  readonly site: Source;
}

/** A site at a time: the way to the folder, the choice of time, and what the folder holds. */
export function FolderView({ place, site }: FolderViewProps): ReactElement {
  const [address, go] = useFolderAddress();
  const [opened, setOpened] = useState<ManagedNode | null>(null);
  const { tenantId, sourceId } = place;
  const query = {
    sourceId,
    limit: 1,
    ...(address.nodeId === null ? {} : { nodeId: address.nodeId }),
    ...(address.at === null ? {} : { at: address.at }),
    deleted: 'true' as const,
  };
  // Deleted folders have their way up, too.
  const here = useQuery({ ...read(compliance.nodes, { params: { tenantId }, query, quiet: true }), staleTime: 30_000 });
  return (
    <Stack>
      <SiteHead place={place} site={site} address={address} onChange={go} />
      <Trail site={site.name} trail={here.data?.trail ?? []} onOpen={(nodeId) => go({ nodeId })} />
      <FolderTable
        key={`${address.nodeId ?? ''} ${address.at ?? ''} ${address.showsDeleted}`}
        place={place}
        address={address}
        onOpen={(node) => (node.isContainer ? go({ nodeId: node.nodeId }) : setOpened(node))}
      />
      {opened !== null && <FileDetails place={place} node={opened} onClose={() => setOpened(null)} />}
    </Stack>
  );
}

interface SiteHeadProps extends FolderViewProps {
  readonly address: FolderAddress;
  readonly onChange: (change: Partial<FolderAddress>) => void;
}

/** Name of the site, the time that is looked at, and what can be done with the whole of it. */
function SiteHead({ place, site, address, onChange }: SiteHeadProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayHold = useMay('deletion.manage');
  const [choosing, setChoosing] = useState(false);
  const [holding, setHolding] = useState(false);
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
            <Button icon={<LockClosedRegular />} onClick={() => setHolding(true)}>
              {text('holds.placeOn')}
            </Button>
          )}
          <Switch
            label={text('compliance.showDeleted')}
            checked={address.showsDeleted}
            onChange={(_event, { checked }) => onChange({ showsDeleted: checked })}
          />
        </Row>
      </Row>
      {choosing && current !== undefined && <PointChooser points={points} current={current} onChoose={choose} />}
      {holding && <HoldForm tenantId={place.tenantId} resource={site} onClose={() => setHolding(false)} />}
    </>
  );
}
