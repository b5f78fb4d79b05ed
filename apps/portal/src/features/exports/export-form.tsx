import { Text } from '@fluentui/react-components';
import { exportChoices, exportFormats, exports } from '@holdfast/contract/exports';
import type { ExportSource } from '@holdfast/contract/exports';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { ExportDetails } from './export-details.tsx';

interface ExportFormProps {
  readonly tenantId: string;
  readonly source: ExportSource;
  /** What is exported, in words: the title, and the name that it begins with. */
  readonly what: string;
  readonly reason: string;
  readonly onClose: () => void;
}

const NAME_LENGTH = 100;

/** Asks for an export; once it has begun, shows how far it has got. */
export function ExportForm({ tenantId, source, what, reason, onClose }: ExportFormProps): ReactElement {
  const text = useText();
  const [madeId, setMadeId] = useState<string | null>(null);
  const create = useChange(exports.create, { success: 'exports.started' });
  const form = useSchemaForm(exportChoices, { name: what.slice(0, NAME_LENGTH), format: 'eml', reason });
  const title = text('exports.formTitle', { what });
  if (madeId !== null) return <ExportDetails tenantId={tenantId} exportId={madeId} onClose={onClose} />;
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) =>
          create.mutate(
            { params: { tenantId }, body: { ...body, source } },
            {
              onSuccess: ({ exportId }) => setMadeId(exportId),
              onError: (error) => {
                if (error instanceof ApiError) showServerFaults(form, error.fields);
              },
            },
          )
        }
      >
        <Text>{text('exports.formText')}</Text>
        <TextField name="name" label={text('common.name')} required />
        <RadioField
          name="format"
          label={text('exports.format')}
          hint={text('exports.formatHint')}
          choices={exportFormats.map((value) => ({ value, label: text(`exports.formats.${value}`) }))}
        />
        <TextAreaField name="reason" label={text('exports.reason')} hint={text('exports.reasonHint')} required />
        <FormButtons isBusy={create.isPending} submit={text('exports.start')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
