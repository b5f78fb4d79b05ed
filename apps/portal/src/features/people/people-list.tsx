import { Avatar, makeStyles, tokens } from '@fluentui/react-components';
import { people } from '@holdfast/contract/people';
import type { Protectable } from '@holdfast/contract/people';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { PartMarks } from './part-marks.tsx';

const kinds = ['person', 'site', 'team', 'chat'] as const;
const states = ['protected', 'partly', 'unprotected', 'excluded'] as const;

const useStyles = makeStyles({ name: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS, minWidth: 0 } });

export interface PeopleListProps {
  readonly tenantId: string;
  readonly onOpen: (resourceId: string) => void;
}

/** Each person, site, team and chat once, with what of them is kept. */
export function PeopleList({ tenantId, onOpen }: PeopleListProps): ReactElement {
  const text = useText();
  const columns = useColumns();
  const yesNo = (yes: string, no: string): Filter['choices'] => [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  const filters: readonly Filter[] = [
    { id: 'kind', label: text('people.kind'), choices: kinds.map((value) => ({ value, label: text(`people.${value}`) })) },
    { id: 'state', label: text('people.state'), choices: states.map((value) => ({ value, label: text(`status.${value}`) })) },
    { id: 'left', label: text('people.left'), choices: yesNo(text('people.leftYes'), text('people.leftNo')) },
    { id: 'held', label: text('people.held'), choices: [{ value: 'true', label: text('people.heldYes') }] },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(people.list, { params: { tenantId }, query: { ...chosen, ...query } as never, quiet: true });
  return (
    <DataTable
      id="people"
      label={text('shell.people')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(row) => row.resourceId ?? `${row.kind} ${row.name} ${row.address}`}
      rowName={(row) => row.name}
      onOpen={(row) => {
        // Nothing was ever found of somebody without a mailbox and a OneDrive: there is no page to open.
        if (row.resourceId !== null) onOpen(row.resourceId);
      }}
      empty={<EmptyState text={text('people.empty')} action={<RouterLink to="/configuration">{text('people.emptyAction')}</RouterLink>} />}
    />
  );
}

function NameOf({ row }: { readonly row: Protectable }): ReactElement {
  const styles = useStyles();
  const isPerson = row.kind === 'person';
  return (
    <span className={styles.name}>
      <Avatar size={24} name={row.name} color="colorful" shape={isPerson ? 'circular' : 'square'} aria-hidden />
      {row.name}
    </span>
  );
}

function useColumns(): readonly Column<Protectable>[] {
  const text = useText();
  const format = useFormat();
  const gone = ({ deletedAt }: Protectable): string =>
    deletedAt === null ? '' : text('people.deletedOn', { date: format.date(deletedAt) });
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 240, value: (row) => row.name, render: (row) => <NameOf row={row} /> },
    {
      id: 'address',
      title: text('jobs.address'),
      width: 260,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    { id: 'kind', title: text('people.kind'), value: (row) => text(`people.${row.kind}`), render: (row) => text(`people.${row.kind}`) },
    {
      id: 'parts',
      title: text('people.kept'),
      value: (row) => row.parts.map((part) => `${text(`common.${part.workload}`)}: ${text(`status.${part.state}`)}`).join(', '),
      render: (row) => <PartMarks parts={row.parts} />,
    },
    {
      id: 'state',
      title: text('people.state'),
      width: 160,
      value: (row) => [text(`status.${row.state}`), gone(row)].filter((part) => part !== '').join(', '),
      render: (row) => <StatusBadge status={row.state} detail={gone(row) || undefined} />,
    },
    {
      id: 'newest',
      title: text('people.newest'),
      sort: 'newestPointAt',
      width: 160,
      value: (row) => format.iso(row.newestPointAt),
      render: (row) => <Moment at={row.newestPointAt} />,
    },
    {
      id: 'bytes',
      title: text('people.size'),
      sort: 'bytes',
      isNumber: true,
      value: (row) => row.bytes,
      render: (row) => <Size bytes={row.bytes} />,
    },
    {
      id: 'held',
      title: text('people.held'),
      isExtra: true,
      value: (row) => (row.isHeld ? text('people.heldYes') : ''),
      render: (row) => (row.isHeld ? <StatusBadge status="onHold" /> : '–'),
    },
  ];
}
