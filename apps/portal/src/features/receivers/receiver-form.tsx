import { receiverBody, receivers } from '@holdfast/contract/receivers';
import type { Receiver, ReceiverBody } from '@holdfast/contract/receivers';
import { takes } from '@holdfast/contract/locations';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField, SelectField, SwitchField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Split } from '../../ui/layout.tsx';
import { TagField } from '../../ui/tag-field.tsx';
import { useLocations } from '../tenants/index.ts';
import { z } from 'zod';

interface ReceiverFormProps {
  readonly tenantId: string;
  /** The receiver to change; null for a new one. */
  readonly receiver: Receiver | null;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const draft = z.intersection(receiverBody, z.object({ everyDay: z.boolean() }));

const fresh = {
  locationId: '',
  isEnabled: true,
  networks: [],
  maxMegabytes: 160,
  silenceMinutes: 60,
  businessDays: WORKDAYS,
  businessFrom: '08:00',
  businessTo: '18:00',
  everyDay: false,
};

function valuesOf(receiver: Receiver): z.input<typeof draft> {
  const { name, locationId, isEnabled, networks, maxMegabytes, silenceMinutes, businessDays, businessFrom, businessTo } = receiver;
  const hours = { businessDays, businessFrom, businessTo, everyDay: businessDays.length === EVERY_DAY.length };
  return { name, locationId, isEnabled, networks, maxMegabytes, silenceMinutes, ...hours };
}

/** Sets a receiver up, or changes its rules. */
export function ReceiverForm({ tenantId, receiver, onSaved, onClose }: ReceiverFormProps): ReactElement {
  const text = useText();
  const create = useChange(receivers.create, { success: 'successes.receiverSaved' });
  const change = useChange(receivers.change, { success: 'successes.receiverSaved' });
  const usable = (useLocations(tenantId).data?.items ?? []).filter(({ use }) => takes(use, 'archive'));
  const form = useSchemaForm(draft, receiver === null ? { ...fresh, name: text('receivers.open') } : valuesOf(receiver));
  const save = ({ everyDay, ...rules }: ReceiverBody & { everyDay: boolean }): void => {
    const body = { ...rules, businessDays: everyDay ? EVERY_DAY : WORKDAYS };
    const after = {
      onSuccess: onSaved,
      onError: showFaultsIn(form),
    };
    if (receiver === null) create.mutate({ params: { tenantId }, body }, after);
    else change.mutate({ params: { tenantId, receiverId: receiver.receiverId }, body }, after);
  };
  const title = receiver === null ? text('receivers.create') : text('common.save');
  return (
    <Form form={form} label={text('receivers.title')} onSubmit={save}>
      <TextField name="name" label={text('common.name')} required />
      {receiver === null && (
        <SelectField
          name="locationId"
          label={text('jobs.location')}
          choices={usable.map(({ locationId, name }) => ({ value: locationId, label: name }))}
          required
        />
      )}
      <TagField name="networks" label={text('receivers.networks')} hint={text('receivers.networksHint')} />
      <TextField name="maxMegabytes" label={text('receivers.maxMegabytes')} type="number" />
      <TextField name="silenceMinutes" label={text('receivers.silence')} hint={text('receivers.silenceHint')} type="number" />
      <Split even>
        <TextField name="businessFrom" label={text('receivers.from')} type="time" />
        <TextField name="businessTo" label={text('receivers.to')} type="time" />
      </Split>
      <CheckField name="everyDay" label={text('receivers.everyDay')} />
      {receiver !== null && <SwitchField name="isEnabled" label={text('receivers.enabled')} />}
      <FormButtons isBusy={create.isPending || change.isPending} submit={title} onClose={onClose} />
    </Form>
  );
}
