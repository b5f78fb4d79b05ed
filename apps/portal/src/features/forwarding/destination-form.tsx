import { destinationBody, destinationKinds, feeds, forwarding, messageForms, syslogPort } from '@holdfast/contract/forwarding';
import type { Destination, DestinationBody, DestinationDraft } from '@holdfast/contract/forwarding';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField, RadioField, SelectField, SwitchField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';

export interface DestinationFormProps {
  readonly query: { readonly organisationId?: string };
  /** The destination to change; null for a new one. */
  readonly destination: Destination | null;
  /** The secret of a new webhook, which no later answer contains. */
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

const start = {
  kind: 'syslog',
  name: '',
  feed: 'everything',
  isEnabled: true,
  fromStart: false,
  host: '',
  port: syslogPort,
  form: 'events',
  ca: '',
} as const;

function valuesOf({ kind, name, feed, isEnabled, host, port, url, form, ca }: Destination): DestinationDraft {
  const shared = { name, feed, isEnabled };
  if (kind === 'syslog') return { kind, ...shared, host: host ?? '', port: port ?? syslogPort, ca };
  return kind === 'webhook' ? { kind, ...shared, url: url ?? '', form: form ?? 'events', ca } : { kind, ...shared };
}

/** Adds a destination, or changes one. What kind it is stays. */
export function DestinationForm({ query, destination, onSecret, onClose }: DestinationFormProps): ReactElement {
  const text = useText();
  const create = useChange(forwarding.create, { success: 'successes.destinationAdded' });
  const change = useChange(forwarding.change, { success: 'successes.destinationChanged' });
  const form = useSchemaForm(destinationBody, destination === null ? start : valuesOf(destination));
  const kind = useWatch({ control: form.control, name: 'kind' });
  const onError = showFaultsIn(form);
  const handleCreated = ({ secret }: { readonly secret: string | null }): void => {
    if (secret !== null) onSecret(secret);
    onClose();
  };
  const handleSubmit = (body: DestinationBody): void => {
    if (destination === null) create.mutate({ query, body }, { onSuccess: handleCreated, onError });
    else change.mutate({ params: { destinationId: destination.destinationId }, query, body }, { onSuccess: onClose, onError });
  };
  const title = destination === null ? text('forwarding.create') : destination.name;
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form form={form} label={title} onSubmit={handleSubmit}>
        {destination === null && (
          <RadioField
            name="kind"
            label={text('forwarding.kind')}
            choices={destinationKinds.map((value) => ({
              value,
              label: text(`forwarding.kinds.${value}`),
              hint: text(`forwarding.kindHints.${value}`),
            }))}
          />
        )}
        <TextField name="name" label={text('common.name')} required />
        <ReceiverFields kind={kind} />
        <SelectField
          name="feed"
          label={text('forwarding.feed')}
          hint={text('forwarding.feedHint')}
          choices={feeds.map((value) => ({ value, label: text(`forwarding.feeds.${value}`) }))}
        />
        {destination === null ? (
          <CheckField name="fromStart" label={text('forwarding.fromStart')} />
        ) : (
          <SwitchField name="isEnabled" label={text('forwarding.isEnabled')} />
        )}
        <FormButtons
          isBusy={create.isPending || change.isPending}
          submit={destination === null ? text('forwarding.create') : text('common.save')}
          onClose={onClose}
        />
      </Form>
    </DetailDrawer>
  );
}

function ReceiverFields({ kind }: { readonly kind: Destination['kind'] }): ReactElement | null {
  const text = useText();
  if (kind === 'file') return null;
  return (
    <>
      {kind === 'syslog' ? (
        <>
          <TextField name="host" label={text('forwarding.host')} required />
          <TextField name="port" label={text('forwarding.port')} type="number" />
        </>
      ) : (
        <>
          <TextField name="url" label={text('forwarding.url')} hint={text('forwarding.urlHint')} required />
          <SelectField
            name="form"
            label={text('forwarding.form')}
            hint={text('forwarding.formHint')}
            choices={messageForms.map((value) => ({ value, label: text(`forwarding.forms.${value}`) }))}
          />
        </>
      )}
      <TextAreaField name="ca" label={text('forwarding.ca')} hint={text('forwarding.caHint')} />
    </>
  );
}
