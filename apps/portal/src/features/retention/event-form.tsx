import { Text } from '@fluentui/react-components';
import type { HeldItem } from '@holdfast/contract/holds';
import { retention, retentionEventBody } from '@holdfast/contract/retention';
import type { RetentionEventBody } from '@holdfast/contract/retention';
import { retentionEventKinds } from '@holdfast/contract/retention-terms';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { useHoldWords } from '../holds/index.ts';

/** A site or drive, or files and folders of it. */
export interface RetainedPlace {
  readonly resource: { readonly resourceId: string; readonly name: string };
  /** Everything of it when empty. */
  readonly items: readonly HeldItem[];
}

export interface EventFormProps {
  readonly tenantId: string;
  /** What the event is about; null for a mailbox, which the form asks for. */
  readonly place: RetainedPlace | null;
  /** What it is and when it was, where that is known. */
  readonly known?: { readonly kind: RetentionEventBody['kind']; readonly date: string | null } | undefined;
  readonly onClose: () => void;
}

/** The form as it begins. */
function eventOf({ place, known }: Pick<EventFormProps, 'place' | 'known'>): RetentionEventBody {
  return {
    kind: known?.kind ?? (place === null ? 'leftCompany' : 'caseClosed'),
    subject: place?.resource.resourceId ?? '',
    items: place?.items.map(({ nodeId }) => nodeId) ?? [],
    description: '',
    date: known?.date ?? '',
  };
}

/** Records an event with its description and date. */
export function EventForm({ tenantId, place, known, onClose }: EventFormProps): ReactElement {
  const text = useText();
  const words = useHoldWords();
  const name = place === null || place.items.length === 0 ? (place?.resource.name ?? '') : words.items(place.items);
  const title = place === null ? text('retention.record') : text('retention.eventTitle', { name });
  const record = useChange(retention.recordEvent, { success: 'successes.retentionEventRecorded' });
  const form = useSchemaForm(retentionEventBody, eventOf({ place, known }));
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) =>
          record.mutate(
            { params: { tenantId }, body },
            {
              onSuccess: onClose,
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <SelectField
          name="kind"
          label={text('retention.eventKind')}
          choices={retentionEventKinds.map((value) => ({ value, label: text(`retention.eventKinds.${value}`) }))}
        />
        {place === null ? (
          <TextField name="subject" label={text('retention.subject')} hint={text('retention.subjectHint')} required />
        ) : (
          <Text>{text('retention.eventHint')}</Text>
        )}
        <TextAreaField name="description" label={text('retention.description')} required />
        <TextField name="date" label={text('retention.date')} type="date" required />
        <FormButtons isBusy={record.isPending} submit={text('retention.record')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
