import { Button, Card, Subtitle2 } from '@fluentui/react-components';
import { accountBody, accounts } from '@holdfast/contract/identity';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { usePortal } from '../../../api/portal-context.ts';
import { useChange } from '../../../api/queries.ts';
import { useText } from '../../../i18n/use-text.ts';
import { CheckField, SelectField } from '../../../ui/choice-fields.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../../ui/form.tsx';
import { Facts, Row } from '../../../ui/layout.tsx';

/** Name, phone number, language; address and role for reading. */
export function DataCard({ account }: { readonly account: ResponseOf<typeof accounts.account> }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const update = useChange(accounts.updateAccount);
  const { firstName, lastName, phoneNumber, language, summaryMails } = account;
  const isTold = account.role === 'owner' || account.role === 'administrator';
  const form = useSchemaForm(accountBody, { firstName, lastName, phoneNumber, language, summaryMails });
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.data')}</Subtitle2>
      <Facts
        items={[
          [text('common.email'), account.email],
          [text('profile.role'), account.role === null ? '–' : text(`roles.${account.role}`)],
        ]}
      />
      <Form
        form={form}
        label={text('profile.data')}
        onSubmit={(body) =>
          update.mutate(
            { body },
            {
              onSuccess: () => {
                form.reset(body);
                toasts.show('success', text('profile.saved'));
              },
            },
          )
        }
      >
        <TextField name="firstName" label={text('members.firstName')} autoComplete="given-name" />
        <TextField name="lastName" label={text('members.lastName')} autoComplete="family-name" />
        <TextField name="phoneNumber" label={text('members.phoneNumber')} autoComplete="tel" />
        <SelectField
          name="language"
          label={text('profile.language')}
          choices={[
            { value: 'en', label: text('shell.english') },
            { value: 'de', label: text('shell.german') },
          ]}
        />
        {isTold && <CheckField name="summaryMails" label={text('profile.summaryMails')} hint={text('profile.summaryMailsHint')} />}
        <Row>
          <Button type="submit" appearance="primary" disabledFocusable={update.isPending}>
            {text('profile.save')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}
