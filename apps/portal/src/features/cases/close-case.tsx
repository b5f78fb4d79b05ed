import { Text } from '@fluentui/react-components';
import { caseCloseBody, caseReason } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import type { CaseProps } from './case-props.ts';

type EndProps = CaseProps & { readonly onClose: () => void };

/** Closes a case with a reason. Holds in force are kept only when the reader says so. */
export function CloseCase({ tenantId, of, onClose }: EndProps): ReactElement {
  const text = useText();
  const close = useChange(cases.close, { success: 'successes.caseClosed' });
  const form = useSchemaForm(caseCloseBody, { reason: '', keepHolds: false });
  const holds = of.holds.filter(({ status }) => status !== 'released').length;
  const title = text('cases.closeTitle', { matter: of.matter });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) => close.mutate({ params: { tenantId, caseId: of.caseId }, body }, { onSuccess: onClose })}
      >
        <Text>{text('cases.closeText')}</Text>
        {holds > 0 && <Text>{text('cases.closeHolds', { count: holds })}</Text>}
        {holds > 0 && <CheckField name="keepHolds" label={text('cases.keepHolds')} />}
        <TextAreaField name="reason" label={text('cases.reason')} required />
        <FormButtons isBusy={close.isPending} submit={text('cases.close')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

/** Reopens a closed case with a reason. */
export function ReopenCase({ tenantId, of, onClose }: EndProps): ReactElement {
  const text = useText();
  const reopen = useChange(cases.reopen, { success: 'successes.caseReopened' });
  const form = useSchemaForm(caseReason, { reason: '' });
  const title = text('cases.reopenTitle', { matter: of.matter });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) => reopen.mutate({ params: { tenantId, caseId: of.caseId }, body }, { onSuccess: onClose })}
      >
        <Text>{text('cases.reopenText')}</Text>
        <TextAreaField name="reason" label={text('cases.reason')} required />
        <FormButtons isBusy={reopen.isPending} submit={text('cases.reopen')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
