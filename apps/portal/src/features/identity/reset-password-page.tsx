import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { auth } from '@holdfast/contract/legacy/auth';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { newPasswordTwice } from './new-password.ts';

/** `/reset-password/:resetToken`: a new password by the link of a mail. */
export default function ResetPasswordPage(): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const navigate = useNavigate();
  const token = useTokenOnce();
  const reset = useChange(auth.resetPassword, { failure: 'failures.resetPassword' });
  const [expired, setExpired] = useState(false);
  const form = useSchemaForm(newPasswordTwice, { password: '', repeated: '' });
  return (
    <Centred title={text('signIn.resetTitle')} lead={text('signIn.resetLead')} foot={<LanguageChoice />}>
      {expired && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            {text('signIn.resetExpired')} <RouterLink to="/forgot-password">{text('signIn.askAgain')}</RouterLink>
          </MessageBarBody>
        </MessageBar>
      )}
      <Form
        form={form}
        label={text('signIn.resetTitle')}
        onSubmit={({ password }) =>
          reset.mutate(
            { params: { token }, body: { password } },
            {
              onSuccess: () => {
                toasts.show('success', text('signIn.passwordReset'));
                void navigate('/signin', { replace: true });
              },
              onError: (error) => {
                if (!(error instanceof ApiError)) return;
                setExpired(error.code === 'identity.reset-failed');
                showServerFaults(form, error.fields);
              },
            },
          )
        }
      >
        <NewPasswordFields />
        <Row spread>
          <Button type="submit" appearance="primary" disabledFocusable={reset.isPending}>
            {text('signIn.resetSave')}
          </Button>
          <RouterLink to="/signin">{text('signIn.backToSignIn')}</RouterLink>
        </Row>
      </Form>
    </Centred>
  );
}

/** The token is taken out of the history at once, so that nobody finds it there. */
function useTokenOnce(): string {
  const { resetToken = '' } = useParams();
  const [token] = useState(resetToken);
  useEffect(() => {
    globalThis.history.replaceState(globalThis.history.state, '', '/reset-password/used');
  }, []);
  return token;
}
