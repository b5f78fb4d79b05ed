import type { CaseEvent } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { printedReports } from '@holdfast/contract/printed-reports';
import { reviewStatuses } from '@holdfast/contract/review-values';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useNamedText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { CaseProps } from './case-props.ts';

/** What was done in a case, as sentences, the newest first. */
export function CaseLog({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const columns = useColumns();
  const page = ({ filters: _none, sort: _order, search: _words, ...query }: PageQuery) =>
    read(cases.log, { params: { tenantId, caseId: of.caseId }, query, quiet: true });
  const print = useDownload(printedReports.caseLog);
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const printing = {
    id: 'pdf',
    label: text('periodReports.casePdf'),
    run: () => print.mutate({ params: { tenantId, caseId: of.caseId }, query: { language } }),
  };
  return (
    <>
      <CommandBar commands={[printing]} />
      <DataTable
        id="case-log"
        prefix="log"
        label={text('cases.tabs.log')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={({ at, event, details }) => `${at} ${event} ${JSON.stringify(details)}`}
        rowName={({ event }) => event}
        empty={<EmptyState text={text('cases.noEvents')} />}
      />
    </>
  );
}

/** The sentence of each event. */
const sentences: ReadonlyMap<string, PhraseKey> = new Map([
  ['cases.opened', 'cases.log.opened'],
  ['cases.changed', 'cases.log.changed'],
  ['cases.closed', 'cases.log.closed'],
  ['cases.reopened', 'cases.log.reopened'],
  ['cases.member-added', 'cases.log.member-added'],
  ['cases.member-removed', 'cases.log.member-removed'],
  ['cases.custodians-added', 'cases.log.custodians-added'],
  ['cases.custodian-removed', 'cases.log.custodian-removed'],
  ['cases.files-added', 'cases.log.files-added'],
  ['cases.file-removed', 'cases.log.file-removed'],
  ['cases.held', 'cases.log.held'],
  ['cases.query-added', 'cases.log.query-added'],
  ['cases.query-changed', 'cases.log.query-changed'],
  ['cases.query-removed', 'cases.log.query-removed'],
  ['cases.searched', 'cases.log.searched'],
  ['cases.reported', 'cases.log.reported'],
  ['cases.review-made', 'cases.log.review-made'],
  ['cases.tag-added', 'cases.log.tag-added'],
  ['cases.tag-removed', 'cases.log.tag-removed'],
  ['cases.tagged', 'cases.log.tagged'],
  ['cases.untagged', 'cases.log.untagged'],
  ['cases.noted', 'cases.log.noted'],
  ['cases.note-removed', 'cases.log.note-removed'],
  ['cases.threads-sought', 'cases.log.threads-sought'],
  ['cases.review-listed', 'cases.log.review-listed'],
  ['cases.reviewed', 'cases.log.reviewed'],
  ['cases.exported', 'cases.log.exported'],
  ['cases.export-resumed', 'cases.log.export-resumed'],
  ['cases.export-cancelled', 'cases.log.export-cancelled'],
  ['cases.export-deleted', 'cases.log.export-deleted'],
  ['cases.export-downloaded', 'cases.log.export-downloaded'],
  ['holds.placed', 'cases.log.hold-placed'],
  ['holds.release-asked', 'cases.log.hold-release-asked'],
  ['approvals.requested', 'cases.log.approval-requested'],
  ['approvals.approved', 'cases.log.approval-approved'],
  ['approvals.refused', 'cases.log.approval-refused'],
  ['approvals.withdrawn', 'cases.log.approval-withdrawn'],
  ['approvals.delayed', 'cases.log.approval-delayed'],
  ['approvals.expired', 'cases.log.approval-expired'],
]);

function useSentence(): (event: CaseEvent) => string {
  const text = useText();
  const format = useFormat();
  const nameText = useNamedText('auditEvents');
  return ({ event, actor, subject, details }) => {
    const key = sentences.get(event);
    if (key === undefined) return `${actor}: ${nameText(event)}`;
    const words = Object.entries(details).map(([name, value]) => {
      const status = reviewStatuses.find((one) => event === 'cases.reviewed' && one === value);
      if (status !== undefined) return [name, text(`reviews.statuses.${status}`)];
      if (typeof value === 'number') return [name, format.count(value)];
      return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '–')];
    });
    return text(key, { ...(Object.fromEntries(words) as Record<string, string>), actor, subject: subject ?? '–' });
  };
}

function useColumns(): readonly Column<CaseEvent>[] {
  const text = useText();
  const { words, moment } = useColumnKinds<CaseEvent>();
  const sentence = useSentence();
  const told = (row: CaseEvent): string =>
    row.reason === null ? sentence(row) : `${sentence(row)} ${text('cases.because', { reason: row.reason })}`;
  return [
    moment({ id: 'at', title: text('audit.at'), width: 180 }, (row) => row.at),
    words({ id: 'what', title: text('cases.tabs.log'), width: 760 }, told),
  ];
}
