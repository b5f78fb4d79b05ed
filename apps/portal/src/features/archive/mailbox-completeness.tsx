import { MessageBar, MessageBarBody, Subtitle2, Text } from '@fluentui/react-components';
import { ArrowSyncRegular } from '@fluentui/react-icons';
import type { ArchivedMailboxDetails } from '@holdfast/contract/archive';
import { archiveCompleteness, type ArchivedDay, type MissingMessage } from '@holdfast/contract/archive-completeness';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LongCode } from '../../ui/long-code.tsx';
import { Moment } from '../../ui/moment.tsx';

interface Props {
  readonly tenantId: string;
  readonly mailbox: Pick<ArchivedMailboxDetails, 'mailboxId' | 'missing' | 'unmatched' | 'comparedAt'>;
}

/** Whether archive, backups, journal and index have the same messages of the mailbox, day by day, and what one of them does not have. */
export function MailboxCompleteness({ tenantId, mailbox }: Props): ReactElement {
  const text = useText();
  const { comparedAt } = mailbox;
  return (
    <Stack>
      <Row spread>
        <Subtitle2 as="h3">{text('archive.completeness')}</Subtitle2>
        <CompareNow tenantId={tenantId} mailboxId={mailbox.mailboxId} />
      </Row>
      {comparedAt === null ? <Text>{text('archive.notCompared')}</Text> : <Verdict mailbox={mailbox} comparedAt={comparedAt} />}
      {comparedAt !== null && <Missing tenantId={tenantId} mailboxId={mailbox.mailboxId} />}
      {comparedAt !== null && <Days tenantId={tenantId} mailboxId={mailbox.mailboxId} comparedAt={comparedAt} />}
    </Stack>
  );
}

interface Named {
  readonly tenantId: string;
  readonly mailboxId: string;
}

function CompareNow({ tenantId, mailboxId }: Named): ReactElement | null {
  const text = useText();
  const mayCompare = useMay('jobs.run');
  const compare = useChange(archiveCompleteness.compare, { success: 'successes.archiveCompared', failure: 'failures.compareArchive' });
  if (!mayCompare) return null;
  return (
    <CommandBar
      commands={[
        {
          id: 'compare',
          label: text('archive.compareNow'),
          icon: <ArrowSyncRegular />,
          run: () => compare.mutate({ params: { tenantId, mailboxId } }),
          isDisabled: compare.isPending,
        },
      ]}
    />
  );
}

function Verdict({ mailbox, comparedAt }: Pick<Props, 'mailbox'> & { readonly comparedAt: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const missing = mailbox.missing ?? 0;
  const unmatched = mailbox.unmatched ?? 0;
  return (
    <>
      {missing > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('archive.someMissing', { count: missing, shown: format.count(missing) })}</MessageBarBody>
        </MessageBar>
      )}
      {unmatched > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('archive.someUnmatched', { count: unmatched, shown: format.count(unmatched) })}</MessageBarBody>
        </MessageBar>
      )}
      <Text>
        {missing === 0 && <>{text('archive.noneMissing')} </>}
        {text('archive.comparedAt')} <Moment at={comparedAt} />
      </Text>
    </>
  );
}

function Days({ tenantId, mailboxId, comparedAt }: Named & { readonly comparedAt: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { words, count } = useColumnKinds<ArchivedDay>();
  const dayOf = ({ date }: ArchivedDay): string => (date === null ? text('archive.noDate') : format.day(date));
  const columns: readonly Column<ArchivedDay>[] = [
    words({ id: 'date', title: text('archive.day'), sort: 'date', width: 130 }, dayOf),
    count({ id: 'inBackups', title: text('archive.inBackups'), width: 110 }, (row) => row.inBackups),
    count({ id: 'archived', title: text('archive.inArchive'), width: 100 }, (row) => row.archived),
    count({ id: 'missing', title: text('archive.missing'), width: 80 }, (row) => row.missing),
    count({ id: 'waiting', title: text('archive.waiting'), width: 90 }, (row) => row.waiting),
    count({ id: 'withoutOriginal', title: text('archive.withoutOriginal'), width: 130 }, (row) => row.withoutOriginal),
    count({ id: 'erased', title: text('archive.erased'), width: 80 }, (row) => row.erased),
    count({ id: 'journaled', title: text('archive.journaled'), isExtra: true }, (row) => row.journaled),
    count({ id: 'notJournaled', title: text('archive.notJournaled'), isExtra: true }, (row) => row.notJournaled),
    count({ id: 'notCaptured', title: text('archive.notCaptured'), isExtra: true }, (row) => row.notCaptured),
    count({ id: 'notSearchable', title: text('archive.notSearchable'), isExtra: true }, (row) => row.notSearchable),
  ];
  const page = ({ filters, cursor, limit, sort }: PageQuery) =>
    read(archiveCompleteness.days, {
      params: { tenantId, mailboxId },
      query: {
        ...filters,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(sort === undefined ? {} : { sort }),
      } as QueryFor<typeof archiveCompleteness.days>,
      quiet: true,
    });
  return (
    <DataTable
      key={comparedAt}
      id="archived-days"
      prefix="d-"
      label={text('archive.days')}
      columns={columns}
      filters={[{ id: 'incomplete', label: text('archive.days'), choices: [{ value: 'true', label: text('archive.daysWithGaps') }] }]}
      isSearchable={false}
      source={{ kind: 'pages', page }}
      rowKey={(row) => row.date ?? ''}
      rowName={dayOf}
      empty={<EmptyState text={text('archive.noDay')} />}
    />
  );
}

/** At most so many are named here; the figures of the days count them all. */
const NAMED = 20;

function Missing({ tenantId, mailboxId }: Named): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { data } = useQuery(read(archiveCompleteness.missing, { params: { tenantId, mailboxId }, query: { limit: NAMED }, quiet: true }));
  if (data === undefined || data.total === 0) return null;
  const when = ({ receivedAt }: MissingMessage): string => (receivedAt === null ? text('archive.noDate') : format.dateTime(receivedAt));
  return (
    <Stack>
      <Subtitle2 as="h3">{text('archive.gaps', { count: data.total, shown: format.count(data.total) })}</Subtitle2>
      <ul aria-label={text('archive.gapList')}>
        {data.items.map((message) => (
          <li key={`${message.messageKey} ${message.reason}`}>
            <Text weight="semibold">{when(message)}</Text> {text(`archive.gapReasons.${message.reason}`)}{' '}
            <LongCode>{message.messageKey}</LongCode>
          </li>
        ))}
      </ul>
      {data.total > data.items.length && <Text>{text('archive.moreGaps', { shown: format.count(data.total - data.items.length) })}</Text>}
    </Stack>
  );
}
