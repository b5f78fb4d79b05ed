import { Button, Card, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle, Subtitle2, Text } from '@fluentui/react-components';
import { workers } from '@holdfast/contract/workers';
import type { JoinTokenEntry } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { LongCode } from '../../ui/long-code.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';

type Query = { readonly organisationId?: string };

/** How another worker joins: a token that is shown once, used once, and can be revoked until then. */
export function JoinTokens({ query }: { readonly query: Query }): ReactElement {
  const text = useText();
  const [made, setMade] = useState<string | null>(null);
  const [asked, setAsked] = useState<JoinTokenEntry | null>(null);
  const list = useQuery(read(workers.joinTokens, { query, quiet: true }));
  const make = useChange(workers.createJoinToken);
  const revoke = useChange(workers.revokeJoinToken, { success: 'successes.joinTokenRevoked' });
  const columns = useColumns(setAsked);
  return (
    <Card>
      <Subtitle2 as="h2">{text('workers.joinTokens')}</Subtitle2>
      <Text>{text('workers.joinLead')}</Text>
      <Row>
        <Button disabledFocusable={make.isPending} onClick={() => make.mutate({ query }, { onSuccess: ({ token }) => setMade(token) })}>
          {text('workers.makeToken')}
        </Button>
      </Row>
      {made !== null && <MadeToken token={made} onDone={() => setMade(null)} />}
      <DataTable
        id="join-tokens"
        prefix="t-"
        label={text('workers.joinTokens')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(entry) => entry.joinTokenId}
        rowName={(entry) => entry.createdBy}
        empty={<EmptyState text={text('workers.noTokens')} />}
      />
      {asked !== null && (
        <ConfirmDialog
          title={text('confirmations.revokeTokenTitle')}
          text={text('confirmations.revokeTokenText')}
          button={text('workers.revoke')}
          destructive
          busy={revoke.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() =>
            revoke.mutate(
              { params: { joinTokenId: asked.joinTokenId } },
              { onSettled: () => setAsked(null), onSuccess: () => setMade(null) },
            )
          }
        />
      )}
    </Card>
  );
}

/** Shown once: only its hash is kept. */
function MadeToken({ token, onDone }: { readonly token: string; readonly onDone: () => void }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const handleCopy = async (): Promise<void> => {
    if (await copyText(token)) toasts.show('success', text('successes.copied'));
  };
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{text('workers.tokenOnce')}</MessageBarTitle>
        {text('workers.tokenUse')} <LongCode>{token}</LongCode>
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => void handleCopy()}>{text('common.copy')}</Button>
        <Button onClick={onDone}>{text('workers.tokenKept')}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

function useColumns(onRevoke: (entry: JoinTokenEntry) => void): readonly Column<JoinTokenEntry>[] {
  const text = useText();
  const format = useFormat();
  const { actions } = useColumnKinds<JoinTokenEntry>();
  return [
    { id: 'createdBy', title: text('workers.madeBy'), width: 260, value: (row) => row.createdBy, render: (row) => row.createdBy || '–' },
    {
      id: 'createdAt',
      title: text('workers.madeAt'),
      value: (row) => format.iso(row.createdAt),
      render: (row) => <Moment at={row.createdAt} />,
    },
    {
      id: 'expiresAt',
      title: text('workers.goodUntil'),
      value: (row) => format.iso(row.expiresAt),
      render: (row) => format.dateTime(row.expiresAt),
    },
    actions((row) => (
      <Button size="small" onClick={() => onRevoke(row)}>
        {text('workers.revoke')}
      </Button>
    )),
  ];
}
