import { Button, MessageBar, MessageBarBody, Subtitle1, Text } from '@fluentui/react-components';
import { configuration } from '@holdfast/contract/configuration';
import type { BackupConfig } from '@holdfast/contract/configuration';
import type { Tenant } from '@holdfast/contract/tenants';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useChosenWorker, useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { SwitchTenantDialog, TaskProgress, useTenants } from '../tenants/index.ts';
import { PermissionTable } from './permission-table.tsx';
import { SettingsForm } from './settings-form.tsx';

/** `/configuration`: backup settings of the active tenant, its permissions, its users. */
export default function ConfigurationPage(): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const workerIp = chosen?.worker.ip;
  const navigate = useNavigate();
  const config = useQuery(read(configuration.read, { query: workerIp === undefined ? {} : { workerIp }, quiet: true }));
  const isFirst = hasStatus(config.error, 404);
  return (
    <Page title={text('configuration.title')} lead={text('configuration.lead')}>
      {config.isPending && <LoadingShape rows={6} />}
      {isFirst && (
        <EmptyState
          text={text('configuration.first')}
          action={
            <Button appearance="primary" onClick={() => void navigate('/configuration/tenants')}>
              {text('configuration.toTenants')}
            </Button>
          }
        />
      )}
      {config.isError && !isFirst && (
        <FailedState error={config.error} title={text('failures.retrieveConfiguration')} onRetry={() => void config.refetch()} />
      )}
      {config.data !== undefined && <Loaded config={config.data} />}
    </Page>
  );
}

function Loaded({ config }: { readonly config: BackupConfig }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [target, setTarget] = useState<Tenant | null>(null);
  const [started, setTask] = useState<string | null>(null);
  const mayManage = useMay('configuration.manage');
  const { tenantId } = config;
  const test = useChange(configuration.testConnection);
  const synchronise = useChange(configuration.synchroniseUsers, {
    failure: 'failures.synchronizeUsers',
    success: 'successes.synchronising',
  });
  const { data } = useTenants();
  const task = started ?? data?.items.find((tenant) => tenant.tenantId === tenantId)?.taskId ?? null;
  const others = (data?.items ?? []).filter((tenant) => !tenant.active);
  return (
    <Stack loose>
      {mayManage && (
        <CommandBar
          commands={[
            {
              id: 'test',
              label: text('configuration.test'),
              run: () => test.mutate({ query: { tenantId } }),
              isDisabled: test.isPending,
              isPrimary: true,
            },
            {
              id: 'synchronise',
              label: text('configuration.synchronise'),
              run: () => synchronise.mutate({ query: { tenantId } }, { onSuccess: ({ taskId }) => setTask(taskId) }),
              isDisabled: synchronise.isPending,
            },
            ...others.map((other) => ({
              id: other.tenantId,
              label: text('configuration.switchTo', { name: other.displayName || other.name }),
              run: () => setTarget(other),
            })),
          ]}
        />
      )}
      {task !== null && <TaskProgress tenantId={tenantId} taskId={task} finished="successes.usersSynchronised" />}
      <Facts
        items={[
          [text('shell.tenant'), config.tenantName],
          [text('configuration.users'), format.count(config.users)],
          [text('configuration.groups'), format.count(config.groups)],
          [text('configuration.synchronisedAt'), <Moment key="at" at={config.usersSynchronisedAt} />],
        ]}
      />
      <SettingsForm config={config} isReadOnly={!mayManage} />
      <Connection config={config} />
      {target !== null && <SwitchTenantDialog tenant={target} onClose={() => setTarget(null)} />}
    </Stack>
  );
}

function Connection({ config: { connection } }: { readonly config: BackupConfig }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  return (
    <Stack>
      <Subtitle1 as="h2">{text('configuration.permissions')}</Subtitle1>
      <Text>{text('configuration.permissionsLead')}</Text>
      {connection === null ? (
        <MessageBar>
          <MessageBarBody>{text('configuration.noTest')}</MessageBarBody>
        </MessageBar>
      ) : (
        <>
          <MessageBar intent={connection.ok ? 'success' : 'warning'} layout="multiline">
            <MessageBarBody>
              {connection.problem === null
                ? text('configuration.testOk')
                : text('configuration.testBad', { problem: codeText(connection.problem) })}{' '}
              <Moment at={connection.checkedAt} />
            </MessageBarBody>
          </MessageBar>
          <PermissionTable permissions={connection.permissions} />
        </>
      )}
    </Stack>
  );
}
