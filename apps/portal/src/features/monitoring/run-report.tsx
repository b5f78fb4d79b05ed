import { makeStyles, tokens } from '@fluentui/react-components';
import { restore, restoreOutcomes, restoreReportQuery } from '@holdfast/contract/restore';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useDifferenceText } from './use-difference-text.ts';

type Line = ResponseOf<typeof restore.report>['items'][number];

const outcomeNames: Readonly<Record<Line['outcome'], PhraseKey>> = {
  restored: 'monitoring.restored',
  skipped: 'monitoring.skippedOutcome',
  renamed: 'monitoring.renamed',
  replaced: 'monitoring.replaced',
  removed: 'monitoring.removedOutcome',
  putBack: 'monitoring.putBack',
  failed: 'monitoring.failed',
  notPossible: 'monitoring.notPossible',
};

const useStyles = makeStyles({
  differences: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});

/** What differs between the original and the copy, each on a line of its own. */
function Differences({ texts }: { readonly texts: readonly string[] }): ReactElement {
  const styles = useStyles();
  if (texts.length <= 1) return <>{texts[0] ?? '–'}</>;
  return (
    <ul className={styles.differences}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** The report of a restore, item by item. */
export function RunReport({ tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const differenceText = useDifferenceText();
  const columns: readonly Column<Line>[] = [
    { id: 'path', title: text('monitoring.path'), sort: 'path', width: 320, value: (row) => row.path, render: (row) => row.path },
    { id: 'kind', title: text('monitoring.kind'), sort: 'kind', value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    {
      id: 'outcome',
      title: text('monitoring.outcome'),
      sort: 'outcome',
      value: (row) => text(outcomeNames[row.outcome]),
      render: (row) => text(outcomeNames[row.outcome]),
    },
    {
      id: 'cause',
      title: text('monitoring.cause'),
      sort: 'code',
      width: 280,
      value: (row) => codeText(row.code),
      render: (row) => codeText(row.code),
    },
    {
      id: 'differences',
      title: text('monitoring.differences'),
      width: 320,
      value: (row) => row.differences.map(differenceText).join('; '),
      render: (row) => <Differences texts={row.differences.map(differenceText)} />,
    },
  ];
  const filters: readonly Filter[] = [
    {
      id: 'outcome',
      label: text('monitoring.outcome'),
      choices: restoreOutcomes.map((value) => ({ value, label: text(outcomeNames[value]) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(restore.report, {
      params: { tenantId, reportId },
      query: restoreReportQuery.parse({ ...chosen, ...query }),
      quiet: true,
      background: true,
    });
  return (
    <DataTable
      id="restore-report"
      prefix="r-"
      label={text('monitoring.report')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page, refetchMs: 5_000 }}
      rowKey={(row) => row.itemId}
      rowName={(row) => row.path}
      empty={<EmptyState text={text('monitoring.noAccounts')} />}
    />
  );
}
