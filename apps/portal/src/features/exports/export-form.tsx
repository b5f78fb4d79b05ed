import { Text } from '@fluentui/react-components';
import { exportChoices, exportFormats, exports } from '@holdfast/contract/exports';
import type { ContentExport, ExportSource } from '@holdfast/contract/exports';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { ExportView } from './export-details.tsx';

interface ExportFormProps {
  readonly tenantId: string;
  readonly source: ExportSource;
  /** What is exported, in words: the title, and the name that it begins with. */
  readonly what: string;
  readonly reason: string;
  readonly onClose: () => void;
}

const NAME_LENGTH = 100;

/** Asks for an export; once it has begun, shows how far it has got, in the same drawer. */
export function ExportForm({ what, onClose, ...asked }: ExportFormProps): ReactElement {
  const text = useText();
  const [made, setMade] = useState<ContentExport | null>(null);
  return (
    <DetailDrawer title={made?.name ?? text('exports.formTitle', { what })} onClose={onClose}>
      {made === null ? (
        <Choices {...asked} what={what} onClose={onClose} onMade={setMade} />
      ) : (
        <Following tenantId={asked.tenantId} exportId={made.exportId} onClose={onClose} />
      )}
    </DetailDrawer>
  );
}

interface ChoicesProps extends ExportFormProps {
  readonly onMade: (made: ContentExport) => void;
}

function Choices({ tenantId, source, what, reason, onClose, onMade }: ChoicesProps): ReactElement {
  const text = useText();
  const create = useChange(exports.create, { success: 'exports.started' });
  const form = useSchemaForm(exportChoices, { name: what.slice(0, NAME_LENGTH), format: 'eml', reason });
  return (
    <Form
      form={form}
      label={text('exports.formTitle', { what })}
      onSubmit={(body) =>
        create.mutate(
          { params: { tenantId }, body: { ...body, source } },
          {
            onSuccess: onMade,
            onError: showFaultsIn(form),
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
  );
}

/** What takes the place of the form takes its focus too. */
function Following(of: Parameters<typeof ExportView>[0]): ReactElement {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <div ref={start} tabIndex={-1} style={{ outline: 'none' }}>
      <ExportView {...of} />
    </div>
  );
}
