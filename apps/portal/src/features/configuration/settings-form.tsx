import { Button, Card, Subtitle1, Subtitle2, Text } from '@fluentui/react-components';
import { backupSettings, configuration } from '@holdfast/contract/configuration';
import type { BackupConfig } from '@holdfast/contract/configuration';
import { jobs, traitsOf } from '@holdfast/contract/jobs';
import { workloads } from '@holdfast/contract/values';
import type { Workload } from '@holdfast/contract/values';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { hasStatus } from '../../api/api-error.ts';
import { apiOf, conflictOf } from '../../api/query-client.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { CardGrid, Facts, Row, Stack } from '../../ui/layout.tsx';
import { TagField } from '../../ui/tag-field.tsx';

/** The backup settings of a tenant, by workload. The version that was read guards the save. */
export function SettingsForm({ config, isReadOnly }: { readonly config: BackupConfig; readonly isReadOnly: boolean }): ReactElement {
  const text = useText();
  const queries = useQueryClient();
  const { tenantId, version } = config;
  const update = useChange(configuration.update, { success: 'successes.configurationUpdated', failure: 'failures.updateConfiguration' });
  const form = useSchemaForm(backupSettings, config.settings);
  const handleSubmit = (settings: BackupConfig['settings']): void => {
    const query = { tenantId };
    update.mutate(
      { query, body: { settings, version } },
      {
        onSuccess: () => form.reset(settings),
        onError: (error) => {
          if (!hasStatus(error, 412)) return;
          conflictOf(queries).set({
            yours: settings,
            theirs: async () => (await apiOf(queries).send(configuration.read, { query, quiet: true })).settings,
            overwrite: async () => await update.mutateAsync({ query, body: { settings } }),
            reload: async () => await queries.invalidateQueries(),
          });
        },
      },
    );
  };
  return (
    <Stack>
      <Subtitle1 as="h2">{text('configuration.settings')}</Subtitle1>
      <Text>{text('configuration.settingsLead')}</Text>
      <Form form={form} onSubmit={handleSubmit} label={text('configuration.settings')} isWide>
        <CardGrid>
          {workloads.map((workload) => (
            <Card key={workload}>
              <Subtitle2 as="h3">{text(`common.${workload}`)}</Subtitle2>
              <SwitchField
                name={`${workload}.enabled`}
                label={text('configuration.enabled', { workload: text(`common.${workload}`) })}
                disabled={isReadOnly}
              />
              <SwitchField name={`${workload}.protectNewResources`} label={text('configuration.protectNew')} disabled={isReadOnly} />
              <Extras workload={workload} isReadOnly={isReadOnly} />
              <Governed tenantId={tenantId} workload={workload} />
            </Card>
          ))}
        </CardGrid>
        <TagField name="excludedFolders" label={text('configuration.excludedFolders')} hint={text('validation.folders')} />
        {!isReadOnly && (
          <Row>
            <Button type="submit" appearance="primary" disabledFocusable={update.isPending}>
              {text('configuration.save')}
            </Button>
          </Row>
        )}
      </Form>
    </Stack>
  );
}

/** The jobs that the settings of a workload act on. */
function Governed({ tenantId, workload }: { readonly tenantId: string; readonly workload: Workload }): ReactElement {
  const text = useText();
  const { data } = useQuery(read(jobs.list, { params: { tenantId }, query: { workload, limit: 200 } }));
  const names = (data?.items ?? []).flatMap(({ type, name }) => (traitsOf(type).protects ? [name] : []));
  return <Facts items={[[text('configuration.governs'), names.length === 0 ? text('configuration.governsNone') : names.join(', ')]]} />;
}

function Extras({ workload, isReadOnly }: { readonly workload: Workload; readonly isReadOnly: boolean }): ReactElement {
  const text = useText();
  const versions = <TextField name={`${workload}.versions`} label={text('configuration.versions')} type="number" disabled={isReadOnly} />;
  switch (workload) {
    case 'exchange':
      return <SwitchField name="exchange.includeRecoverableItems" label={text('configuration.includeRecoverable')} disabled={isReadOnly} />;
    case 'onedrive':
      return versions;
    case 'sharepoint':
      return (
        <>
          <SwitchField name="sharepoint.includePermissions" label={text('configuration.includePermissions')} disabled={isReadOnly} />
          {versions}
        </>
      );
    case 'teams':
      return (
        <>
          <SwitchField name="teams.includeChats" label={text('configuration.includeChats')} disabled={isReadOnly} />
          <SwitchField name="teams.includePrivateChannels" label={text('configuration.includePrivate')} disabled={isReadOnly} />
        </>
      );
  }
}
