import { Dropdown, Field, Option } from '@fluentui/react-components';
import { members } from '@holdfast/contract/members';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, useRolesToGive } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import type { InviteFormProps } from './invite-form.tsx';
import { invitationSuccess, type Member } from './member.ts';

export interface MemberDetailsProps extends InviteFormProps {
  readonly member: Member;
}

/** One member: role, state, invitation, devices, removal. */
export function MemberDetails(props: MemberDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { member, query, onClose } = props;
  const choices = useRolesToGive();
  const mayManage = useMay('members.manage') && choices.includes(member.role);
  const params = { userId: member.userId };
  const [asked, setAsked] = useState<Question | null>(null);
  const update = useChange(members.update, { success: 'successes.memberUpdated' });
  const remove = useChange(members.remove, { success: 'successes.memberRemoved' });
  const confirm = useChange(members.confirm, { success: 'successes.memberUpdated' });
  const commands = useCommands(props, setAsked);
  const approves = useApproves(member);
  return (
    <DetailDrawer title={member.email} onClose={onClose}>
      {mayManage && <CommandBar commands={commands} />}
      <Field label={text('members.role')}>
        <Dropdown
          value={text(`roles.${member.role}`)}
          selectedOptions={[member.role]}
          disabled={!mayManage || update.isPending}
          onOptionSelect={(_event, { optionValue }) => {
            const role = choices.find((one) => one === optionValue);
            if (role !== undefined && role !== member.role) update.mutate({ params, query, body: { role } });
          }}
        >
          {choices.map((role) => (
            <Option key={role} value={role}>
              {text(`roles.${role}`)}
            </Option>
          ))}
        </Dropdown>
      </Field>
      <Facts
        items={[
          [text('common.status'), text(`members.${member.status}`)],
          [text('common.name'), `${member.firstName} ${member.lastName}`.trim() || '–'],
          [text('members.phoneNumber'), member.phoneNumber || '–'],
          [text('members.twoFactor'), text(member.isTwoFactorEnabled ? 'members.on' : 'members.off')],
          [text('members.lastSignIn'), <Moment key="last" at={member.lastSignInAt} />],
          [text('members.expires'), format.dateTime(member.invitationExpiresAt)],
          [text('members.accessEnds'), format.dateTime(member.accessEndsAt)],
          [text('members.approves'), approves],
        ]}
      />
      {asked === 'confirm' && (
        <ConfirmDialog
          title={text('confirmations.confirmApproverTitle', { name: member.email })}
          text={text('confirmations.confirmApproverText')}
          button={text('members.confirm')}
          busy={confirm.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => confirm.mutate({ params, query }, { onSettled: () => setAsked(null) })}
        />
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={text('confirmations.removeMemberTitle', { name: member.email })}
          text={text('confirmations.removeMemberText')}
          button={text('confirmations.removeMemberButton')}
          destructive
          busy={remove.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => remove.mutate({ params, query }, { onSuccess: onClose, onError: () => setAsked(null) })}
        />
      )}
    </DetailDrawer>
  );
}

/** Whether somebody approves requests, from when, and whom that depends on. */
function useApproves({ approval }: Member): string {
  const text = useText();
  const format = useFormat();
  if (approval === null) return '–';
  const values = { at: format.dateTime(approval.until), people: approval.confirmers.join(', ') };
  if (approval.status === 'ready') return text('members.approvesReady');
  if (approval.status === 'unconfirmed') return text('members.approvesConfirmed', values);
  return text(approval.confirmers.length === 0 ? 'members.approvesFrom' : 'members.approvesFromConfirmed', values);
}

type Question = 'confirm' | 'remove';

function useCommands({ member, query, onLink, onClose }: MemberDetailsProps, ask: (what: Question) => void): readonly Command[] {
  const text = useText();
  const params = { userId: member.userId };
  const update = useChange(members.update, { success: 'successes.memberUpdated' });
  const resend = useChange(members.resendInvitation, { success: invitationSuccess });
  const withdraw = useChange(members.withdrawInvitation, { success: 'successes.memberRemoved' });
  const endSessions = useChange(members.endSessions, { success: 'successes.sessionEnded' });
  if (member.status === 'invited') {
    return [
      {
        id: 'resend',
        label: text('members.sendAgain'),
        isPrimary: true,
        run: () => resend.mutate({ params, query }, { onSuccess: ({ link }) => onLink(link) }),
      },
      { id: 'withdraw', label: text('members.withdraw'), run: () => withdraw.mutate({ params, query }, { onSuccess: onClose }) },
    ];
  }
  const isDisabled = member.status === 'disabled';
  const confirm: Command = { id: 'confirm', label: text('members.confirm'), isPrimary: true, run: () => ask('confirm') };
  return [
    ...(member.approval?.mayConfirm === true ? [confirm] : []),
    {
      id: 'disable',
      label: text(isDisabled ? 'members.enable' : 'members.disable'),
      run: () => update.mutate({ params, query, body: { disabled: !isDisabled } }),
    },
    { id: 'sessions', label: text('members.endSessions'), run: () => endSessions.mutate({ params, query }) },
    { id: 'remove', label: text('common.remove'), run: () => ask('remove') },
  ];
}
