import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { OwnerRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ReportChoice, useReportChoice } from './report-choices.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTop, topRows } from './report-top.tsx';
import { ReportTotals } from './report-totals.tsx';
import { SiteOwners } from './site-owners.tsx';

interface OwnersProps {
  readonly tenantId: string;
}

/** The subjects of the report, beginning with people who are gone from Microsoft 365 and still own files there. */
const subjects = ['', 'all', 'sites', 'allSites'] as const;
type Subject = (typeof subjects)[number];
const subjectNames: Readonly<Record<Subject, PhraseKey>> = {
  '': 'compliance.goneOwners',
  all: 'compliance.allOwners',
  sites: 'compliance.ownerlessSites',
  allSites: 'compliance.sitesByOwner',
};

/** Lists the owners of files, and the sites that nobody owns. */
export function OwnersReport({ tenantId }: OwnersProps): ReactElement {
  const text = useText();
  const [chosen, choose] = useReportChoice('owners');
  const subject = subjects.find((one) => one === chosen) ?? '';
  return (
    <Stack>
      <Row>
        <ReportChoice
          label={text('compliance.by')}
          value={subject}
          choices={subjects.map((value) => ({ value, label: text(subjectNames[value]) }))}
          onChange={choose}
        />
        <ScopeChoices tenantId={tenantId} />
      </Row>
      {subject === 'sites' || subject === 'allSites' ? (
        <SiteOwners key={subject} tenantId={tenantId} isOwnerless={subject === 'sites'} />
      ) : (
        <FileOwners tenantId={tenantId} who={subject} />
      )}
    </Stack>
  );
}

/** Lists the owners of files: people who have left, or everybody. */
function FileOwners({ tenantId, who }: OwnersProps & { readonly who: '' | 'all' }): ReactElement {
  const text = useText();
  const format = useFormat();
  const scope = useReportScope();
  const chosen = { ...scope, ...(who === 'all' ? {} : ({ gone: 'true' } as const)) };
  const sums = useQuery(
    read(compliance.owners, { params: { tenantId }, query: { ...chosen, limit: topRows, sort: '-bytes' }, quiet: true }),
  );
  const { words, count, size, moment } = useColumnKinds<OwnerRow>();
  const columns: readonly Column<OwnerRow>[] = [
    words({ id: 'name', title: text('compliance.fileOwner'), sort: 'name', width: 220 }, (row) => row.name),
    {
      id: 'address',
      title: text('jobs.address'),
      width: 260,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    moment({ id: 'goneSince', title: text('compliance.goneSince'), width: 190 }, (row) => row.goneSince),
    count({ id: 'sites', title: text('compliance.sites'), width: 190 }, (row) => row.sites),
    count({ id: 'files', title: text('compliance.files'), sort: 'files', width: 110 }, (row) => row.files),
    size({ id: 'bytes', title: text('compliance.size'), sort: 'bytes', width: 120 }, (row) => row.bytes),
  ];
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.owners, { params: { tenantId }, query: { ...query, ...chosen } as QueryFor<typeof compliance.owners>, quiet: true });
  return (
    <>
      <ReportTotals
        words={
          sums.data &&
          text(who === 'all' ? 'compliance.allOwnerTotals' : 'compliance.ownerTotals', {
            files: format.count(sums.data.totals.files),
            size: format.bytes(sums.data.totals.bytes),
          })
        }
      />
      <ReportTop
        title={text('compliance.topOwners')}
        bars={sums.data?.items.map((row) => ({
          id: row.ownerId,
          name: row.name,
          value: row.bytes,
          words: format.bytes(row.bytes),
        }))}
      />
      <DataTable
        id="file-owners"
        label={text('compliance.ownersTab')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.ownerId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text(who === 'all' ? 'compliance.noFileOwners' : 'compliance.noOwners')} />}
      />
    </>
  );
}
