import { Field, Input } from '@fluentui/react-components';
import { audit, auditOutcomes } from '@holdfast/contract/audit';
import type { ResponseOf } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useNamedText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { WithTenant } from '../tenants/index.ts';
import { AuditCommands } from './audit-commands.tsx';
import { periodOf } from './period.ts';

type Event = ResponseOf<typeof audit.list>['items'][number];

/** `/configuration/audit-log` */
export default function AuditPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.auditLog')} lead={text('audit.lead')}>
      <WithTenant>{(tenant) => <AuditLog tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function AuditLog({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const [open, setOpen] = useState<Event | null>(null);
  const [range, setRange] = useState({ from: '', to: '' });
  const columns = useColumns();
  const filters: readonly Filter[] = [
    { id: 'outcome', label: text('audit.outcome'), choices: auditOutcomes.map((value) => ({ value, label: text(`audit.${value}`) })) },
  ];
  const period = periodOf(range);
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(audit.list, { params: { tenantId }, query: { ...period, ...chosen, ...query } as never, quiet: true });
  return (
    <>
      <AuditCommands tenantId={tenantId} period={period} />
      <Row>
        <Field label={text('audit.from')}>
          <Input type="date" value={range.from} onChange={(_event, { value }) => setRange({ ...range, from: value })} />
        </Field>
        <Field label={text('audit.to')}>
          <Input type="date" value={range.to} onChange={(_event, { value }) => setRange({ ...range, to: value })} />
        </Field>
      </Row>
      <DataTable
        id="audit"
        label={text('shell.auditLog')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(event) => String(event.sequence)}
        rowName={(event) => event.event}
        onOpen={setOpen}
        empty={<EmptyState text={text('audit.empty')} />}
      />
      {open !== null && <EventDetails event={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function useColumns(): readonly Column<Event>[] {
  const text = useText();
  const format = useFormat();
  const eventText = useNamedText('auditEvents');
  const subject = (row: Event): string => row.subjectName ?? row.subjectId ?? '–';
  return [
    {
      id: 'event',
      title: text('audit.event'),
      width: 220,
      value: (row) => row.event,
      render: (row) => eventText(row.event),
    },
    { id: 'at', title: text('audit.at'), width: 150, value: (row) => format.iso(row.at), render: (row) => <Moment at={row.at} /> },
    { id: 'actor', title: text('audit.actor'), width: 260, value: (row) => row.actor, render: (row) => row.actor },
    { id: 'subject', title: text('audit.subject'), width: 250, value: subject, render: subject },
    { id: 'address', title: text('audit.address'), value: (row) => row.address ?? '', render: (row) => row.address ?? '–' },
    {
      id: 'outcome',
      title: text('audit.outcome'),
      value: (row) => text(`audit.${row.outcome}`),
      render: (row) =>
        row.outcome === 'succeeded' ? text('audit.succeeded') : <StatusBadge status="failed" detail={text(`audit.${row.outcome}`)} />,
    },
    {
      id: 'sequence',
      title: text('audit.sequence'),
      sort: 'sequence',
      isNumber: true,
      value: (row) => row.sequence,
      render: (row) => format.count(row.sequence),
    },
  ];
}

function EventDetails({ event, onClose }: { readonly event: Event; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const eventText = useNamedText('auditEvents');
  const format = useFormat();
  return (
    <DetailDrawer title={eventText(event.event)} onClose={onClose}>
      <Facts
        items={[
          [text('audit.event'), event.event],
          [text('audit.sequence'), format.count(event.sequence)],
          [text('audit.at'), format.dateTime(event.at)],
          [text('audit.actor'), event.actor],
          [text('audit.outcome'), text(`audit.${event.outcome}`)],
          [text('audit.subject'), `${event.subjectKind ?? ''} ${event.subjectName ?? event.subjectId ?? '–'}`.trim()],
          [text('audit.address'), event.address ?? '–'],
          [text('audit.reason'), event.reason ?? '–'],
          [text('audit.requestId'), event.requestId ?? '–'],
          [text('audit.leafHash'), event.leafHash],
          ...Object.entries(event.details).map(([name, value]) => [name, String(value)] as const),
        ]}
      />
    </DetailDrawer>
  );
}
