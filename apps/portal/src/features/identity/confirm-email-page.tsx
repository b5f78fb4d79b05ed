import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { accounts, identity } from '@holdfast/contract/identity';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf, useChange } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { Row } from '../../ui/layout.tsx';

/** `/confirm-email`: why access is blocked, and what helps. */
export default function ConfirmEmailPage(): ReactElement {
  const text = useText();
  const portal = usePortal();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { user } = useStore(portal.signIn.state);
  const resend = useChange(identity.resendConfirmationMail, { failure: 'failures.verificationLink' });
  if (user === null) return <Navigate to="/signin" replace />;
  const handleCheck = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: keyOf(accounts.account) });
    void navigate(portal.departure.read()?.returnTo ?? '/');
  };
  return (
    <Centred title={text('signIn.confirmTitle')} lead={text('signIn.confirmLead', { email: user.email })}>
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{text('validation.emailUnconfirmed')}</MessageBarBody>
      </MessageBar>
      <Row>
        <Button appearance="primary" onClick={() => void handleCheck()}>
          {text('signIn.confirmCheck')}
        </Button>
        <Button
          disabledFocusable={resend.isPending}
          onClick={() =>
            resend.mutate(
              { body: { email: user.email } },
              { onSuccess: () => portal.toasts.show('success', text('signIn.verificationLinkSent')) },
            )
          }
        >
          {text('signIn.confirmSend')}
        </Button>
        <Button appearance="subtle" onClick={() => void portal.signOut.begin('signedOut')}>
          {text('shell.signOut')}
        </Button>
      </Row>
    </Centred>
  );
}
