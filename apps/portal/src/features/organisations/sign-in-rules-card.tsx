import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import type { ResponseOf } from '@holdfast/contract/route';
import { signInRules, signInRulesBody } from '@holdfast/contract/sign-in-rules';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField } from '../../ui/choice-fields.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { TagField } from '../../ui/tag-field.tsx';

type Rules = ResponseOf<typeof signInRules.read>;
type Query = { readonly organisationId?: string };

/** From which networks and with which factors the organisation opens, for its owners. */
export function SignInRulesCard({ query }: { readonly query: Query }): ReactElement | null {
  const may = useMay('organisation.manage');
  const { data } = useQuery({ ...read(signInRules.read, { query, quiet: true }), enabled: may });
  return may && data !== undefined ? <RulesForm key={query.organisationId} query={query} rules={data} /> : null;
}

function RulesForm({ query, rules }: { readonly query: Query; readonly rules: Rules }): ReactElement {
  const text = useText();
  const change = useChange(signInRules.change, { success: 'successes.signInRulesUpdated' });
  const { networks, secondFactor, address } = rules;
  const form = useSchemaForm(signInRulesBody, { networks: [...networks], secondFactor });
  return (
    <Card>
      <Subtitle2 as="h2">{text('members.signInRules')}</Subtitle2>
      <Text>{text('members.signInRulesLead')}</Text>
      <Form
        form={form}
        label={text('members.signInRules')}
        onSubmit={(body) =>
          change.mutate(
            { query, body },
            {
              onSuccess: () => form.reset(body),
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <TagField name="networks" label={text('members.networks')} hint={text('members.networksHint', { address })} />
        <CheckField name="secondFactor" label={text('members.secondFactorRequired')} hint={text('members.secondFactorRequiredHint')} />
        <Row>
          <Button type="submit" disabledFocusable={change.isPending}>
            {text('common.save')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}
