import { monitoring, problemsQuery } from '@holdfast/contract/monitoring';
import type { RunProblem } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

const outcomeNames: Readonly<Record<RunProblem['outcome'], PhraseKey>> = {
  recorded: 'monitoring.recorded',
  excluded: 'monitoring.excludedOutcome',
  gone: 'monitoring.gone',
};

const OF_POINTS: readonly string[] = ['vault.points-lost', 'vault.points-pruned'];

/** What could not be read, item by item: where, why, what was tried, what to do. The export is the log. */
export function RunProblems({ tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const format = useFormat();
  /** A restore point is named by its moment. */
  const pathOf = ({ code, path }: RunProblem): string =>
    OF_POINTS.includes(code) && !path.startsWith('#') ? text('monitoring.pointOf', { date: format.dateTime(path) }) : path;
  const columns: readonly Column<RunProblem>[] = [
    { id: 'path', title: text('monitoring.path'), sort: 'path', width: 280, value: pathOf, render: pathOf },
    { id: 'account', title: text('monitoring.account'), value: (row) => row.accountName, render: (row) => row.accountName },
    {
      id: 'outcome',
      title: text('monitoring.outcome'),
      value: (row) => text(outcomeNames[row.outcome]),
      render: (row) => text(outcomeNames[row.outcome]),
    },
    {
      id: 'cause',
      title: text('monitoring.cause'),
      sort: 'code',
      width: 240,
      value: (row) => `${codeText(row.code)} (${row.code})`,
      render: (row) => codeText(row.code),
    },
    {
      id: 'tried',
      title: text('monitoring.tried'),
      value: (row) => row.tried.map(codeText).join('; '),
      render: (row) => row.tried.map(codeText).join('; ') || '–',
    },
    {
      id: 'advice',
      title: text('monitoring.advice'),
      width: 260,
      value: (row) => codeText(row.advice),
      render: (row) => codeText(row.advice),
    },
  ];
  const filters: readonly Filter[] = [
    {
      id: 'outcome',
      label: text('monitoring.outcome'),
      choices: (['recorded', 'excluded', 'gone'] as const).map((value) => ({ value, label: text(outcomeNames[value]) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(monitoring.problems, {
      params: { tenantId, reportId },
      query: problemsQuery.parse({ ...chosen, ...query }),
      quiet: true,
      background: true,
    });
  return (
    <DataTable
      id="run-problems"
      prefix="p-"
      label={text('monitoring.problems')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(row) => `${row.accountId ?? row.accountName} ${row.path} ${row.code}`}
      rowName={(row) => row.path}
      empty={<EmptyState text={text('monitoring.noProblems')} />}
    />
  );
}
