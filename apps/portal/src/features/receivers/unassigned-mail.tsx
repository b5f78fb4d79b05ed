import { Button, Subtitle2, Text } from '@fluentui/react-components';
import { receivers } from '@holdfast/contract/receivers';
import type { Receiver, UnassignedMail as Unassigned } from '@holdfast/contract/receivers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SourcePicker } from '../jobs/index.ts';

interface UnassignedMailProps {
  readonly tenantId: string;
  readonly receiver: Receiver;
}

const draft = z.object({
  mailbox: z.array(z.object({ id: z.string(), name: z.string(), address: z.string() })).min(1, { error: 'validation.usersRequired' }),
});

/** Mail whose owner nobody knows, by address, and whose it is. */
export function UnassignedMail({ tenantId, receiver }: UnassignedMailProps): ReactElement | null {
  const text = useText();
  const { receiverId, unassigned } = receiver;
  const [chosen, setChosen] = useState<Unassigned | null>(null);
  const list = useQuery({
    ...read(receivers.unassigned, { params: { tenantId, receiverId }, quiet: true, background: true }),
    enabled: unassigned > 0,
  });
  if (unassigned === 0 || list.data === undefined) return null;
  return (
    <Stack>
      <Subtitle2 as="h3">{text('receivers.nobody')}</Subtitle2>
      <Text>{text('receivers.nobodyLead')}</Text>
      {list.data.items.map((mail) => (
        <Mail key={`${mail.address ?? ''} ${mail.broken ?? ''}`} mail={mail} onAssign={() => setChosen(mail)} />
      ))}
      {chosen !== null && (
        <Assignment
          key={chosen.address}
          tenantId={tenantId}
          receiver={receiver}
          mail={chosen}
          onClose={() => {
            setChosen(null);
            void list.refetch();
          }}
        />
      )}
    </Stack>
  );
}

function Mail({ mail, onAssign }: { readonly mail: Unassigned; readonly onAssign: () => void }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { address, messages, newestAt } = mail;
  return (
    <Row spread>
      <span>
        <Text weight="semibold">{address ?? text('receivers.brokenReports')}</Text>
        <br />
        <Text>{text('receivers.mail', { count: format.count(messages), date: format.dateTime(newestAt) })}</Text>
      </span>
      <Button size="small" onClick={onAssign}>
        {text('receivers.assign')}
      </Button>
    </Row>
  );
}

interface AssignmentProps extends UnassignedMailProps {
  readonly mail: Unassigned;
  readonly onClose: () => void;
}

function Assignment({ tenantId, receiver, mail, onClose }: AssignmentProps): ReactElement {
  const text = useText();
  const assign = useChange(receivers.assign, { success: 'successes.mailAssigned' });
  const form = useSchemaForm(draft, { mailbox: [] });
  const address = mail.address ?? text('receivers.brokenReports');
  const save = ({ mailbox }: z.output<typeof draft>): void => {
    const [one] = mailbox.slice(-1);
    if (one === undefined) return;
    assign.mutate(
      { params: { tenantId, receiverId: receiver.receiverId }, body: { address: mail.address, mailbox: one } },
      {
        onSuccess: onClose,
        onError: showFaultsIn(form),
      },
    );
  };
  return (
    <Form form={form} label={text('receivers.assignTitle', { address })} onSubmit={save}>
      <Text weight="semibold">{text('receivers.assignTitle', { address })}</Text>
      <SourcePicker
        name="mailbox"
        kind="users"
        tenantId={tenantId}
        locationId={receiver.locationId}
        label={text('receivers.assignTo')}
        isSingle
      />
      <FormButtons isBusy={assign.isPending} submit={text('receivers.assign')} onClose={onClose} />
    </Form>
  );
}
