import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { microsoftSignIn, microsoftSignInBody, providedRoles } from '@holdfast/contract/microsoft-sign-in';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { LongCode } from '../../ui/long-code.tsx';
import { TagField } from '../../ui/tag-field.tsx';

type Provider = ResponseOf<typeof microsoftSignIn.read>;
type Query = { readonly organisationId?: string };
type Given = { readonly query: Query; readonly provider: Provider };

const nothing = { issuer: '', clientId: '', administrator: [], operator: [], auditor: [], reader: [] };

/** How members sign in with Microsoft Entra, for owners. */
export function MicrosoftSignInCard({ query }: { readonly query: Query }): ReactElement | null {
  const may = useMay('organisation.manage');
  const { data } = useQuery({ ...read(microsoftSignIn.read, { query, quiet: true }), enabled: may });
  return may && data !== undefined ? <ProviderForm key={JSON.stringify(data.setUp)} query={query} provider={data} /> : null;
}

function ProviderForm({ query, provider }: Given): ReactElement {
  const text = useText();
  const change = useChange(microsoftSignIn.change, { success: 'successes.microsoftSignInUpdated' });
  const { setUp, redirectAddress, signInAddress } = provider;
  const form = useSchemaForm(microsoftSignInBody, { ...nothing, ...setUp, clientSecret: '' });
  return (
    <Card>
      <Subtitle2 as="h2">{text('members.microsoft')}</Subtitle2>
      <Text>{text('members.microsoftLead')}</Text>
      <Text>{text('members.microsoftRedirect')}</Text>
      <LongCode>{redirectAddress}</LongCode>
      {setUp !== null && (
        <>
          <Text>{text('members.microsoftAddress')}</Text>
          <LongCode>{signInAddress}</LongCode>
        </>
      )}
      <Form
        form={form}
        label={text('members.microsoft')}
        onSubmit={(body) =>
          change.mutate(
            { query, body },
            {
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <TextField name="issuer" label={text('members.issuer')} hint={text('members.issuerHint')} required />
        <TextField name="clientId" label={text('members.clientId')} required />
        <PasswordField
          name="clientSecret"
          label={text('members.clientSecret')}
          hint={text('members.clientSecretHint')}
          autoComplete="new-password"
        />
        {providedRoles.map((role) => (
          <TagField
            key={role}
            name={role}
            label={text('members.groupsOf', { role: text(`roles.${role}`) })}
            hint={text('members.groupsHint')}
          />
        ))}
        <Row>
          <Button type="submit" disabledFocusable={change.isPending}>
            {text('common.save')}
          </Button>
        </Row>
      </Form>
      {setUp !== null && <RemoveButton query={query} />}
    </Card>
  );
}

function RemoveButton({ query }: { readonly query: Query }): ReactElement {
  const text = useText();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useChange(microsoftSignIn.remove);
  return (
    <>
      <Row>
        <Button appearance="subtle" onClick={() => setIsAsked(true)}>
          {text('members.microsoftRemove')}
        </Button>
      </Row>
      {isAsked && (
        <ConfirmDialog
          title={text('confirmations.microsoftTitle')}
          text={text('confirmations.microsoftText')}
          button={text('members.microsoftRemove')}
          destructive
          busy={remove.isPending}
          onClose={() => setIsAsked(false)}
          onConfirm={() => remove.mutate({ query }, { onSettled: () => setIsAsked(false) })}
        />
      )}
    </>
  );
}
