import { Link, Text } from '@fluentui/react-components';
import type { CaseQuery } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar, MoreCommands } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { FirstStep } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ExportForm } from '../exports/index.ts';
import { CaseHits } from './case-hits.tsx';
import { CaseReportDrawer } from './case-report.tsx';
import { QueryForm } from './query-form.tsx';
import type { CaseProps } from './case-props.ts';
import { caseReasonOf } from './case-words.ts';

type Asked = { readonly verb: 'add' | 'report' } | { readonly verb: 'edit' | 'remove' | 'hits' | 'export'; readonly query: CaseQuery };

/** The queries of a case: what each finds among its custodians. */
export function CaseQueries({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayWork = useMay('cases.work') && of.status === 'open';
  const count = useChange(cases.countQuery);
  const params = { tenantId, caseId: of.caseId };
  const stop = (): void => setAsked(null);
  const add = (): void => setAsked({ verb: 'add' });
  const addCommand = { id: 'add', label: text('cases.addQuery'), run: add, isPrimary: true };
  const reportCommand = { id: 'report', label: text('cases.report'), run: () => setAsked({ verb: 'report' }) };
  const commandsOf = (query: CaseQuery): readonly Command[] => [
    { id: 'count', label: text('cases.count'), run: () => count.mutate({ params: { ...params, queryId: query.queryId } }) },
    { id: 'hits', label: text('cases.showHits'), run: () => setAsked({ verb: 'hits', query }) },
    { id: 'export', label: text('exports.exportQuery'), run: () => setAsked({ verb: 'export', query }) },
    { id: 'edit', label: text('common.edit'), run: () => setAsked({ verb: 'edit', query }) },
    { id: 'remove', label: text('common.delete'), run: () => setAsked({ verb: 'remove', query }) },
  ];
  const columns = useColumns(mayWork ? commandsOf : undefined);
  if (asked?.verb === 'hits')
    return (
      <Stack>
        <Link as="button" onClick={stop}>
          {text('cases.backToQueries')}
        </Link>
        <CaseHits tenantId={tenantId} of={of} query={asked.query} />
      </Stack>
    );
  return (
    <Stack>
      <Text>{text(of.custodians.length === 0 ? 'cases.noCustodiansYet' : 'cases.queriesLead')}</Text>
      <CommandBar commands={mayWork ? [addCommand, ...(of.queries.length === 0 ? [] : [reportCommand])] : []} />
      <DataTable
        id="case-queries"
        prefix="queries"
        label={text('cases.tabs.queries')}
        columns={columns}
        source={{ kind: 'list', rows: of.queries }}
        rowKey={(row) => row.queryId}
        rowName={(row) => row.name}
        {...(mayWork ? { onOpen: (query: CaseQuery) => setAsked({ verb: 'hits', query }) } : {})}
        empty={<FirstStep text={text('cases.noQueries')} label={text('cases.addQuery')} may={mayWork} onClick={add} />}
      />
      {asked !== null && <AskedForm tenantId={tenantId} of={of} asked={asked} onClose={stop} />}
    </Stack>
  );
}

function AskedForm({ asked, ...props }: CaseProps & { readonly asked: Asked; readonly onClose: () => void }): ReactElement | null {
  if (asked.verb === 'report') return <CaseReportDrawer {...props} />;
  if (asked.verb === 'add') return <QueryForm {...props} before={null} />;
  if (asked.verb === 'edit') return <QueryForm {...props} before={asked.query} />;
  if (asked.verb === 'export') return <ExportQuery {...props} query={asked.query} />;
  return asked.verb === 'remove' ? <RemoveQuery {...props} query={asked.query} /> : null;
}

function ExportQuery({
  tenantId,
  of,
  query,
  onClose,
}: CaseProps & { readonly query: CaseQuery; readonly onClose: () => void }): ReactElement {
  return (
    <ExportForm
      tenantId={tenantId}
      source={{ kind: 'case', caseId: of.caseId, queryId: query.queryId }}
      what={query.name}
      reason={caseReasonOf(of)}
      onClose={onClose}
    />
  );
}

function RemoveQuery({
  tenantId,
  of,
  query,
  onClose,
}: CaseProps & { readonly query: CaseQuery; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const remove = useChange(cases.removeQuery, { success: 'successes.caseSaved' });
  return (
    <ConfirmDialog
      title={text('cases.removeQuery', { name: query.name })}
      text={text('cases.removeQueryText')}
      button={text('common.delete')}
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { tenantId, caseId: of.caseId, queryId: query.queryId } }, { onSettled: onClose })}
      onClose={onClose}
    />
  );
}

function useColumns(commandsOf: ((query: CaseQuery) => readonly Command[]) | undefined): readonly Column<CaseQuery>[] {
  const text = useText();
  const format = useFormat();
  const { words, count, size, actions } = useColumnKinds<CaseQuery>();
  const counted = ({ countedAt }: CaseQuery): string =>
    countedAt === null ? text('cases.notCounted') : text('cases.counted', { date: format.dateTime(countedAt) });
  const columns: readonly Column<CaseQuery>[] = [
    words({ id: 'name', title: text('cases.queryName'), sort: 'name', width: 180 }, (row) => row.name),
    words({ id: 'query', title: text('cases.query'), width: 320 }, (row) => row.readAs),
    count({ id: 'hits', title: text('cases.hits'), width: 110 }, (row) => row.hits),
    size({ id: 'size', title: text('cases.size'), width: 110 }, (row) => row.bytes),
    words({ id: 'counted', title: text('common.status'), width: 220 }, counted),
  ];
  if (commandsOf === undefined) return columns;
  const render = (row: CaseQuery): ReactElement => (
    <MoreCommands label={`${text('common.actions')}: ${row.name}`} commands={commandsOf(row)} />
  );
  return [...columns, actions(render, 90)];
}
