import { ArrowDownloadRegular } from '@fluentui/react-icons';
import { archive, archiveCoverages } from '@holdfast/contract/archive';
import type { ArchivedMailbox } from '@holdfast/contract/archive';
import { unusedFor, type TopMailboxOrder } from '@holdfast/contract/dashboard';
import type { QueryFor } from '@holdfast/contract/route';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useParams } from 'react-router';
import { read, useDownload } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { RankedMailboxes, unusedNames } from '../dashboard/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { MailboxDetails } from './mailbox-details.tsx';
import { MailboxMessages } from './mailbox-messages.tsx';

const base = '/archive/mailboxes';

/** `/archive/mailboxes`: what the archive holds of each mailbox; `…/:mailboxId/messages`: the messages of one. */
export default function MailboxesPage(): ReactElement {
  const text = useText();
  const { '*': rest = '' } = useParams();
  const [mailboxId = '', below] = rest.split('/');
  if (below === 'messages') {
    return (
      <Page
        title={text('archive.messagesTitle')}
        lead={text('archive.messagesLead')}
        crumbs={[{ label: text('shell.mailboxes'), to: base }]}
      >
        <WithTenant>{({ tenantId }) => <MailboxMessages key={mailboxId} tenantId={tenantId} mailboxId={mailboxId} />}</WithTenant>
      </Page>
    );
  }
  return (
    <Page title={text('shell.mailboxes')} lead={text('archive.mailboxesLead')}>
      <WithTenant>{({ tenantId }) => <Mailboxes tenantId={tenantId} />}</WithTenant>
    </Page>
  );
}

function Mailboxes({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const csv = useDownload(archive.csv);
  const columns = useColumns();
  const filters = useFilters();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(archive.mailboxes, {
      params: { tenantId },
      query: { ...chosen, ...query } as QueryFor<typeof archive.mailboxes>,
      quiet: true,
    });
  return (
    <Stack loose>
      <CommandBar
        commands={[
          {
            id: 'csv',
            label: text('archive.downloadCsv'),
            icon: <ArrowDownloadRegular />,
            run: () => csv.mutate({ params: { tenantId } }),
            isDisabled: csv.isPending,
          },
        ]}
      />
      <TopArchived tenantId={tenantId} />
      <DataTable
        id="archived-mailboxes"
        label={text('shell.mailboxes')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.mailboxId}
        rowName={(row) => row.name}
        onOpen={(row) => detail.view(row.mailboxId)}
        empty={<EmptyState text={text('archive.noMailbox')} />}
      />
      {detail.mode === 'view' && detail.id !== null && <MailboxDetails tenantId={tenantId} mailboxId={detail.id} onClose={detail.close} />}
    </Stack>
  );
}

/** The ten with the most, by what the reader chooses. */
function TopArchived({ tenantId }: { readonly tenantId: string }): ReactElement | null {
  const [by, setBy] = useState<TopMailboxOrder>('size');
  const top = useQuery({
    ...read(archive.top, { params: { tenantId }, query: { by }, quiet: true }),
    placeholderData: keepPreviousData,
  });
  if (top.data === undefined || top.data.items.length === 0) return null;
  return (
    <RankedMailboxes
      by={by}
      onBy={setBy}
      empty="archive.noMailbox"
      mailboxes={top.data.items.map(({ mailboxId, name, size, ...counts }) => ({
        ...counts,
        id: mailboxId,
        bytes: size,
        way: <RouterLink to={`${base}/${mailboxId}`}>{name}</RouterLink>,
      }))}
    />
  );
}

function useColumns(): readonly Column<ArchivedMailbox>[] {
  const text = useText();
  const { words, count, size, moment } = useColumnKinds<ArchivedMailbox>();
  return [
    words({ id: 'name', title: text('common.name'), sort: 'name', width: 170 }, (row) => row.name),
    {
      id: 'email',
      title: text('common.email'),
      sort: 'email',
      width: 200,
      value: (row) => row.email,
      render: (row) => <Address value={row.email} />,
    },
    size({ id: 'size', title: text('archive.size'), sort: 'size', width: 95 }, (row) => row.size),
    count({ id: 'messages', title: text('dashboard.messages'), sort: 'messages', width: 110 }, (row) => row.messages),
    count({ id: 'attachments', title: text('dashboard.attachments'), sort: 'attachments', width: 150 }, (row) => row.attachments),
    moment({ id: 'oldestAt', title: text('archive.oldestAt'), sort: 'oldestAt', width: 120 }, (row) => row.oldestAt),
    moment({ id: 'newestAt', title: text('archive.newestAt'), sort: 'newestAt', width: 120 }, (row) => row.newestAt),
    words({ id: 'held', title: text('archive.hold'), width: 95 }, (row) => (row.isHeld ? text('archive.held') : '')),
    words({ id: 'coverage', title: text('archive.coverage'), width: 115 }, (row) => text(`archive.coverages.${row.coverage}`)),
    count({ id: 'missing', title: text('archive.missing'), isExtra: true }, (row) => row.missing),
    size({ id: 'storedBytes', title: text('archive.storedBytes'), sort: 'storedBytes', isExtra: true }, (row) => row.storedBytes),
    moment(
      { id: 'lastCapturedAt', title: text('archive.lastCapturedAt'), sort: 'lastCapturedAt', isExtra: true },
      (row) => row.lastCapturedAt,
    ),
  ];
}

function useFilters(): readonly Filter[] {
  const text = useText();
  return [
    { id: 'unused', label: text('dashboard.unusedFor'), choices: unusedFor.map((value) => ({ value, label: text(unusedNames[value]) })) },
    {
      id: 'coverage',
      label: text('archive.coverage'),
      choices: archiveCoverages.map((value) => ({ value, label: text(`archive.coverages.${value}`) })),
    },
    { id: 'held', label: text('archive.hold'), choices: [{ value: 'true', label: text('archive.held') }] },
  ];
}
