import { Button, Text } from '@fluentui/react-components';
import { dispositions } from '@holdfast/contract/dispositions';
import type { Disposition } from '@holdfast/contract/dispositions';
import { retention } from '@holdfast/contract/retention';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { DispositionForm } from './disposition-form.tsx';

/** Digits of a hash in a table; exports have all of them. */
const SHOWN = 12;

interface DispositionListProps {
  readonly tenantId: string;
  /** Where a message is read. */
  readonly openingOf: (message: Disposition) => { readonly to: string; readonly state: unknown };
}

interface Deciding {
  readonly policyId: string;
  readonly messages: readonly Disposition[];
  readonly clear: () => void;
}

/** Messages that wait for reviewers, and the way to decide about one or many. */
export function DispositionList({ tenantId, openingOf }: DispositionListProps): ReactElement {
  const text = useText();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const policies = useQuery(read(retention.list, { params: { tenantId }, quiet: true }));
  const asking = (policies.data?.items ?? []).filter(
    ({ stages, status }) => stages.length > 0 && (status === 'active' || status === 'ending'),
  );
  const filters: readonly Filter[] = [
    {
      id: 'policyId',
      label: text('retention.putInto'),
      choices: asking.map(({ policyId, name }) => ({ value: policyId, label: name })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(dispositions.list, {
      params: { tenantId },
      query: { ...query, ...chosen } as QueryFor<typeof dispositions.list>,
      quiet: true,
    });
  const commands = (messages: readonly Disposition[], clear: () => void): ReactElement => {
    const [policyId, ...others] = new Set(messages.map((row) => row.policyId));
    if (policyId === undefined || others.length > 0) return <Text>{text('retention.reviewsMixed')}</Text>;
    return (
      <Button appearance="primary" onClick={() => setDeciding({ policyId, messages, clear })}>
        {text('retention.decide')}
      </Button>
    );
  };
  return (
    <>
      <DataTable
        id="dispositions"
        prefix="reviews"
        label={text('archive.reviewsTab')}
        columns={useColumns(openingOf)}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.policyId} ${row.mailboxId} ${row.messageId}`}
        rowName={(row) => row.messageId}
        selectionCommands={commands}
        empty={<EmptyState text={text('retention.reviewsEmpty')} />}
      />
      {deciding !== null && (
        <DispositionForm
          tenantId={tenantId}
          policyId={deciding.policyId}
          messages={deciding.messages}
          onDecided={() => {
            deciding.clear();
            setDeciding(null);
          }}
          onClose={() => setDeciding(null)}
        />
      )}
    </>
  );
}

function useColumns(openingOf: DispositionListProps['openingOf']): readonly Column<Disposition>[] {
  const text = useText();
  const { words, size, moment } = useColumnKinds<Disposition>();
  return [
    {
      id: 'messageId',
      title: text('retention.reviewMessage'),
      width: 150,
      value: (row) => row.messageId,
      render: (row) => <RouterLink {...openingOf(row)}>{`${row.messageId.slice(0, SHOWN)}…`}</RouterLink>,
    },
    words({ id: 'mailbox', title: text('retention.reviewMailbox'), width: 180 }, (row) => row.mailboxName),
    words({ id: 'policy', title: text('retention.putInto'), width: 180 }, (row) => row.policyName),
    words({ id: 'stage', title: text('retention.reviewStage'), width: 90 }, ({ stage, stages }) =>
      text('retention.stageOf', { stage, stages }),
    ),
    words({ id: 'reviewers', title: text('retention.reviewWho'), width: 220 }, (row) => row.reviewers.join(', ')),
    words({ id: 'before', title: text('retention.reviewBefore'), width: 220 }, (row) =>
      row.before.map(({ by, reason }) => text('retention.reviewBeforeOf', { by, reason })).join('; '),
    ),
    moment({ id: 'since', title: text('retention.reviewSince'), sort: 'since', width: 160 }, (row) => row.since),
    moment({ id: 'receivedAt', title: text('retention.reviewReceived'), width: 160 }, (row) => row.receivedAt),
    size({ id: 'size', title: text('deletions.size'), width: 100 }, (row) => row.sizeBytes),
  ];
}
