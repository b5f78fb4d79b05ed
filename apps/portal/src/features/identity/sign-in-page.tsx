import { Button, Input, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { auth } from '@holdfast/contract/legacy/auth';
import { lazy, Suspense, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import type { SignOutReason } from '../../api/sign-in-state.ts';
import { useStore } from '../../api/store.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { challenge } from './challenge.ts';
import { LanguageChoice } from './language-choice.tsx';
import { MicrosoftButton } from './microsoft-button.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { portalAudiences, useCompleteSignIn } from './sign-in.queries.ts';

const SetUpForm = lazy(async () => ({ default: (await import('./set-up-form.tsx')).SetUpForm }));

const reasons: Readonly<Record<SignOutReason, PhraseKey>> = {
  signedOut: 'signIn.signedOut',
  inactive: 'signIn.inactive',
  expired: 'signIn.expired',
  elsewhere: 'signIn.elsewhere',
  everywhere: 'signIn.signedOutEverywhere',
};

const credentials = z.object({
  email: z.string().trim().min(1, { error: 'validation.emailRequired' }).max(254),
  password: z.string().min(1, { error: 'validation.passwordRequired' }).max(256),
});

type Faults = Readonly<Partial<Record<'email' | 'password', 'validation.emailRequired' | 'validation.passwordRequired'>>>;

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
  if (departure?.reason === 'everywhere') return <Navigate to="/signed-out" replace />;
  if (token !== null) {
    return (
      <Centred title={text('signIn.setupTitle')} lead={text('signIn.setupLead')} foot={<LanguageChoice />}>
        <Suspense>
          <SetUpForm token={token} />
        </Suspense>
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
      <PasskeyButton />
      <MicrosoftButton />
    </Centred>
  );
}

/** The form keeps to the platform: the library behind larger forms is not loaded before it is needed. */
function SignInForm(): ReactElement {
  const text = useText();
  const { settings } = usePortal();
  const navigate = useNavigate();
  const complete = useCompleteSignIn();
  const signIn = useChange(auth.signIn);
  const [values, setValues] = useState({ email: '', password: '' });
  const [faults, setFaults] = useState<Faults>({});
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const parsed = credentials.safeParse(values);
    const found = parsed.success ? {} : faultsOf(parsed.error);
    setFaults(found);
    if (!parsed.success) return event.currentTarget.querySelector<HTMLElement>(`[name="${Object.keys(found)[0] ?? 'email'}"]`)?.focus();
    return signIn.mutate(
      { body: { ...parsed.data, audiences: portalAudiences } },
      {
        onSuccess: (answer) => {
          if (!('verificationRequired' in answer)) return complete(answer);
          challenge.set({ challengeId: answer.challengeId, channels: answer.channels });
          return void navigate('/verify-code');
        },
      },
    );
  };
  const fieldOf = (name: keyof Faults) => {
    const fault = faults[name];
    return { fault: fault === undefined ? undefined : text(fault) };
  };
  return (
    <>
      <form onSubmit={handleSubmit} noValidate aria-label={text('signIn.title')}>
        <Stack>
          <FieldFrame label={text('common.email')} {...fieldOf('email')}>
            <Input
              name="email"
              value={values.email}
              autoComplete="username"
              inputMode="email"
              autoFocus
              onChange={(_event, { value }) => setValues({ ...values, email: value })}
            />
          </FieldFrame>
          <FieldFrame label={text('common.password')} {...fieldOf('password')}>
            <PasswordInput
              value={values.password}
              onChange={(password) => setValues({ ...values, password })}
              autoComplete="current-password"
            />
          </FieldFrame>
          <Row spread>
            <Button type="submit" appearance="primary" disabledFocusable={signIn.isPending}>
              {text('signIn.submit')}
            </Button>
            <RouterLink to="/forgot-password">{text('signIn.forgotten')}</RouterLink>
          </Row>
        </Stack>
      </form>
      {settings.demo !== null && (
        <MessageBar layout="multiline">
          <MessageBarBody>{text('signIn.demo', settings.demo)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => setValues(settings.demo ?? values)}>{text('signIn.demoFill')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
    </>
  );
}

/** The first fault of each field. */
function faultsOf(error: z.ZodError): Faults {
  return Object.fromEntries(error.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message])) as Faults;
}
