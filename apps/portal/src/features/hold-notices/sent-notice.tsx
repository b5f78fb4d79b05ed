import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { HoldNotice, NoticeRecipient } from '@holdfast/contract/hold-notices';
import type { ReactElement } from 'react';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { NoticeMessage } from './notice-message.tsx';

const useStyles = makeStyles({ quiet: { color: tokens.colorNeutralForeground2 } });

/** A notice that was sent, and what each recipient has done with it. */
export function SentNotice({ notice }: { readonly notice: HoldNotice }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { recipients, remindDays } = notice;
  const acknowledged = recipients.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length;
  const reminders = remindDays === null ? text('holdNotices.never') : text('holdNotices.every', { count: remindDays });
  return (
    <Stack>
      <Text weight="semibold">{notice.subject}</Text>
      <Text className={styles.quiet}>
        {text('holdNotices.sentBy', { sender: notice.sender, at: format.dateTime(notice.createdAt) })} · {reminders}
      </Text>
      <NoticeMessage message={notice.message} />
      <Text>{text('holdNotices.acknowledgedOf', { acknowledged: format.count(acknowledged), count: recipients.length })}</Text>
      <DataTable
        id="hold-notice-recipients"
        prefix={`n-${notice.noticeId}-`}
        label={`${text('holdNotices.recipients')}: ${notice.subject}`}
        columns={useColumns()}
        source={{ kind: 'list', rows: recipients }}
        rowKey={(row) => row.recipientId}
        rowName={nameOf}
        empty={<EmptyState text={text('kit.noMatches')} />}
      />
    </Stack>
  );
}

const nameOf = (row: NoticeRecipient): string => (row.name === '' ? row.address : nameWithAddress(row));

function useColumns(): readonly Column<NoticeRecipient>[] {
  const text = useText();
  const format = useFormat();
  const { words, count, moment } = useColumnKinds<NoticeRecipient>();
  const mail = (row: NoticeRecipient): string => text(`holdNotices.mails.${row.mail}`, { at: format.dateTime(row.sentAt) });
  return [
    words({ id: 'person', title: text('holdNotices.person'), sort: 'person', width: 240 }, nameOf),
    {
      id: 'acknowledgedAt',
      title: text('holdNotices.acknowledged'),
      sort: 'acknowledgedAt',
      width: 160,
      value: (row) => format.iso(row.acknowledgedAt),
      // A record says the day and the hour, not how long ago.
      render: (row) => (row.acknowledgedAt === null ? text('holdNotices.notYet') : format.dateTime(row.acknowledgedAt)),
    },
    words({ id: 'mail', title: text('holdNotices.mail'), width: 240 }, mail),
    count({ id: 'reminders', title: text('holdNotices.reminders'), width: 130 }, (row) => row.reminders),
    moment({ id: 'nextReminderAt', title: text('holdNotices.nextReminder'), width: 160 }, (row) => row.nextReminderAt),
  ];
}
