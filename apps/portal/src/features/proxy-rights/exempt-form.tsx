import { proxyExemptionBody, proxyHolderKinds, proxyRights } from '@holdfast/contract/proxy-rights';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { SourcePicker } from '../jobs/index.ts';

const reference = z.object({ id: z.string(), name: z.string(), address: z.string() });

/** What the form asks for: an account or a group by name. */
const exemptDraft = z
  .object({
    kind: z.enum(proxyHolderKinds),
    account: z.array(reference),
    group: z.array(reference),
    reason: proxyExemptionBody.shape.reason,
  })
  .superRefine(({ kind, ...chosen }, context) => {
    if (chosen[kind].length === 0) context.addIssue({ code: 'custom', path: [kind], message: 'validation.required' });
  });

export interface ExemptFormProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly onClose: () => void;
}

/** Exempts an account or the members of a group. */
export function ExemptForm({ tenantId, locationId, onClose }: ExemptFormProps): ReactElement {
  const text = useText();
  const exempt = useChange(proxyRights.exempt, { success: 'successes.exempted' });
  const form = useSchemaForm(exemptDraft, { kind: 'account', account: [], group: [], reason: '' });
  const kind = useWatch({ control: form.control, name: 'kind' });
  return (
    <DetailDrawer title={text('proxyRights.exemptAdd')} onClose={onClose}>
      <Form
        form={form}
        label={text('proxyRights.exemptAdd')}
        onSubmit={({ reason, ...draft }) =>
          exempt.mutate(
            { params: { tenantId }, body: { party: { kind: draft.kind, id: draft[draft.kind][0]?.id ?? '' }, reason } },
            {
              onSuccess: onClose,
              onError: (error) => {
                const { party, ...fields } = error instanceof ApiError ? error.fields : {};
                showServerFaults(form, party === undefined ? fields : { ...fields, [kind]: party });
              },
            },
          )
        }
      >
        <RadioField
          name="kind"
          label={text('proxyRights.exemptWho')}
          choices={proxyHolderKinds.map((value) => ({ value, label: text(`proxyRights.kinds.${value}`) }))}
        />
        <SourcePicker
          key={kind}
          name={kind}
          kind={kind === 'group' ? 'groups' : 'users'}
          label={text('proxyRights.chooseExempt')}
          hint={text(kind === 'group' ? 'proxyRights.exemptGroupHint' : 'proxyRights.accountHint')}
          isSingle
          {...{ tenantId, locationId }}
        />
        <TextAreaField name="reason" label={text('proxyRights.exemptReason')} required />
        <FormButtons isBusy={exempt.isPending} submit={text('proxyRights.exemptAdd')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
