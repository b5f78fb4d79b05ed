import { Text } from '@fluentui/react-components';
import { holds } from '@holdfast/contract/holds';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { bodyOf, holdDraft, holdPeriodDraft } from './hold-draft.ts';

export interface HoldFormProps {
  readonly tenantId: string;
  /** What is put on hold; null for a period of everything. */
  readonly resource: { readonly resourceId: string; readonly name: string } | null;
  readonly onClose: () => void;
}

const start = { name: '', reason: '', from: '', to: '' };

/** Places a hold, with a name and a reason. */
export function HoldForm({ tenantId, resource, onClose }: HoldFormProps): ReactElement {
  const text = useText();
  const place = useChange(holds.place, { success: 'successes.holdPlaced' });
  const form = useSchemaForm(resource === null ? holdPeriodDraft : holdDraft, start);
  const title = resource === null ? text('holds.placePeriod') : text('holds.placeTitle', { name: resource.name });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(draft) =>
          place.mutate(
            { params: { tenantId }, body: bodyOf(draft, resource?.resourceId ?? null) },
            {
              onSuccess: onClose,
              onError: (error) => {
                if (error instanceof ApiError) showServerFaults(form, error.fields);
              },
            },
          )
        }
      >
        <Text>{text('holds.placeHint')}</Text>
        <TextField name="name" label={text('common.name')} required />
        <TextAreaField name="reason" label={text('holds.reason')} required />
        <TextField name="from" label={text('holds.from')} hint={text('holds.periodHint')} type="date" />
        <TextField name="to" label={text('holds.to')} type="date" />
        <FormButtons isBusy={place.isPending} submit={text('holds.place')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
