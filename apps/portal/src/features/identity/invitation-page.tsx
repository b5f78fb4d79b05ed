import { Button, MessageBar, MessageBarBody, Subtitle2 } from '@fluentui/react-components';
import { invitations } from '@holdfast/contract/invitations';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { newPasswordTwice } from './new-password.ts';

type Invitation = ResponseOf<typeof invitations.look>;

/** `/invitation/:code`: who invites, and what it takes to accept. */
export default function InvitationPage(): ReactElement {
  const text = useText();
  const format = useFormat();
  const portal = usePortal();
  const { code = '' } = useParams();
  const { user } = useStore(portal.signIn.state);
  const [isAccepted, setAccepted] = useState(false);
  const { data, error, refetch } = useQuery({
    ...read(invitations.look, { body: { code }, quiet: true }),
    // Once accepted the invitation is gone: reading it again would only be refused.
    enabled: !isAccepted,
    staleTime: 'static',
  });
  const lead =
    data === undefined
      ? ''
      : text('signIn.invitationLead', { inviter: data.inviter, organisation: data.organisationName, role: text(`roles.${data.role}`) });
  return (
    <Centred title={text('signIn.invitationTitle')} lead={lead} foot={<LanguageChoice />}>
      {error !== null && <FailedState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingShape rows={3} height={32} />}
      {data !== undefined && (
        <Stack>
          <span>{text('signIn.invitationFor', { email: data.email, until: format.dateTime(data.expiresAt) })}</span>
          {user === null ? (
            <Guest code={code} />
          ) : (
            <Acceptance code={code} invitation={data} email={user.email} onAccepted={() => setAccepted(true)} />
          )}
        </Stack>
      )}
    </Centred>
  );
}

/** The way to the sign-in and back. */
function useDetour(): (to: string) => void {
  const { pathname } = useLocation();
  const portal = usePortal();
  const navigate = useNavigate();
  return (to) => {
    portal.departure.write({ reason: null, returnTo: pathname });
    void navigate(to);
  };
}

/** Somebody who is signed in, with the invited address or with another one. */
function Acceptance({
  code,
  invitation,
  email,
  onAccepted,
}: {
  readonly code: string;
  readonly invitation: Invitation;
  readonly email: string;
  readonly onAccepted: () => void;
}): ReactElement {
  const text = useText();
  const portal = usePortal();
  const navigate = useNavigate();
  const detour = useDetour();
  const accept = useChange(invitations.accept, { success: 'signIn.invitationAccepted' });
  if (email.toLowerCase() !== invitation.email.toLowerCase()) {
    return (
      <>
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('signIn.invitationOther', { email })}</MessageBarBody>
        </MessageBar>
        <Button onClick={() => void portal.signOut.begin('signedOut')}>{text('shell.signOut')}</Button>
      </>
    );
  }
  const handleAccept = (): void =>
    accept.mutate(
      { body: { code } },
      {
        onSuccess: () => {
          // Choosing a customer empties the cache, and the page would read the invitation again: it is switched off first.
          flushSync(onAccepted);
          portal.chooseWorker(null);
          void navigate('/', { replace: true });
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'identity.second-factor-required') detour('/account/profile');
        },
      },
    );
  return (
    <Button appearance="primary" disabledFocusable={accept.isPending} onClick={handleAccept}>
      {text('signIn.invitationAccept')}
    </Button>
  );
}

/** Somebody who is not signed in: with an account, or without one yet. */
function Guest({ code }: { readonly code: string }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const detour = useDetour();
  const register = useChange(invitations.register);
  const form = useSchemaForm(newPasswordTwice, { password: '', repeated: '' });
  return (
    <>
      <Row>
        <Button appearance="primary" onClick={() => detour('/signin')}>
          {text('signIn.invitationSignIn')}
        </Button>
      </Row>
      <Subtitle2 as="h2">{text('signIn.invitationCreate')}</Subtitle2>
      <span>{text('signIn.invitationCreateLead')}</span>
      <Form
        form={form}
        label={text('signIn.invitationCreate')}
        onSubmit={({ password }) =>
          register.mutate(
            { body: { code, password } },
            {
              onSuccess: () => {
                toasts.show('success', text('signIn.invitationCreated'));
                detour('/signin');
              },
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <NewPasswordFields />
        <Row>
          <Button type="submit" disabledFocusable={register.isPending}>
            {text('signIn.invitationCreate')}
          </Button>
        </Row>
      </Form>
    </>
  );
}
