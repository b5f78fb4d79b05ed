import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import type { approvals } from '@holdfast/contract/approvals';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RouterLink } from '../../ui/router-link.tsx';

export type ApproverHintsProps = Pick<ResponseOf<typeof approvals.list>, 'approvers' | 'delayFrom'>;

/** Says who has the role of an approver and can't approve yet, why, and from when the delay is available. */
export function ApproverHints({ approvers, delayFrom }: ApproverHintsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const hints = approvers
    .filter(({ status }) => status !== 'ready')
    .map(({ email, status, until, confirmers }) =>
      status === 'tooNew'
        ? text('approvals.approverTooNew', { email, at: format.dateTime(until) })
        : text('approvals.approverUnconfirmed', { email, people: confirmers.join(', ') }),
    );
  if (delayFrom !== null) hints.push(text('approvals.delayFrom', { at: format.dateTime(delayFrom) }));
  return (
    <>
      {hints.map((hint) => (
        <MessageBar key={hint} layout="multiline">
          <MessageBarBody>
            {hint} <RouterLink to="/configuration/users">{text('shell.users')}</RouterLink>
          </MessageBarBody>
        </MessageBar>
      ))}
    </>
  );
}
