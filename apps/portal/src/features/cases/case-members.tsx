import { mayDo } from '@holdfast/contract/actions';
import type { CaseMember } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { members } from '@holdfast/contract/members';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useChosenWorker, useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { CommandBar, MoreCommands } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import type { CaseProps } from './case-props.ts';

const nameOf = ({ name, email }: CaseMember): string => (name === '' ? email : `${name} (${email})`);

/** Who sees a case besides the owners of the organisation. */
export function CaseMembers({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const mayManage = useMay('cases.manage') && of.status === 'open';
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<CaseMember | null>(null);
  const remove = useChange(cases.removeMember, { success: 'successes.caseSaved' });
  const columns = useColumns(mayManage && of.people.length > 1 ? setLeaving : undefined);
  return (
    <Stack>
      <CommandBar
        commands={mayManage ? [{ id: 'add', label: text('cases.addMember'), run: () => setAdding(true), isPrimary: true }] : []}
      />
      <DataTable
        id="case-members"
        prefix="members"
        label={text('cases.tabs.members')}
        columns={columns}
        source={{ kind: 'list', rows: of.people }}
        rowKey={(row) => row.userId}
        rowName={(row) => row.email}
        empty={<EmptyState text={text('cases.removeMemberText')} />}
      />
      {isAdding && <AddMember tenantId={tenantId} of={of} onClose={() => setAdding(false)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={text('cases.removeMember', { name: nameOf(leaving) })}
          text={text('cases.removeMemberText')}
          button={text('common.remove')}
          destructive
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate({ params: { tenantId, caseId: of.caseId, userId: leaving.userId } }, { onSettled: () => setLeaving(null) })
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </Stack>
  );
}

const draft = z.object({ userId: z.string().min(1, { error: 'validation.required' }) });

/** Offers the users whose role lets them work on cases. */
function AddMember({ tenantId, of, onClose }: CaseProps & { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const list = useQuery(read(members.list, { query, quiet: true }));
  const add = useChange(cases.addMember, { success: 'successes.caseSaved' });
  const form = useSchemaForm(draft, { userId: '' });
  const others = (list.data?.items ?? []).filter(
    ({ userId, role, status }) => status === 'active' && mayDo(role, 'cases.work') && of.people.every((one) => one.userId !== userId),
  );
  const title = text('cases.addMember');
  return (
    <DetailDrawer title={title} onClose={onClose}>
      {list.data !== undefined && others.length === 0 ? (
        <EmptyState text={text('cases.noOtherUsers')} />
      ) : (
        <Form
          form={form}
          label={title}
          onSubmit={(body) => add.mutate({ params: { tenantId, caseId: of.caseId }, body }, { onSuccess: onClose })}
        >
          <SelectField
            name="userId"
            label={text('cases.member')}
            choices={others.map(({ userId, email, role }) => ({ value: userId, label: `${email} · ${text(`roles.${role}`)}` }))}
            required
          />
          <FormButtons isBusy={add.isPending} submit={text('common.add')} onClose={onClose} />
        </Form>
      )}
    </DetailDrawer>
  );
}

function useColumns(onRemove: ((member: CaseMember) => void) | undefined): readonly Column<CaseMember>[] {
  const text = useText();
  const { words, actions } = useColumnKinds<CaseMember>();
  const columns: readonly Column<CaseMember>[] = [
    words({ id: 'member', title: text('cases.member'), sort: 'member', width: 320 }, nameOf),
    words({ id: 'role', title: text('members.role'), sort: 'role', width: 160 }, (row) => text(`roles.${row.role}`)),
  ];
  if (onRemove === undefined) return columns;
  const render = (row: CaseMember): ReactElement => (
    <MoreCommands
      label={`${text('common.actions')}: ${row.email}`}
      commands={[{ id: 'remove', label: text('common.remove'), run: () => onRemove(row) }]}
    />
  );
  return [...columns, actions(render, 90)];
}
