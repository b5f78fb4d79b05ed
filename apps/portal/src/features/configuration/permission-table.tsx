import type { ConnectionReport } from '@holdfast/contract/tenants';
import type { ReactElement } from 'react';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

type Permission = ConnectionReport['permissions'][number];

const groupNames: Readonly<Record<Permission['group'], PhraseKey>> = {
  application: 'configuration.application',
  delegated: 'configuration.delegated',
  accessReview: 'configuration.accessReview',
  domain: 'configuration.domain',
  group: 'configuration.group',
  member: 'configuration.member',
  people: 'configuration.people',
  presence: 'configuration.presence',
  reports: 'configuration.reports',
  user: 'configuration.user',
  directoryRead: 'configuration.directoryRead',
  files: 'configuration.files',
  sites: 'configuration.sites',
  teamwork: 'configuration.teamwork',
  mail: 'configuration.mail',
};
const purposeNames: Readonly<Record<NonNullable<Permission['purpose']>, PhraseKey>> = {
  backup: 'configuration.purposeBackup',
  restore: 'configuration.purposeRestore',
  discovery: 'configuration.purposeDiscovery',
  reports: 'configuration.purposeReports',
};
const stateNames: Readonly<Record<Permission['state'], PhraseKey>> = {
  granted: 'status.granted',
  scoped: 'configuration.scoped',
  unproven: 'configuration.unproven',
  missing: 'status.missing',
  unneeded: 'configuration.notNeeded',
};

/** Every permission of the app registration with its state and what needs it. */
export function PermissionTable({ permissions }: { readonly permissions: readonly Permission[] }): ReactElement {
  const text = useText();
  const purposeOf = ({ purpose }: Permission): string => (purpose === null ? '–' : text(purposeNames[purpose]));
  const workloadsOf = (row: Permission): string => row.workloads.map((workload) => text(`common.${workload}`)).join(', ') || '–';
  const columns: readonly Column<Permission>[] = [
    {
      id: 'permission',
      title: text('configuration.permission'),
      sort: 'permission',
      width: 260,
      value: (row) => row.permission,
      render: (row) => row.permission,
    },
    {
      id: 'group',
      title: text('configuration.group'),
      sort: 'group',
      value: (row) => text(groupNames[row.group]),
      render: (row) => text(groupNames[row.group]),
    },
    {
      id: 'kind',
      title: text('common.type'),
      sort: 'kind',
      value: (row) => text(`configuration.${row.kind}`),
      render: (row) => text(`configuration.${row.kind}`),
    },
    {
      id: 'purpose',
      title: text('configuration.purpose'),
      value: purposeOf,
      render: purposeOf,
    },
    { id: 'workloads', title: text('common.workload'), value: workloadsOf, render: workloadsOf },
    {
      id: 'state',
      title: text('configuration.state'),
      sort: 'state',
      value: (row) => text(stateNames[row.state]),
      render: ({ state }) => (state === 'granted' || state === 'missing' ? <StatusBadge status={state} /> : text(stateNames[state])),
    },
  ];
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('configuration.state'),
      choices: (['granted', 'scoped', 'unproven', 'missing', 'unneeded'] as const).map((value) => ({
        value,
        label: text(stateNames[value]),
      })),
    },
  ];
  return (
    <DataTable
      id="permissions"
      label={text('configuration.permissions')}
      columns={columns}
      filters={filters}
      source={{ kind: 'list', rows: permissions }}
      rowKey={(row) => `${row.permission} ${row.kind} ${row.purpose}`}
      rowName={(row) => row.permission}
      empty={<EmptyState text={text('configuration.noTest')} />}
    />
  );
}
