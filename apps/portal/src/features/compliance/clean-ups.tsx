import { Button, Subtitle2, Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { CleanUpPlan } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange, useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const pollMs = 5_000;

function useColumns(tenantId: string): readonly Column<CleanUpPlan>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { words, size, moment } = useColumnKinds<CleanUpPlan>();
  const rule = ({ newest, days }: CleanUpPlan): string =>
    text('compliance.ruleOf', { newest: format.count(newest), days: format.count(days) });
  const progress = ({ read: done, versions }: CleanUpPlan): string =>
    text('compliance.readBackOf', { done: format.count(done), total: format.count(versions) });
  const gone = (row: CleanUpPlan): string => text('compliance.goneOf', { done: format.count(row.gone), total: format.count(row.versions) });
  return [
    moment({ id: 'queuedAt', title: text('compliance.date'), sort: 'queuedAt', width: 150 }, (row) => row.queuedAt),
    {
      id: 'status',
      title: text('common.status'),
      width: 180,
      value: (row) => text(`status.${row.status}`),
      render: (row) => <StatusBadge status={row.status} detail={row.code === null ? undefined : codeText(row.code)} />,
    },
    words({ id: 'rule', title: text('compliance.rule'), width: 240 }, rule),
    words({ id: 'read', title: text('compliance.readBack'), width: 170 }, progress),
    words({ id: 'gone', title: text('compliance.gone'), width: 150 }, gone),
    size({ id: 'bytes', title: text('compliance.freed'), width: 130 }, (row) => row.bytes),
    {
      id: 'script',
      title: text('compliance.script'),
      width: 190,
      value: () => '',
      render: (row) => (row.status === 'successful' && row.versions > 0 ? <Script tenantId={tenantId} plan={row} /> : '–'),
    },
  ];
}

function Script({ tenantId, plan }: { readonly tenantId: string; readonly plan: CleanUpPlan }): ReactElement {
  const text = useText();
  const download = useDownload(compliance.cleanUpScript);
  return (
    <Button
      size="small"
      aria-label={text('compliance.scriptOf', { number: plan.reportNumber })}
      disabledFocusable={download.isPending}
      onClick={() => download.mutate({ params: { tenantId, reportId: plan.reportId } })}
    >
      {text('compliance.downloadScript')}
    </Button>
  );
}

export interface CleanUpsProps {
  readonly tenantId: string;
  readonly rule: { readonly newest: number; readonly days: number; readonly siteId: string | null; readonly ownerId: string | null };
}

/** Plans a clean-up by the rule in sight, and lists earlier plans with their scripts. */
export function CleanUps({ tenantId, rule }: CleanUpsProps): ReactElement {
  const text = useText();
  const mayPlan = useMay('jobs.run');
  const columns = useColumns(tenantId);
  const plan = useChange(compliance.planCleanUp, { success: 'compliance.cleanUpStarted' });
  const page = ({ filters: _none, search: _search, ...query }: PageQuery) =>
    read(compliance.cleanUps, {
      params: { tenantId },
      query: query as QueryFor<typeof compliance.cleanUps>,
      quiet: true,
      background: true,
    });
  return (
    <Stack>
      <Subtitle2 as="h2">{text('compliance.cleanUps')}</Subtitle2>
      <Text>{text('compliance.cleanUpLead')}</Text>
      {mayPlan && (
        <Row>
          <Button disabledFocusable={plan.isPending} onClick={() => plan.mutate({ params: { tenantId }, body: rule })}>
            {text('compliance.planCleanUp')}
          </Button>
        </Row>
      )}
      <DataTable
        id="clean-ups"
        prefix="c-"
        label={text('compliance.cleanUps')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'pages', page, refetchMs: pollMs }}
        rowKey={(row) => row.reportId}
        rowName={(row) => text('compliance.scriptOf', { number: row.reportNumber })}
        empty={<EmptyState text={text('compliance.noCleanUps')} />}
      />
    </Stack>
  );
}
