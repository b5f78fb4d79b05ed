import { dispositionBody, dispositionDecisions, dispositions } from '@holdfast/contract/dispositions';
import type { Disposition } from '@holdfast/contract/dispositions';
import { retention } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';

interface DispositionFormProps {
  readonly tenantId: string;
  readonly policyId: string;
  readonly messages: readonly Disposition[];
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

const draft = z
  .object({
    decision: z.enum(dispositionDecisions),
    until: z.string(),
    toPolicyId: z.string(),
    reason: dispositionBody.shape.reason,
  })
  .refine(({ decision, until }) => decision !== 'keep' || until !== '', { path: ['until'], error: 'validation.dateRequired' })
  .refine(({ decision, toPolicyId }) => decision !== 'move' || toPolicyId !== '', { path: ['toPolicyId'], error: 'validation.required' });

/** Decides about chosen messages, with a reason. */
export function DispositionForm({ tenantId, policyId, messages, onDecided, onClose }: DispositionFormProps): ReactElement {
  const text = useText();
  const title = text('retention.decideTitle', { count: messages.length });
  const decide = useChange(dispositions.decide, { success: 'successes.dispositionDecided' });
  const form = useSchemaForm(draft, { decision: 'delete', until: '', toPolicyId: '', reason: '' });
  const decision = useWatch({ control: form.control, name: 'decision' });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={({ until, toPolicyId, ...said }) => {
          const named = messages.map(({ mailboxId, messageId }) => ({ mailboxId, messageId }));
          const target = {
            until: said.decision === 'keep' ? until : null,
            toPolicyId: said.decision === 'move' ? toPolicyId : null,
          };
          decide.mutate(
            { params: { tenantId }, body: { ...said, ...target, policyId, messages: named } },
            {
              onSuccess: onDecided,
              onError: showFaultsIn(form),
            },
          );
        }}
      >
        <RadioField
          name="decision"
          label={text('retention.decision')}
          choices={dispositionDecisions.map((value) => ({
            value,
            label: text(`retention.decisions.${value}`),
            hint: text(`retention.decisionHints.${value}`),
          }))}
        />
        {decision === 'keep' && <TextField name="until" label={text('retention.decideUntil')} type="date" required />}
        {decision === 'move' && <PolicyField tenantId={tenantId} policyId={policyId} />}
        <TextAreaField name="reason" label={text('retention.decideReason')} required />
        <FormButtons isBusy={decide.isPending} submit={text('retention.decide')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

/** The other policies on messages that are in force. */
function PolicyField({ tenantId, policyId }: Pick<DispositionFormProps, 'tenantId' | 'policyId'>): ReactElement {
  const text = useText();
  const list = useQuery(read(retention.list, { params: { tenantId }, quiet: true }));
  const others = (list.data?.items ?? []).filter(
    (policy) => policy.about === 'messages' && policy.policyId !== policyId && (policy.status === 'active' || policy.status === 'ending'),
  );
  return (
    <SelectField
      name="toPolicyId"
      label={text('retention.decidePolicy')}
      choices={others.map((policy) => ({ value: policy.policyId, label: policy.name }))}
      required
    />
  );
}
