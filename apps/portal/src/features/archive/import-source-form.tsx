import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import type { ImportSettings } from '@holdfast/contract/jobs';
import { takes } from '@holdfast/contract/locations';
import { outlookPasswordCheck } from '@holdfast/contract/outlook-password';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { useField } from '../../ui/use-field.ts';
import { useLocations } from '../tenants/index.ts';
import { useUpload } from './imports.queries.ts';

const useStyles = makeStyles({
  drop: {
    padding: tokens.spacingVerticalL,
    border: `${tokens.strokeWidthThick} dashed ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusLarge,
  },
});

/** Files that were chosen, and the job that looks at them. */
export interface ChosenSource {
  readonly jobId: string;
  /** What the files are called in the names of jobs. */
  readonly name: string;
  readonly locationId: string;
  readonly source: ImportSettings['source'];
  /** What a password leaves behind; empty where none was given. */
  readonly password: Pick<ImportSettings, 'passwordCheck'>;
}

const draft = z
  .object({
    kind: z.enum(['upload', 'folder']),
    file: z.instanceof(File).nullable(),
    path: z.string().trim().max(1_000),
    password: z.string().max(200, { error: 'validation.tooLong' }),
    locationId: z.string().min(1, { error: 'validation.required' }),
  })
  .refine(({ kind, file }) => kind === 'folder' || file !== null, { path: ['file'], error: 'validation.fileRequired' })
  .refine(({ kind, path }) => kind === 'upload' || path !== '', { path: ['path'], error: 'validation.required' });

interface ImportSourceFormProps {
  readonly tenantId: string;
  readonly onChosen: (chosen: ChosenSource) => void;
  readonly onClose: () => void;
}

/** Which files: one of this computer, or a folder of the server. They are looked at before anything is taken. */
export function ImportSourceForm({ tenantId, onChosen, onClose }: ImportSourceFormProps): ReactElement {
  const text = useText();
  const { clock } = usePortal();
  const [share, setShare] = useState(0);
  const upload = useUpload();
  const create = useChange(jobs.create, { failure: 'failures.createJob' });
  const usable = (useLocations(tenantId).data?.items ?? []).filter(({ use }) => takes(use, 'import'));
  const form = useSchemaForm(draft, { kind: 'upload', file: null, path: '', password: '', locationId: '' });
  const [kind, file] = useWatch({ control: form.control, name: ['kind', 'file'] });
  const look = (source: ImportSettings['source'], called: string, { locationId, password: word }: z.output<typeof draft>): void => {
    const password = word === '' ? {} : { passwordCheck: outlookPasswordCheck(word) };
    const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
    const name = text('imports.lookName', { name: called, date: stamp }).slice(0, 100);
    const body = {
      type: 'import',
      name,
      schedule: { mode: 'afterCreation' },
      locationId,
      import: { source, dryRun: true, ...password },
    } as const;
    create.mutate(
      { params: { tenantId }, body },
      {
        onSuccess: ({ jobId }) => onChosen({ jobId, name: called, locationId, source, password }),
        onError: (error) => {
          if (error instanceof ApiError) form.setError('file', { type: 'server', message: error.message });
        },
      },
    );
  };
  const start = (values: z.output<typeof draft>): void => {
    const { path, locationId, file: given } = values;
    if (values.kind === 'folder') look({ kind: 'folder', path }, path, values);
    else if (given !== null) {
      upload.mutate(
        { tenantId, locationId, file: given, onProgress: setShare },
        { onSuccess: ({ fileId }) => look({ kind: 'upload', fileId }, given.name, values) },
      );
    }
  };
  return (
    <Form form={form} label={text('imports.title')} onSubmit={start}>
      <Text>{text('imports.lead')}</Text>
      <RadioField
        name="kind"
        label={text('imports.where')}
        choices={[
          { value: 'upload', label: text('imports.upload') },
          { value: 'folder', label: text('imports.folder'), hint: text('imports.folderHint') },
        ]}
      />
      {kind === 'upload' && <FileChoice />}
      {kind === 'folder' && <TextField name="path" label={text('imports.path')} required />}
      <SelectField
        name="locationId"
        label={text('jobs.location')}
        choices={usable.map(({ locationId, name }) => ({ value: locationId, label: name }))}
        required
      />
      <TextField name="password" type="password" label={text('imports.password')} hint={text('imports.passwordHint')} />
      {upload.isPending && <ProgressBar value={share} aria-label={text('documents.uploading', { name: file?.name ?? '' })} />}
      <FormButtons isBusy={upload.isPending || create.isPending} submit={text('imports.look')} onClose={onClose} />
    </Form>
  );
}

/** The file, which is dropped or chosen with the button; the focus comes to the button when there is none. */
function FileChoice(): ReactElement {
  const text = useText();
  const { field, bind, frame } = useField({ name: 'file', label: text('documents.choose') });
  const file = field.value instanceof File ? field.value : null;
  const styles = useStyles();
  const input = useRef<HTMLInputElement>(null);
  return (
    <FieldFrame fault={frame.fault}>
      <div
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          field.onChange(event.dataTransfer.files[0] ?? null);
        }}
      >
        <Stack>
          <Text>{text('imports.drop')}</Text>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={text('documents.choose')}
            onChange={(event) => field.onChange(event.target.files?.[0] ?? null)}
          />
          <Row>
            <Button name={field.name} ref={bind} onClick={() => input.current?.click()}>
              {text('documents.choose')}
            </Button>
          </Row>
          {file !== null && <Text weight="semibold">{file.name}</Text>}
        </Stack>
      </div>
    </FieldFrame>
  );
}
