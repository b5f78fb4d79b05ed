import { Button } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import type { ChannelReference, SourceReference } from '@holdfast/contract/jobs';
import { takes } from '@holdfast/contract/locations';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { LocationChoice, useLocations, WithTenant } from '../tenants/index.ts';
import { nobodyChosen, sourceKindsOf } from './picker-kind.ts';
import type { PickerKind } from './picker-kind.ts';
import { SourcePickers } from './source-pickers.tsx';

const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
type Workload = (typeof workloads)[number];

/** `/backup-and-restore/on-demand`: chosen resources, once, now. */
export default function OnDemandPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.onDemand')} lead={text('jobs.onDemandLead')}>
      <WithTenant>{(tenant) => <OnDemand tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function OnDemand({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const [workload, setWorkload] = useState<Workload>('exchange');
  const { data } = useLocations(tenantId);
  const [chosen, setChosen] = useState<string | null>(null);
  const locations = (data?.items ?? []).filter(({ use }) => takes(use, 'backup'));
  const location = locations.find((one) => one.locationId === chosen) ?? locations[0];
  if (location === undefined) {
    if (data === undefined) return <LoadingShape rows={6} />;
    return (
      <EmptyState
        text={text('jobs.noLocation')}
        action={<RouterLink to="/configuration/locations/new">{text('tenants.newLocation')}</RouterLink>}
      />
    );
  }
  return (
    <Stack>
      <Tabs names={workloads} selected={workload} word={(one) => text(`common.${one}`)} onSelect={setWorkload} />
      <LocationChoice locations={locations} chosen={location} onChoose={setChosen} />
      <Choose key={workload} tenantId={tenantId} locationId={location.locationId} workload={workload} />
    </Stack>
  );
}

interface Chosen extends Record<PickerKind, SourceReference[]> {
  channels: ChannelReference[];
  channelTeam: SourceReference[];
  teamExpression: string;
}

const nothing: Chosen = { users: [], groups: [], sites: [], teams: [], members: [], channels: [], channelTeam: [], teamExpression: '' };

interface ChooseProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly workload: Workload;
}

function Choose({ tenantId, locationId, workload }: ChooseProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const { clock } = usePortal();
  const form = useForm<Chosen>({ defaultValues: nothing });
  const create = useChange(jobs.create, { success: 'successes.jobStarting', failure: 'failures.createJob' });
  const kinds = sourceKindsOf(workload, { type: 'backup' });
  const handleStart = (): void => {
    const { channelTeam: _shown, ...source } = form.getValues();
    if (kinds.every((kind) => source[kind].length === 0)) {
      for (const kind of kinds) form.setError(kind, { message: nobodyChosen[kind] });
      return;
    }
    const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
    create.mutate(
      {
        params: { tenantId },
        body: {
          name: text('jobs.onDemandName', { date: stamp }),
          type: 'backup',
          workload,
          locationId,
          schedule: { mode: 'afterCreation' },
          source,
        },
      },
      { onSuccess: () => void navigate('/backup-and-restore/job-monitor') },
    );
  };
  return (
    <FormProvider {...form}>
      <Stack>
        <SourcePickers {...{ tenantId, locationId, workload, kinds }} />
        <Row>
          <Button appearance="primary" disabledFocusable={create.isPending} onClick={handleStart}>
            {text('jobs.backUpNow')}
          </Button>
        </Row>
      </Stack>
    </FormProvider>
  );
}
