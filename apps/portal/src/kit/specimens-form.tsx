import type { ReactElement } from 'react';
import { z } from 'zod';
import { usePortal } from '../api/portal-context.ts';
import { useText } from '../i18n/use-text.ts';
import { CheckField, RadioField, SelectField, SwitchField } from '../ui/choice-fields.tsx';
import { PasswordField, TextAreaField, TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../ui/form.tsx';
import { MultiSelectField } from '../ui/multi-select-field.tsx';
import { TagField } from '../ui/tag-field.tsx';

const schema = z.object({
  name: z.string().min(4, 'validation.jobNameMinimum'),
  minutes: z.number('validation.invalid').min(1),
  password: z.string().min(6, 'validation.password'),
  note: z.string(),
  workload: z.string(),
  kinds: z.array(z.string()),
  collisions: z.string(),
  folders: z.array(z.string()),
  versions: z.boolean(),
  enabled: z.boolean(),
  off: z.string(),
});

/** Every kind of field; submitting it as it is shows faults at the fields and in the summary. */
export function Fields(): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const form = useSchemaForm(schema, {
    name: '',
    password: '',
    note: '',
    workload: 'exchange',
    kinds: ['messages', 'files'],
    collisions: 'skip',
    folders: ['Inbox/Sub', 'Archive'],
    versions: true,
    enabled: false,
    off: text('status.disabled'),
  });
  return (
    <Form form={form} label="Form" onSubmit={() => toasts.show('success', text('successes.jobCreated'))}>
      <TextField name="name" label={text('jobs.name')} required />
      <TextField name="minutes" label={text('jobs.everyMinutes')} type="number" hint={text('jobs.intervalHint')} />
      <PasswordField name="password" label={text('common.password')} autoComplete="current-password" />
      <TextAreaField name="note" label={text('restore.reason')} hint={text('restore.reasonHint')} rows={2} />
      <SelectField
        name="workload"
        label={text('common.workload')}
        choices={(['exchange', 'onedrive', 'sharepoint', 'teams'] as const).map((value) => ({ value, label: text(`common.${value}`) }))}
      />
      <MultiSelectField
        name="kinds"
        label={text('retention.searched')}
        choices={(['messages', 'files'] as const).map((value) => ({ value, label: text(`retention.searchedKinds.${value}`) }))}
      />
      <RadioField
        name="collisions"
        label={text('restore.collisions')}
        choices={[
          { value: 'skip', label: text('restore.collisionSkip'), hint: text('restore.targetOriginalHint') },
          { value: 'keepBoth', label: text('restore.collisionKeepBoth') },
        ]}
      />
      <TagField name="folders" label={text('jobs.includeFolders')} hint={text('validation.folders')} />
      <CheckField name="versions" label={text('restore.withVersions')} />
      <SwitchField name="enabled" label={text('restore.everywhere')} />
      <TextField name="off" label={text('common.status')} disabled />
      <FormButtons submit={text('common.save')} isBusy={false} onClose={() => undefined} />
    </Form>
  );
}
