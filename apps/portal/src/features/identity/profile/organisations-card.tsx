import { Button, Card, Subtitle2 } from '@fluentui/react-components';
import type { accounts } from '@holdfast/contract/identity';
import { invitations } from '@holdfast/contract/invitations';
import type { ResponseOf } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChosenWorker, usePortal } from '../../../api/portal-context.ts';
import { useChange } from '../../../api/queries.ts';
import type { PhraseKey } from '../../../i18n/phrase-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../../ui/data-table/data-table.tsx';
import type { Column } from '../../../ui/data-table/types.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';

type Account = ResponseOf<typeof accounts.account>;
interface Belonging {
  readonly organisationId: string;
  readonly organisationName: string;
  /** The role, or the rule of the organisation that keeps the person out at the moment. */
  readonly standing: PhraseKey;
}

const closed = { network: 'members.withheldNetwork', 'second-factor': 'members.withheldFactor' } as const;

function belongingsOf({ memberships, withheld }: Account): readonly Belonging[] {
  return [
    ...memberships.map((own) => ({ ...own, standing: `roles.${own.role}` as const })),
    ...withheld.map((own) => ({ ...own, standing: closed[own.because] })),
  ];
}

/** The organisations one belongs to, each with a way out. */
export function OrganisationsCard({ account }: { readonly account: Account }): ReactElement {
  const text = useText();
  const portal = usePortal();
  const chosen = useChosenWorker();
  const [asked, setAsked] = useState<Belonging | null>(null);
  const leave = useChange(invitations.leave, { success: 'successes.organisationLeft' });
  const columns = useColumns(setAsked);
  const handleLeave = ({ organisationId }: Belonging): void =>
    leave.mutate(
      { params: { organisationId } },
      {
        onSettled: () => setAsked(null),
        onSuccess: () => {
          if (chosen?.clientId === organisationId) portal.chooseWorker(null);
        },
      },
    );
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.organisations')}</Subtitle2>
      <DataTable
        id="organisations"
        label={text('profile.organisations')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'list', rows: belongingsOf(account) }}
        rowKey={(row) => row.organisationId}
        rowName={(row) => row.organisationName}
        empty={<EmptyState text={text('common.none')} />}
      />
      {asked !== null && (
        <ConfirmDialog
          title={text('confirmations.leaveTitle', { name: asked.organisationName })}
          text={text('confirmations.leaveText')}
          button={text('confirmations.leaveButton')}
          destructive
          busy={leave.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => handleLeave(asked)}
        />
      )}
    </Card>
  );
}

function useColumns(onLeave: (row: Belonging) => void): readonly Column<Belonging>[] {
  const text = useText();
  const { actions } = useColumnKinds<Belonging>();
  return [
    { id: 'name', title: text('common.name'), value: (row) => row.organisationName, render: (row) => row.organisationName },
    {
      id: 'role',
      title: text('members.role'),
      value: (row) => text(row.standing),
      render: (row) => text(row.standing),
    },
    actions((row) => (
      <Button size="small" onClick={() => onLeave(row)}>
        {text('profile.leave')}
      </Button>
    )),
  ];
}
