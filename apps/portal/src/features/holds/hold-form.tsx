import { Text } from '@fluentui/react-components';
import { holds } from '@holdfast/contract/holds';
import type { HeldItem } from '@holdfast/contract/holds';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { bodyOf, holdDraft, holdPeriodDraft } from './hold-draft.ts';
import { useHoldWords } from './hold-words.ts';

export interface HoldFormProps {
  readonly tenantId: string;
  /** What is put on hold; null for a period of everything. */
  readonly resource: { readonly resourceId: string; readonly name: string } | null;
  /** The files and folders of the resource that are put on hold; everything of it when absent. */
  readonly items?: readonly HeldItem[];
  readonly onClose: () => void;
}

const start = { name: '', reason: '', from: '', to: '' };

/** Places a hold, with a name and a reason. */
export function HoldForm({ tenantId, resource, items = [], onClose }: HoldFormProps): ReactElement {
  const text = useText();
  const words = useHoldWords();
  const place = useChange(holds.place, { success: 'successes.holdPlaced' });
  const form = useSchemaForm(resource === null ? holdPeriodDraft : holdDraft, start);
  const name = items.length === 0 ? (resource?.name ?? '') : words.items(items);
  const title = resource === null ? text('holds.placePeriod') : text('holds.placeTitle', { name });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(draft) =>
          place.mutate(
            {
              params: { tenantId },
              body: bodyOf(
                draft,
                resource?.resourceId ?? null,
                items.map(({ nodeId }) => nodeId),
              ),
            },
            {
              onSuccess: onClose,
              onError: (error) => {
                if (error instanceof ApiError) showServerFaults(form, error.fields);
              },
            },
          )
        }
      >
        <Text>{text(items.length === 0 ? 'holds.placeHint' : 'holds.placeItemsHint')}</Text>
        <TextField name="name" label={text('common.name')} required />
        <TextAreaField name="reason" label={text('holds.reason')} required />
        {items.length === 0 && (
          <>
            <TextField name="from" label={text('holds.from')} hint={text('holds.periodHint')} type="date" />
            <TextField name="to" label={text('holds.to')} type="date" />
          </>
        )}
        <FormButtons isBusy={place.isPending} submit={text('holds.place')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
