import { Subtitle2 } from '@fluentui/react-components';
import { dashboard, teamActivityQuery, unusedFor } from '@holdfast/contract/dashboard';
import type { TeamActivity, UnusedFor } from '@holdfast/contract/dashboard';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { restoreLink } from '../restore/index.ts';

export const unusedNames: Readonly<Record<UnusedFor, PhraseKey>> = {
  days30: 'dashboard.unused30',
  weeks8: 'dashboard.unused8',
  months6: 'dashboard.unused6',
};

/** The teams that are held, with their last posts; the filter shows those that nobody uses. */
export function TeamList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayBrowse = useMay('content.browse');
  const columns: readonly Column<TeamActivity>[] = [
    {
      id: 'name',
      title: text('common.name'),
      sort: 'name',
      width: 240,
      value: (row) => row.name,
      render: (row) => (mayBrowse ? <RouterLink to={restoreLink(row)}>{row.name}</RouterLink> : row.name),
    },
    {
      id: 'address',
      title: text('jobs.address'),
      width: 280,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    {
      id: 'lastActivityAt',
      title: text('dashboard.lastPost'),
      sort: 'lastActivityAt',
      width: 160,
      value: (row) => (row.lastActivityAt === null ? text('dashboard.neverPosted') : format.iso(row.lastActivityAt)),
      render: (row) => (row.lastActivityAt === null ? text('dashboard.neverPosted') : <Moment at={row.lastActivityAt} />),
    },
  ];
  const unused: Filter = {
    id: 'unused',
    label: text('dashboard.unusedFor'),
    choices: unusedFor.map((value) => ({ value, label: text(unusedNames[value]) })),
  };
  const page = ({ filters, ...query }: PageQuery) =>
    read(dashboard.teamActivity, { params: { tenantId }, query: teamActivityQuery.parse({ ...filters, ...query }), quiet: true });
  return (
    <Stack>
      <Subtitle2 as="h2">{text('dashboard.teams')}</Subtitle2>
      <DataTable
        id="teams"
        label={text('dashboard.teams')}
        columns={columns}
        filters={[unused]}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.resourceId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('dashboard.noTeams')} />}
      />
    </Stack>
  );
}
