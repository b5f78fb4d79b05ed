import { locations } from '@holdfast/contract/locations';
import type { Location } from '@holdfast/contract/locations';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts } from '../../ui/layout.tsx';
import { phraseOfUse, placeOf } from './location-words.ts';
import { ApprovalHint } from './approval-hint.tsx';
import { LocationTestResult } from './location-test-result.tsx';

export interface LocationDetailsProps {
  readonly tenantId: string;
  readonly location: Location;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

/** One location: where it is, how it is protected, what its last test said. */
export function LocationDetails({ tenantId, location, onEdit, onClose }: LocationDetailsProps): ReactElement {
  const text = useText();
  const mayManage = useMay('locations.manage');
  const [asked, setAsked] = useState(false);
  const test = useChange(locations.testAgain, { failure: 'failures.updateLocation' });
  const tested = test.data ?? location.lastTest;
  const remove = useChange(locations.remove, { success: 'successes.locationDeleted', failure: 'failures.deleteLocation' });
  return (
    <DetailDrawer title={location.name} onClose={onClose}>
      {mayManage && (
        <CommandBar
          commands={[
            { id: 'edit', label: text('common.edit'), run: onEdit, isPrimary: true },
            {
              id: 'test',
              label: text('tenants.testLocation'),
              run: () => test.mutate({ params: { tenantId, locationId: location.locationId } }),
              isDisabled: test.isPending,
            },
            { id: 'delete', label: text('common.delete'), run: () => setAsked(true) },
          ]}
        />
      )}
      <LocationFacts tenantId={tenantId} location={location} />
      {tested !== null && <LocationTestResult test={tested} />}
      {asked && (
        <ConfirmDialog
          title={text('confirmations.deleteLocationTitle', { name: location.name })}
          text={text('confirmations.deleteLocationText')}
          button={text('confirmations.deleteLocationButton')}
          destructive
          busy={remove.isPending}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate({ params: { tenantId, locationId: location.locationId } }, { onSuccess: onClose })}
        />
      )}
    </DetailDrawer>
  );
}

function LocationFacts({ tenantId, location }: Pick<LocationDetailsProps, 'tenantId' | 'location'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const { mode, days } = location.immutability;
  const lockName = text(mode === 'governance' ? 'tenants.lockGovernance' : 'tenants.lockCompliance');
  return (
    <>
      {location.pendingRetainDays !== null && <ApprovalHint tenantId={tenantId} subjectId={location.locationId} />}
      <Facts
        items={[
          [text('tenants.kind'), text(`tenants.${location.kind}`)],
          [text('tenants.place'), placeOf(location)],
          ...(location.kind === 's3'
            ? ([
                [text('tenants.endpoint'), location.endpoint || '–'],
                [text('tenants.region'), location.region ?? '–'],
              ] as const)
            : []),
          [text('tenants.use'), text(phraseOfUse[location.use])],
          [text('tenants.lock'), mode === 'none' ? text('tenants.lockNone') : text('tenants.lockText', { mode: lockName, days })],
          [text('tenants.retainDays'), format.count(location.retainDays)],
          ...(location.pendingRetainDays === null
            ? []
            : ([[text('tenants.pendingRetainDays'), format.count(location.pendingRetainDays)]] as const)),
          [text('tenants.freeSpace'), format.bytes(location.lastTest?.freeBytes)],
          [text('jobs.restorePoints'), format.count(location.restorePoints)],
        ]}
      />
    </>
  );
}
