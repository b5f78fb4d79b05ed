import { Button, MessageBar, MessageBarActions, MessageBarBody, Spinner } from '@fluentui/react-components';
import { auth } from '@holdfast/contract/legacy/auth';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import type { SignOutReason } from '../../api/sign-in-state.ts';
import { useStore } from '../../api/store.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { challenge } from './challenge.ts';
import { LanguageChoice } from './language-choice.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { portalAudiences, useCompleteSignIn } from './sign-in.queries.ts';

const reasons: Readonly<Record<SignOutReason, PhraseKey>> = {
  signedOut: 'signIn.signedOut',
  inactive: 'signIn.inactive',
  expired: 'signIn.expired',
  elsewhere: 'signIn.elsewhere',
};

const credentials = z.object({
  email: z.string().trim().min(1, { error: 'validation.emailRequired' }).max(254),
  password: z.string().min(1, { error: 'validation.passwordRequired' }).max(256),
});

/** The token of a first start, which a fragment keeps out of every log. */
function setUpToken(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('setup');
}

/** `/signin`: e-mail and password; with `#setup=…` the form of the first owner. */
export default function SignInPage(): ReactElement {
  const text = useText();
  const portal = usePortal();
  const { hash } = useLocation();
  const { isAuthenticated } = useStore(portal.signIn.state);
  const [departure] = useState(() => portal.departure.read());
  const [wasSignedIn] = useState(isAuthenticated);
  const token = setUpToken(hash);
  if (wasSignedIn && isAuthenticated) return <Navigate to={departure?.returnTo ?? '/'} replace />;
  if (token !== null) {
    return (
      <Centred title={text('signIn.setupTitle')} lead={text('signIn.setupLead')} foot={<LanguageChoice />}>
        <SetUpForm token={token} />
      </Centred>
    );
  }
  return (
    <Centred title={text('signIn.title')} lead={text('signIn.lead')} foot={<LanguageChoice />}>
      {departure !== null && departure.reason !== null && (
        <MessageBar intent={departure.reason === 'signedOut' ? 'success' : 'info'} layout="multiline">
          <MessageBarBody>{text(reasons[departure.reason])}</MessageBarBody>
        </MessageBar>
      )}
      <SignInForm />
    </Centred>
  );
}

function SignInForm(): ReactElement {
  const text = useText();
  const { settings } = usePortal();
  const navigate = useNavigate();
  const complete = useCompleteSignIn();
  const signIn = useChange(auth.signIn);
  const form = useSchemaForm(credentials, { email: '', password: '' });
  const handleSubmit = (values: z.output<typeof credentials>): void =>
    signIn.mutate(
      { body: { ...values, audiences: portalAudiences } },
      {
        onSuccess: (answer) => {
          if (!('verificationRequired' in answer)) return complete(answer);
          challenge.set({ challengeId: answer.challengeId, channels: answer.channels });
          return void navigate('/verify-code');
        },
      },
    );
  return (
    <>
      <Form form={form} onSubmit={handleSubmit} label={text('signIn.title')}>
        <TextField name="email" label={text('common.email')} autoComplete="username" inputMode="email" autoFocus />
        <PasswordField name="password" label={text('common.password')} autoComplete="current-password" />
        <Row spread>
          <Button
            type="submit"
            appearance="primary"
            disabledFocusable={signIn.isPending}
            icon={signIn.isPending ? <Spinner size="tiny" /> : null}
          >
            {text('signIn.submit')}
          </Button>
          <RouterLink to="/forgot-password">{text('signIn.forgotten')}</RouterLink>
        </Row>
      </Form>
      {settings.demo !== null && (
        <MessageBar layout="multiline">
          <MessageBarBody>{text('signIn.demo', settings.demo)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => form.reset(settings.demo ?? { email: '', password: '' })}>{text('signIn.demoFill')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
    </>
  );
}
