import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { accounts, bootstrapBody } from '@holdfast/contract/identity';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useCompleteSignIn, usePolicy } from './sign-in.queries.ts';

const body = bootstrapBody.omit({ token: true });

/** The first organisation and its owner, made with the token that the server printed. */
export function SetUpForm({ token }: { readonly token: string }): ReactElement {
  const text = useText();
  const policy = usePolicy();
  const complete = useCompleteSignIn();
  const bootstrap = useChange(accounts.bootstrap);
  const [gone, setGone] = useState(false);
  const form = useSchemaForm(body, { email: '', password: '', organisation: '' });
  return (
    <>
      {gone && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{text('signIn.setupGone')}</MessageBarBody>
        </MessageBar>
      )}
      <Form
        form={form}
        label={text('signIn.setupTitle')}
        onSubmit={(values) =>
          bootstrap.mutate(
            { body: { ...values, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone, token }, quiet: true },
            {
              onSuccess: complete,
              onError: (error) => {
                const shown = error instanceof ApiError && showServerFaults(form, error.fields);
                setGone(!shown && error instanceof ApiError && (error.status === 404 || error.code === 'identity.setup-token-invalid'));
              },
            },
          )
        }
      >
        <TextField name="organisation" label={text('signIn.organisation')} autoComplete="organization" autoFocus />
        <TextField name="email" label={text('common.email')} autoComplete="username" inputMode="email" />
        <PasswordField
          name="password"
          label={text('common.password')}
          autoComplete="new-password"
          hint={text('signIn.passwordRule', { count: policy?.minLength ?? 12 })}
        />
        <Row spread>
          <Button type="submit" appearance="primary" disabledFocusable={bootstrap.isPending}>
            {text('signIn.setupSubmit')}
          </Button>
          <RouterLink to="/signin">{text('signIn.backToSignIn')}</RouterLink>
        </Row>
      </Form>
    </>
  );
}
