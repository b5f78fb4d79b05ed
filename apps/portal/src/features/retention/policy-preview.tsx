import { MessageBar, MessageBarBody, Subtitle2 } from '@fluentui/react-components';
import type { Policy, PolicyPreview, PreviewMailbox } from '@holdfast/contract/retention';
import type { ReactElement } from 'react';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { useRetentionWords } from './retention-words.ts';

/** What a policy keeps and deletes, exactly: in sum, by the year of receipt and by mailbox. */
export function PreviewResult({ preview, about }: { readonly preview: PolicyPreview; readonly about: Policy['about'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useRetentionWords();
  const { years, shortened, due } = preview;
  const isOnFiles = about === 'files';
  const byPlace = text(isOnFiles ? 'retention.bySite' : 'retention.byMailbox');
  const messages = format.count(shortened.messages);
  return (
    <>
      {shortened.messages > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text(isOnFiles ? 'retention.versionsShortened' : 'retention.shortenedWarning', { messages })}</MessageBarBody>
        </MessageBar>
      )}
      {due.messages > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('retention.dueWarning', { messages: format.count(due.messages) })}</MessageBarBody>
        </MessageBar>
      )}
      <Facts items={words.summary(preview, about)} />
      {years.length > 0 && (
        <Chart
          title={text(isOnFiles ? 'retention.versionYears' : 'retention.years')}
          pointTitle={text('retention.year')}
          series={[
            { name: text(isOnFiles ? 'retention.versionsKept' : 'retention.kept'), colour: 'brand' },
            { name: text('retention.over'), colour: 'neutral' },
            ...(due.messages > 0 ? [{ name: text('retention.toDelete'), colour: 'warning' as const }] : []),
          ]}
          points={years.map(({ year, kept, over, due: first }) => ({
            label: String(year),
            // A message due for deletion is past its minimum as well; the chart counts it once.
            values:
              due.messages > 0
                ? [kept.messages, Math.max(0, over.messages - first.messages), first.messages]
                : [kept.messages, over.messages],
          }))}
          format={(value) => format.count(value)}
        />
      )}
      <Subtitle2 as="h3">{byPlace}</Subtitle2>
      <Mailboxes mailboxes={preview.mailboxes} label={byPlace} isOnFiles={isOnFiles} deletes={due.messages > 0} />
    </>
  );
}

interface MailboxesProps {
  readonly mailboxes: readonly PreviewMailbox[];
  readonly label: string;
  readonly isOnFiles: boolean;
  readonly deletes: boolean;
}

/** What is kept of each mailbox, or of each site and OneDrive. */
function Mailboxes({ mailboxes, label, isOnFiles, deletes }: MailboxesProps): ReactElement {
  const text = useText();
  const words = useRetentionWords();
  const kinds = useColumnKinds<PreviewMailbox>();
  const columns: readonly Column<PreviewMailbox>[] = [
    kinds.words(
      { id: 'name', title: text(isOnFiles ? 'retention.site' : 'retention.subject'), sort: 'name', width: 220 },
      ({ name, email }) => nameWithAddress({ name, address: email }),
    ),
    kinds.count(
      { id: 'messages', title: text(isOnFiles ? 'retention.versionsKept' : 'retention.kept'), sort: 'messages', width: 120 },
      ({ kept }) => kept.messages,
    ),
    kinds.size({ id: 'size', title: text('retention.keptSize'), sort: 'size', width: 110 }, ({ kept }) => kept.bytes),
    ...(deletes ? [kinds.count({ id: 'due', title: text('retention.toDelete'), sort: 'due', width: 120 }, ({ due }) => due.messages)] : []),
    kinds.words({ id: 'until', title: text('retention.keptUntil'), width: 150 }, words.until),
  ];
  return (
    <DataTable
      id="retention-preview"
      prefix="preview"
      label={label}
      columns={columns}
      source={{ kind: 'list', rows: mailboxes, error: null, retry: () => undefined }}
      rowKey={(row) => row.mailboxId}
      rowName={(row) => row.name}
      empty={<EmptyState text={text(isOnFiles ? 'retention.noSite' : 'retention.noMailbox')} />}
    />
  );
}
