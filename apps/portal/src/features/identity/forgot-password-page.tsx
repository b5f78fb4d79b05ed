import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { auth, forgotPasswordBody } from '@holdfast/contract/legacy/auth';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Centred } from '../../ui/centred.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { LanguageChoice } from './language-choice.tsx';

/** `/forgot-password`: the same answer for every address. */
export default function ForgotPasswordPage(): ReactElement {
  const text = useText();
  const send = useChange(auth.forgotPassword);
  const form = useSchemaForm(forgotPasswordBody, { email: '' });
  return (
    <Centred title={text('signIn.forgottenTitle')} lead={text('signIn.forgottenLead')} foot={<LanguageChoice />}>
      {send.isSuccess && (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>{text('signIn.linkSent')}</MessageBarBody>
        </MessageBar>
      )}
      <Form form={form} label={text('signIn.forgottenTitle')} onSubmit={(body) => send.mutate({ body })}>
        <TextField name="email" label={text('common.email')} autoComplete="username" inputMode="email" autoFocus />
        <Row spread>
          <Button type="submit" appearance="primary" disabledFocusable={send.isPending}>
            {text('signIn.sendLink')}
          </Button>
          <RouterLink to="/signin">{text('signIn.backToSignIn')}</RouterLink>
        </Row>
      </Form>
    </Centred>
  );
}
