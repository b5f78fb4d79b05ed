import { Button, Card, Subtitle2 } from '@fluentui/react-components';
import { emailText, identity } from '@holdfast/contract/identity';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { ApiError } from '../../../api/api-error.ts';
import { usePortal } from '../../../api/portal-context.ts';
import { useChange } from '../../../api/queries.ts';
import { useText } from '../../../i18n/use-text.ts';
import { PasswordField, TextField } from '../../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../../ui/form.tsx';
import { Row, Split, Stack } from '../../../ui/layout.tsx';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { newPassword } from '../new-password.ts';
import { faultWords } from './fault-words.ts';

const current = z.string().min(1, { error: 'validation.passwordRequired' });
const passwordChange = z
  .object({ current, ...newPassword.shape })
  .refine((values) => values.password === values.repeated, { path: ['repeated'], error: 'validation.passwordMismatch' });
const emailChange = z.object({ newEmail: emailText, current });

/** A new password or a new address, each with the current password. */
export function PasswordCard(): ReactElement {
  return (
    <Split>
      <ChangePassword />
      <ChangeEmail />
    </Split>
  );
}

function ChangePassword(): ReactElement {
  const text = useText();
  const change = useChange(identity.changeInfo, { success: 'successes.passwordChanged' });
  const form = useSchemaForm(passwordChange, { current: '', password: '', repeated: '' });
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.password')}</Subtitle2>
      <Form
        form={form}
        label={text('profile.changePassword')}
        onSubmit={({ current: oldPassword, password }) =>
          change.mutate(
            { body: { oldPassword, newPassword: password }, quiet: true },
            {
              onSuccess: () => form.reset(),
              onError: (error) =>
                form.setError(error instanceof ApiError && 'PasswordMismatch' in error.fields ? 'current' : 'password', {
                  message: faultWords(error),
                }),
            },
          )
        }
      >
        <PasswordField name="current" label={text('profile.currentPassword')} autoComplete="current-password" />
        <NewPasswordFields />
        <Row>
          <Button type="submit" disabledFocusable={change.isPending}>
            {text('profile.changePassword')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}

function ChangeEmail(): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const change = useChange(identity.changeInfo);
  const form = useSchemaForm(emailChange, { newEmail: '', current: '' });
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.changeEmail')}</Subtitle2>
      <Form
        form={form}
        label={text('profile.changeEmail')}
        onSubmit={({ newEmail, current: oldPassword }) =>
          change.mutate(
            { body: { newEmail, oldPassword }, quiet: true },
            {
              onSuccess: () => {
                toasts.show('info', text('profile.emailSent'));
                form.reset();
              },
              onError: (error) =>
                form.setError(error instanceof ApiError && 'PasswordMismatch' in error.fields ? 'current' : 'newEmail', {
                  message: faultWords(error),
                }),
            },
          )
        }
      >
        <Stack>
          <TextField name="newEmail" label={text('profile.newEmail')} autoComplete="email" inputMode="email" />
          <PasswordField name="current" label={text('profile.currentPassword')} autoComplete="current-password" />
        </Stack>
        <Row>
          <Button type="submit" disabledFocusable={change.isPending}>
            {text('profile.changeEmail')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}
