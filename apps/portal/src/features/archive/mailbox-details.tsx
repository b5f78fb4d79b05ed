import { LockClosedRegular, MailRegular, SearchRegular } from '@fluentui/react-icons';
import { archive } from '@holdfast/contract/archive';
import type { ArchivedMailboxDetails } from '@holdfast/contract/archive';
import { placeQuery, searchAddress } from '@holdfast/contract/query/search-address';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import { CommandBar, type Command } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { HoldForm } from '../holds/index.ts';
import { messagesAddress } from './archive-addresses.ts';
import { MailboxCompleteness } from './mailbox-completeness.tsx';

export interface MailboxDetailsProps {
  readonly tenantId: string;
  readonly mailboxId: string;
  readonly onClose: () => void;
}

/** One archived mailbox: how much, from when to when, in which folders, and the ways into it. */
export function MailboxDetails({ tenantId, mailboxId, onClose }: MailboxDetailsProps): ReactElement {
  const text = useText();
  const mailbox = useQuery(read(archive.mailbox, { params: { tenantId, mailboxId }, quiet: true }));
  return (
    <DetailDrawer title={mailbox.data?.name ?? text('archive.mailbox')} isWide onClose={onClose}>
      {mailbox.isPending && <LoadingShape rows={6} />}
      {mailbox.isError && <FailedState error={mailbox.error} onRetry={() => void mailbox.refetch()} />}
      {mailbox.data !== undefined && <Known tenantId={tenantId} mailbox={mailbox.data} />}
    </DetailDrawer>
  );
}

interface KnownProps {
  readonly tenantId: string;
  readonly mailbox: ArchivedMailboxDetails;
}

function Known({ tenantId, mailbox }: KnownProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { coverage, coverageCode } = mailbox;
  const covered = text(`archive.coverages.${coverage}`);
  return (
    <>
      <Ways tenantId={tenantId} mailbox={mailbox} />
      <Facts
        items={[
          [text('common.email'), mailbox.email],
          [text('archive.size'), <Size key="size" bytes={mailbox.size} />],
          [text('archive.storedBytes'), <Size key="stored" bytes={mailbox.storedBytes} />],
          [text('dashboard.messages'), format.count(mailbox.messages)],
          [text('dashboard.attachments'), format.count(mailbox.attachments)],
          [text('archive.oldestAt'), <Moment key="oldest" at={mailbox.oldestAt} />],
          [text('archive.newestAt'), <Moment key="newest" at={mailbox.newestAt} />],
          [text('archive.lastCapturedAt'), <Moment key="captured" at={mailbox.lastCapturedAt} />],
          [text('archive.hold'), mailbox.isHeld ? text('archive.held') : '–'],
          [text('archive.missing'), format.count(mailbox.missing)],
          [text('archive.coverage'), coverageCode === null ? covered : `${covered}: ${codeText(coverageCode)}`],
        ]}
      />
      {mailbox.months.length > 0 && (
        <Chart
          title={text('archive.months')}
          pointTitle={text('archive.month')}
          series={[{ name: text('dashboard.messages'), colour: 'brand' }]}
          points={mailbox.months.map(({ month, messages }) => ({ label: format.month(month), values: [messages] }))}
          format={(value) => format.count(value)}
        />
      )}
      <Folders folders={mailbox.folders} />
      <MailboxCompleteness tenantId={tenantId} mailbox={mailbox} />
    </>
  );
}

/** What the reader can do with the mailbox; what the role does not allow is absent. */
function Ways({ tenantId, mailbox }: KnownProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const maySearch = useMay('search.run');
  const mayHold = useMay('deletion.manage');
  const [placing, setPlacing] = useState(false);
  const { mailboxId, name } = mailbox;
  const commands: readonly Command[] = [
    ...(maySearch
      ? [
          {
            id: 'messages',
            label: text('archive.showMessages'),
            icon: <MailRegular />,
            run: () => void navigate(messagesAddress(mailboxId)),
          },
          {
            id: 'search',
            label: text('archive.searchIn'),
            icon: <SearchRegular />,
            run: () => void navigate(searchAddress(placeQuery(mailbox.email, 'exchange'))),
            isPrimary: true,
          },
        ]
      : []),
    ...(mayHold ? [{ id: 'hold', label: text('holds.placeOn'), icon: <LockClosedRegular />, run: () => setPlacing(true) }] : []),
  ];
  return (
    <>
      <CommandBar commands={commands} />
      {placing && <HoldForm tenantId={tenantId} resource={{ resourceId: mailboxId, name }} onClose={() => setPlacing(false)} />}
    </>
  );
}

type Folder = ArchivedMailboxDetails['folders'][number];

function Folders({ folders }: { readonly folders: readonly Folder[] }): ReactElement {
  const text = useText();
  const { words, count, size } = useColumnKinds<Folder>();
  const columns = [
    words({ id: 'path', title: text('archive.folder'), width: 320 }, (row) => row.path),
    count({ id: 'messages', title: text('dashboard.messages') }, (row) => row.messages),
    count({ id: 'attachments', title: text('dashboard.attachments') }, (row) => row.attachments),
    size({ id: 'bytes', title: text('archive.size') }, (row) => row.bytes),
  ];
  return (
    <DataTable
      id="archived-folders"
      prefix="f-"
      label={text('archive.folders')}
      columns={columns}
      source={{ kind: 'list', rows: folders }}
      rowKey={(row) => row.path}
      rowName={(row) => row.path}
      empty={<EmptyState text={text('archive.noFolder')} />}
    />
  );
}
