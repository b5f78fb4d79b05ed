import { Text } from '@fluentui/react-components';
import type { ImportReport } from '@holdfast/contract/imports';
import { jobs } from '@holdfast/contract/jobs';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { SourcePicker } from '../jobs/index.ts';
import { ImportFaults } from './import-faults.tsx';
import { ImportFolders } from './import-folders.tsx';
import type { ChosenSource } from './import-source-form.tsx';
import { useImportReport } from './imports.queries.ts';

const formatNames: Readonly<Record<ImportReport['formats'][number]['format'], PhraseKey>> = {
  eml: 'imports.formats.eml',
  mboxo: 'imports.formats.mboxo',
  mboxrd: 'imports.formats.mboxrd',
  mboxcl: 'imports.formats.mboxcl',
  mboxcl2: 'imports.formats.mboxcl2',
  zip: 'imports.formats.zip',
  pst: 'imports.formats.pst',
  msg: 'imports.formats.msg',
  unknown: 'imports.formats.unknown',
};

const draft = z.object({
  folder: z.string(),
  into: z.string().trim().max(800, { error: 'validation.tooLong' }),
  mailbox: z.array(z.object({ id: z.string(), name: z.string(), address: z.string() })).min(1, { error: 'validation.usersRequired' }),
});

/** A folder cannot be empty text in a list of choices. */
const everything = '*';

interface ImportChoiceProps {
  readonly tenantId: string;
  readonly looked: ChosenSource;
  readonly onStarted: (jobId: string) => void;
  readonly onClose: () => void;
}

/** What the files hold, and whose archive it goes to. */
export function ImportChoice({ tenantId, looked, onStarted, onClose }: ImportChoiceProps): ReactElement {
  const text = useText();
  const report = useImportReport(tenantId, looked.jobId);
  if (report.isError && report.data === undefined) return <FailedState error={report.error} onRetry={() => void report.refetch()} />;
  if (report.data?.isEnded !== true) return <Text role="status">{text('imports.looking')}</Text>;
  return (
    <Stack>
      <Found report={report.data} />
      <ImportFolders report={report.data} />
      <ImportFaults tenantId={tenantId} jobId={looked.jobId} failed={report.data.failed} />
      {report.data.added > 0 && <Choice tenantId={tenantId} looked={looked} report={report.data} onStarted={onStarted} onClose={onClose} />}
    </Stack>
  );
}

function Found({ report }: { readonly report: ImportReport }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Facts
      items={[
        [text('imports.format'), report.formats.map((one) => text(formatNames[one.format])).join(', ') || '–'],
        [text('imports.messages'), format.count(report.added)],
        [text('imports.failed'), format.count(report.failed)],
      ]}
    />
  );
}

function Choice({ tenantId, looked, report, onStarted, onClose }: ImportChoiceProps & { readonly report: ImportReport }): ReactElement {
  const text = useText();
  const { clock } = usePortal();
  const create = useChange(jobs.create, { success: 'successes.importStarted', failure: 'failures.createJob' });
  const form = useSchemaForm(draft, { folder: everything, into: text('imports.intoDefault'), mailbox: [] });
  const folders = report.folders.filter(({ path }) => path !== '').map(({ path }) => ({ value: path, label: path }));
  const start = ({ folder, into, mailbox }: z.output<typeof draft>): void => {
    const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
    const mapping = mailbox.slice(-1).map((one) => ({ folder: folder === everything ? '' : folder, into, mailbox: one }));
    const name = text('imports.jobName', { name: looked.name, date: stamp }).slice(0, 100);
    const { locationId, source, password } = looked;
    create.mutate(
      {
        params: { tenantId },
        body: { type: 'import', name, schedule: { mode: 'afterCreation' }, locationId, import: { source, mapping, ...password } },
      },
      {
        onSuccess: ({ jobId }) => onStarted(jobId),
        onError: (error) => {
          if (!(error instanceof ApiError)) return;
          const { 'import.mapping': mailboxFaults, ...others } = error.fields;
          showServerFaults(form, mailboxFaults === undefined ? others : { ...others, mailbox: mailboxFaults });
        },
      },
    );
  };
  return (
    <Form form={form} label={text('imports.whose')} onSubmit={start}>
      {folders.length > 1 && (
        <SelectField
          name="folder"
          label={text('imports.which')}
          choices={[{ value: everything, label: text('imports.allFolders') }, ...folders]}
        />
      )}
      <SourcePicker
        name="mailbox"
        kind="users"
        tenantId={tenantId}
        locationId={looked.locationId}
        label={text('imports.mailbox')}
        isSingle
      />
      <TextField name="into" label={text('imports.into')} hint={text('imports.intoHint')} />
      <FormButtons isBusy={create.isPending} submit={text('imports.start')} onClose={onClose} />
    </Form>
  );
}
