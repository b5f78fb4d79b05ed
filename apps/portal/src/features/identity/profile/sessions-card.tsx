import { Badge, Button, Card, Subtitle2 } from '@fluentui/react-components';
import { accounts } from '@holdfast/contract/identity';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../../api/portal-context.ts';
import { read, useChange } from '../../../api/queries.ts';
import { useFormat, useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../../ui/data-table/data-table.tsx';
import type { Column } from '../../../ui/data-table/types.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Row } from '../../../ui/layout.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { deviceName } from './device-name.ts';

type SessionRow = ResponseOf<typeof accounts.sessions>['items'][number];

/** Where one is signed in, each with its end; and everywhere at once. */
export function SessionsCard(): ReactElement {
  const text = useText();
  const portal = usePortal();
  const [asked, setAsked] = useState<SessionRow | 'all' | null>(null);
  const sessions = useQuery(read(accounts.sessions, { quiet: true }));
  const end = useChange(accounts.endSession, { success: 'successes.sessionEnded' });
  const endOthers = useChange(accounts.endOtherSessions, { endsSession: true });
  const columns = useColumns(setAsked);
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.sessions')}</Subtitle2>
      <DataTable
        id="sessions"
        label={text('profile.sessions')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'list', rows: sessions.data?.items, error: sessions.error, retry: () => void sessions.refetch() }}
        rowKey={(row) => row.sessionId}
        rowName={(row) => deviceName(row.userAgent)}
        empty={<EmptyState text={text('common.none')} />}
      />
      <Row>
        <Button onClick={() => setAsked('all')}>{text('profile.endAll')}</Button>
      </Row>
      {asked !== null && (
        <ConfirmDialog
          title={text(asked === 'all' ? 'confirmations.endAllTitle' : 'confirmations.endSessionTitle')}
          text={text(asked === 'all' ? 'confirmations.endAllText' : 'confirmations.endSessionText')}
          button={text('confirmations.endButton')}
          destructive
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            // The other devices first; then this one as any sign-out is, which the other tabs of this browser hear of.
            if (asked === 'all') endOthers.mutate({}, { onSuccess: () => void portal.signOut.begin('everywhere') });
            else end.mutate({ params: { sessionId: asked.sessionId } });
          }}
        />
      )}
    </Card>
  );
}

function useColumns(onAsk: (row: SessionRow) => void): readonly Column<SessionRow>[] {
  const text = useText();
  const format = useFormat();
  const { actions } = useColumnKinds<SessionRow>();
  return [
    {
      id: 'device',
      title: text('profile.device'),
      width: 320,
      value: (row) => deviceName(row.userAgent),
      render: (row) => (
        <>
          <span title={row.userAgent}>{deviceName(row.userAgent)}</span>{' '}
          {row.current && <Badge appearance="tint">{text('profile.thisDevice')}</Badge>}
        </>
      ),
    },
    { id: 'address', title: text('profile.address'), value: (row) => row.address, render: (row) => row.address },
    {
      id: 'factors',
      title: text('profile.factors'),
      value: (row) => text(`profile.${row.factors}`),
      render: (row) => text(`profile.${row.factors}`),
    },
    {
      id: 'createdAt',
      title: text('profile.signedInAt'),
      sort: 'createdAt',
      value: (row) => format.iso(row.createdAt),
      render: (row) => <Moment at={row.createdAt} />,
    },
    {
      id: 'lastActiveAt',
      title: text('profile.lastActive'),
      sort: 'lastActiveAt',
      value: (row) => format.iso(row.lastActiveAt),
      render: (row) => <Moment at={row.lastActiveAt} />,
    },
    actions((row) =>
      row.current ? null : (
        <Button size="small" onClick={() => onAsk(row)}>
          {text('profile.endSession')}
        </Button>
      ),
    ),
  ];
}
