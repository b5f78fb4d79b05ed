import { Field, Input } from '@fluentui/react-components';
import { audit, auditOutcomes } from '@holdfast/contract/audit';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { read } from '../../api/queries.ts';
import { useNamedText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer, NothingThere } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { AuditCommands } from './audit-commands.tsx';
import { useEventDetails } from './event-details.ts';
import { periodOf } from './period.ts';
import type { DayRange } from './period.ts';

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
  const detail = useDetail('/configuration/audit-log');
  const [range, setDay] = useRange();
  const columns = useColumns();
  const filters: readonly Filter[] = [
    { id: 'outcome', label: text('audit.outcome'), choices: auditOutcomes.map((value) => ({ value, label: text(`audit.${value}`) })) },
  ];
  const period = periodOf(range);
  const event = useEventOfLink();
  const eventText = useNamedText('auditEvents');
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(audit.list, { params: { tenantId }, query: { ...period, ...event, ...chosen, ...query } as never, quiet: true });
  return (
    <>
      <AuditCommands tenantId={tenantId} period={period} />
      <Row>
        <Field label={text('audit.from')}>
          <Input type="date" value={range.from} onChange={(_event, { value }) => setDay('from', value)} />
        </Field>
        <Field label={text('audit.to')}>
          <Input type="date" value={range.to} onChange={(_event, { value }) => setDay('to', value)} />
        </Field>
      </Row>
      {event.event !== undefined && <NarrowedByLink text={text('audit.onlyEvent', { event: eventText(event.event) })} names={['event']} />}
      <DataTable
        id="audit"
        label={text('shell.auditLog')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(event) => String(event.sequence)}
        rowName={(event) => event.event}
        onOpen={(event) => detail.view(String(event.sequence))}
        empty={<EmptyState text={text('audit.empty')} />}
      />
      {detail.id !== null && <OpenEvent tenantId={tenantId} sequence={detail.id} onClose={detail.close} />}
    </>
  );
}

const eventName = /^[a-z-]+\.[a-z-]+$/i;

/** The one event that a link asks for: reports lead to those that they count. */
function useEventOfLink(): { readonly event?: string } {
  const [params] = useSearchParams();
  const event = params.get('event') ?? '';
  return eventName.test(event) ? { event } : {};
}

const dayText = /^\d{4}-\d{2}-\d{2}$/;

/** The days in the address, so that what was found can be shared; another day begins at the first page again. */
function useRange(): readonly [DayRange, (name: keyof DayRange, day: string) => void] {
  const [params, setParams] = useSearchParams();
  const dayOf = (name: keyof DayRange): string => {
    const day = params.get(name) ?? '';
    return dayText.test(day) && !Number.isNaN(Date.parse(day)) ? day : '';
  };
  const setDay = (name: keyof DayRange, day: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('after');
        if (day === '') next.delete(name);
        else next.set(name, day);
        return next;
      },
      { replace: true },
    );
  return [{ from: dayOf('from'), to: dayOf('to') }, setDay];
}

interface OpenEventProps {
  readonly tenantId: string;
  readonly sequence: string;
  readonly onClose: () => void;
}

/** The event of a number, whatever the list shows. */
function OpenEvent({ tenantId, sequence, onClose }: OpenEventProps): ReactElement {
  const text = useText();
  const eventText = useNamedText('auditEvents');
  const number = Number(sequence);
  const isNumber = Number.isSafeInteger(number) && number > 0;
  const found = useQuery({
    ...read(audit.list, { params: { tenantId }, query: { sequence: number, limit: 1 }, quiet: true }),
    enabled: isNumber,
  });
  const event = found.data?.items[0];
  if (!isNumber || (found.isSuccess && event === undefined)) return <NothingThere onClose={onClose} />;
  return (
    <DetailDrawer title={event === undefined ? text('audit.event') : eventText(event.event)} onClose={onClose}>
      {event !== undefined && <EventFacts event={event} />}
      {event === undefined && found.isError && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <LoadingShape rows={6} />}
    </DetailDrawer>
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
      value: (row) => eventText(row.event),
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

function EventFacts({ event }: { readonly event: Event }): ReactElement {
  const text = useText();
  const kindText = useNamedText('audit.subjects');
  const detailsOf = useEventDetails();
  const format = useFormat();
  const { subjectKind, subjectName, subjectId } = event;
  return (
    <Facts
      items={[
        [text('audit.event'), event.event],
        [text('audit.sequence'), format.count(event.sequence)],
        [text('audit.at'), format.dateTime(event.at)],
        [text('audit.actor'), event.actor],
        [text('audit.outcome'), text(`audit.${event.outcome}`)],
        [text('audit.subject'), `${subjectKind === null ? '' : kindText(subjectKind)} ${subjectName ?? subjectId ?? '–'}`.trim()],
        [text('audit.address'), event.address ?? '–'],
        [text('audit.reason'), event.reason ?? '–'],
        [text('audit.requestId'), event.requestId ?? '–'],
        [text('audit.leafHash'), event.leafHash],
        ...detailsOf(event.details),
      ]}
    />
  );
}
