import { Button, makeStyles, Subtitle2, Text } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { archive } from '@holdfast/contract/archive';
import type { ArchivedMailboxDetails } from '@holdfast/contract/archive';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { searchReason } from '@holdfast/contract/search';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { BesideFields, Row, Split, Stack } from '../../ui/layout.tsx';
import { useTicked } from '../../ui/use-ticked.ts';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { wantedMessageOf, type WantedMessage } from './archive-addresses.ts';
import { MessageCommands } from './message-commands.tsx';
import { MessageList } from './message-list.tsx';
import { MessagePane } from './message-pane.tsx';
import { useMessages, type StartedLook } from './messages.queries.ts';

const useStyles = makeStyles({ folder: { flex: '1 1 200px' }, subject: { flex: '1 1 200px' }, reason: { flex: '2 1 240px' } });

export interface MailboxMessagesProps {
  readonly tenantId: string;
  readonly mailboxId: string;
}

/** The messages of one archived mailbox with a reading pane; shown once a reason was given, here or on the page that led here. */
export function MailboxMessages({ tenantId, mailboxId }: MailboxMessagesProps): ReactElement {
  const text = useText();
  const mailbox = useQuery(read(archive.mailbox, { params: { tenantId, mailboxId }, quiet: true }));
  const wanted = wantedMessageOf(useLocation().state);
  const reason = wanted?.reason ?? '';
  const [started, setStarted] = useState<StartedLook | null>(reason === '' ? null : { reason, folder: '', subject: '' });
  // The message that was led to is opened with the first look; other words ask for other messages.
  const [first, setFirst] = useState(started);
  const look = (asked: StartedLook): void => {
    if (first === null) setFirst(asked);
    setStarted(asked);
  };
  if (mailbox.isPending) return <LoadingShape rows={6} />;
  if (mailbox.isError) return <FailedState error={mailbox.error} onRetry={() => void mailbox.refetch()} />;
  return (
    <Stack loose>
      <Subtitle2 as="h2">{nameWithAddress({ name: mailbox.data.name, address: mailbox.data.email })}</Subtitle2>
      <LookForm mailbox={mailbox.data} reason={reason} onLook={look} />
      {started === null ? (
        <EmptyState text={text('archive.giveReason')} />
      ) : (
        <Found
          key={JSON.stringify(started)}
          tenantId={tenantId}
          mailboxId={mailboxId}
          started={started}
          opened={started === first && wanted !== null ? wanted.message : null}
        />
      )}
    </Stack>
  );
}

const lookSchema = z.object({
  reason: searchReason,
  folder: z.string(),
  subject: z.string().trim().max(200),
});

/** Which messages, and why. */
function LookForm({
  mailbox,
  reason,
  onLook,
}: {
  readonly mailbox: ArchivedMailboxDetails;
  readonly reason: string;
  readonly onLook: (look: StartedLook) => void;
}): ReactElement {
  const text = useText();
  const styles = useStyles();
  const form = useSchemaForm(lookSchema, { reason, folder: '', subject: '' });
  const folders = mailbox.folders.map(({ path }) => ({ value: path, label: path }));
  return (
    <Form
      form={form}
      label={text('archive.showMessages')}
      isWide
      onSubmit={(values) => {
        form.reset(values);
        onLook(values);
      }}
    >
      <Row>
        <div className={styles.folder}>
          <SelectField
            name="folder"
            label={text('archive.folder')}
            choices={[{ value: '', label: text('archive.allFolders') }, ...folders]}
          />
        </div>
        <div className={styles.subject}>
          <TextField name="subject" label={text('archive.subjectWords')} />
        </div>
        <div className={styles.reason}>
          <TextField name="reason" label={text('archive.lookReason')} autoFocus={reason === ''} required />
        </div>
        <BesideFields>
          <Button type="submit" appearance="primary" icon={<SearchRegular />}>
            {text('archive.showMessages')}
          </Button>
        </BesideFields>
      </Row>
      <Text size={200}>{text('archive.lookHint')}</Text>
    </Form>
  );
}

interface FoundProps extends MailboxMessagesProps {
  readonly started: StartedLook;
  /** The message that is read at first. */
  readonly opened: WantedMessage['message'] | null;
}

function Found({ tenantId, mailboxId, started, opened }: FoundProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const [shown, setShown] = useState(opened);
  const chosen = useTicked();
  const mayRestore = useMay('restore.run');
  const messages = useMessages(tenantId, mailboxId, started);
  if (messages.isPending) return <LoadingShape rows={8} />;
  if (messages.isError)
    return <FailedState error={messages.error} title={text('failures.retrieve')} onRetry={() => void messages.refetch()} />;
  const rows = messages.data.pages.flatMap((page) => page.items);
  const total = messages.data.pages[0]?.total ?? rows.length;
  if (rows.length === 0) return <EmptyState text={text('archive.noMessage')} />;
  return (
    <Stack>
      <Text role="status">{text('archive.messagesFound', { count: total, shown: format.count(total) })}</Text>
      <MessageCommands
        tenantId={tenantId}
        mailboxId={mailboxId}
        locationId={rows[0]?.locationId ?? ''}
        started={started}
        total={total}
        chosen={chosen}
      />
      <Split>
        <MessageList
          rows={rows}
          total={total}
          shownId={shown?.messageId ?? null}
          {...(mayRestore ? { ticked: chosen } : {})}
          onChoose={setShown}
          onNearEnd={() => {
            if (messages.hasNextPage && !messages.isFetchingNextPage) void messages.fetchNextPage();
          }}
        />
        {shown === null ? (
          <EmptyState text={text('archive.chooseMessage')} />
        ) : (
          <MessagePane key={shown.messageId} tenantId={tenantId} message={shown} reason={started.reason} />
        )}
      </Split>
    </Stack>
  );
}
