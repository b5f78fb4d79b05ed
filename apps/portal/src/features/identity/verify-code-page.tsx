import { Button, Text } from '@fluentui/react-components';
import type { SignedIn } from '@holdfast/contract/identity';
import { auth, verifyCodeBody } from '@holdfast/contract/legacy/auth';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { challenge } from './challenge.ts';
import type { Challenge } from './challenge.ts';
import { LanguageChoice } from './language-choice.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import { useCompleteSignIn } from './sign-in.queries.ts';

const body = verifyCodeBody.pick({ code: true });

/** `/verify-code`: the six digits from mail or authenticator. Without a challenge there is nothing to verify. */
export default function VerifyCodePage(): ReactElement {
  const open = useStore(challenge);
  const { isAuthenticated } = useStore(usePortal().signIn.state);
  if (open === null) return <Navigate to={isAuthenticated ? '/' : '/signin'} replace />;
  return <CodeForm open={open} />;
}

/** What the person has at hand. */
function leadOf({ channels }: Challenge): PhraseKey {
  if (channels.includes('email')) return 'signIn.codeMailLead';
  if (!channels.includes('passkey')) return 'signIn.codeAppLead';
  return channels.includes('totp') ? 'signIn.passkeyOrAppLead' : 'signIn.passkeyLead';
}

function CodeForm({ open }: { readonly open: Challenge }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const complete = useCompleteSignIn();
  const verify = useChange(auth.verifyCode, { failure: 'failures.verification' });
  const [attempts, setAttempts] = useState(0);
  const byMail = open.channels.includes('email');
  const byPasskey = open.channels.includes('passkey');
  const sendAgain = useSendCode(open, byMail);
  const form = useSchemaForm(body, { code: '' });
  const handleError = (error: Error): void => {
    if (!(error instanceof ApiError)) return;
    const count = error.failure.problem?.['attempts'];
    if (typeof count === 'number') setAttempts(count);
    if (error.code === 'identity.verification-failed') {
      challenge.set(null);
      void navigate('/signin');
    } else form.reset({ code: '' });
  };
  const handleDone = (answer: SignedIn): void => {
    complete(answer);
    challenge.set(null);
  };
  return (
    <Centred title={text(byPasskey ? 'signIn.factorTitle' : 'signIn.codeTitle')} lead={text(leadOf(open))} foot={<LanguageChoice />}>
      {byPasskey && <PasskeyStep challengeId={open.challengeId} onDone={handleDone} onError={handleError} />}
      <Form
        form={form}
        label={text('signIn.codeTitle')}
        onSubmit={({ code }) =>
          verify.mutate({ body: { challengeId: open.challengeId, code } }, { onError: handleError, onSuccess: handleDone })
        }
      >
        <TextField
          name="code"
          label={text('signIn.code')}
          autoComplete="one-time-code"
          inputMode={byMail ? 'numeric' : 'text'}
          autoFocus={!byPasskey}
        />
        {attempts > 0 && <Text role="status">{text('signIn.codeAttempts', { count: attempts })}</Text>}
        <Row>
          <Button type="submit" appearance={byPasskey ? 'secondary' : 'primary'} disabledFocusable={verify.isPending}>
            {text('signIn.verify')}
          </Button>
          {byMail && <Button onClick={sendAgain}>{text('signIn.sendAgain')}</Button>}
          <Button
            appearance="subtle"
            onClick={() => {
              challenge.set(null);
              void navigate('/signin');
            }}
          >
            {text('signIn.useAnother')}
          </Button>
        </Row>
      </Form>
    </Centred>
  );
}

/** Sends the code once when the page opens, and again on request. */
function useSendCode(open: Challenge, byMail: boolean): () => void {
  const text = useText();
  const { toasts } = usePortal();
  const { mutate } = useChange(auth.verifyUser, { failure: 'failures.verification' });
  const sentFor = useRef<string | null>(null);
  useEffect(() => {
    if (!byMail || sentFor.current === open.challengeId) return;
    sentFor.current = open.challengeId;
    mutate({ body: { challengeId: open.challengeId, channel: 'email' } });
  }, [byMail, mutate, open.challengeId]);
  return () =>
    mutate(
      { body: { challengeId: open.challengeId, channel: 'email' } },
      { onSuccess: () => toasts.show('success', text('signIn.codeSent')) },
    );
}
