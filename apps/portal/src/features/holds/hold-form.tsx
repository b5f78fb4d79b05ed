import { Text } from '@fluentui/react-components';
import { holds } from '@holdfast/contract/holds';
import type { HeldItem } from '@holdfast/contract/holds';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { bodyOf, holdDraft, holdPeriodDraft } from './hold-draft.ts';
import { useHoldWords } from './hold-words.ts';

export interface HoldFormProps {
  readonly tenantId: string;
  /** What is put on hold; null for a period of everything, and for what a search finds. */
  readonly resource: { readonly resourceId: string; readonly name: string } | null;
  /** The files and folders of the resource that are put on hold; everything of it when absent. */
  readonly items?: readonly HeldItem[];
  /** The saved search whose hits are put on hold. */
  readonly search?: { readonly searchId: string; readonly name: string };
  readonly onClose: () => void;
}

const start = { name: '', reason: '', from: '', to: '' };

/** What a hold is to be on, and how the form says it. */
function useTarget({ resource, items = [], search }: HoldFormProps) {
  const text = useText();
  const words = useHoldWords();
  const nothing = { resourceId: null, items: [], searchId: null };
  if (search) {
    const title = text('holds.placeTitle', { name: search.name });
    return { title, hint: text('holds.placeSearchHint'), hasPeriod: false, on: { ...nothing, searchId: search.searchId } };
  }
  if (resource === null) return { title: text('holds.placePeriod'), hint: text('holds.placeHint'), hasPeriod: true, on: nothing };
  const { resourceId, name } = resource;
  if (items.length === 0) {
    const title = text('holds.placeTitle', { name });
    return { title, hint: text('holds.placeHint'), hasPeriod: true, on: { ...nothing, resourceId } };
  }
  const title = text('holds.placeTitle', { name: words.items(items) });
  const keys = items.map(({ nodeId }) => nodeId);
  return { title, hint: text('holds.placeItemsHint'), hasPeriod: false, on: { ...nothing, resourceId, items: keys } };
}

/** Places a hold, with a name and a reason. */
export function HoldForm(props: HoldFormProps): ReactElement {
  const { tenantId, onClose } = props;
  const text = useText();
  const place = useChange(holds.place, { success: 'successes.holdPlaced' });
  const { title, hint, hasPeriod, on } = useTarget(props);
  const isPeriodAlone = on.resourceId === null && on.searchId === null;
  const form = useSchemaForm(isPeriodAlone ? holdPeriodDraft : holdDraft, start);
  const onError = showFaultsIn(form);
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(draft) => place.mutate({ params: { tenantId }, body: bodyOf(draft, on) }, { onSuccess: onClose, onError })}
      >
        <Text>{hint}</Text>
        <TextField name="name" label={text('common.name')} required />
        <TextAreaField name="reason" label={text('holds.reason')} required />
        {hasPeriod && (
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
