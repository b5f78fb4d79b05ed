import { Button, Card, MessageBar, MessageBarBody, Subtitle2 } from '@fluentui/react-components';
import { contentAccess, contentAccessBody, contentAccessModes } from '@holdfast/contract/content-access';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { ApprovalHint, useTenant } from '../tenants/index.ts';

type Rule = ResponseOf<typeof contentAccess.read>;

/** Who may open content of others, for the owners of the organisation. */
export function ContentAccessCard(): ReactElement | null {
  const may = useMay('organisation.manage');
  const tenantId = useTenant().tenant?.tenantId ?? '';
  const { data } = useQuery({ ...read(contentAccess.read, { params: { tenantId }, quiet: true }), enabled: may && tenantId !== '' });
  return may && data !== undefined ? <RuleForm key={`${data.access} ${data.isChanging}`} tenantId={tenantId} rule={data} /> : null;
}

function RuleForm({ tenantId, rule }: { readonly tenantId: string; readonly rule: Rule }): ReactElement {
  const text = useText();
  const change = useChange(contentAccess.change);
  const form = useSchemaForm(contentAccessBody, { access: rule.access });
  return (
    <Card>
      <Subtitle2 as="h2">{text('members.contentAccess')}</Subtitle2>
      {rule.isChanging ? (
        <MessageBar>
          <MessageBarBody>{text('members.accessAsked')}</MessageBarBody>
        </MessageBar>
      ) : (
        <ApprovalHint tenantId={tenantId} />
      )}
      <Form form={form} label={text('members.contentAccess')} onSubmit={(body) => change.mutate({ params: { tenantId }, body })}>
        <RadioField
          name="access"
          label={text('members.contentAccess')}
          choices={contentAccessModes.map((value) => ({
            value,
            label: text(`members.${value}Access`),
            hint: text(`members.${value}AccessHint`),
          }))}
        />
        <Row>
          <Button type="submit" disabledFocusable={change.isPending || rule.isChanging}>
            {text('members.askAccess')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}
