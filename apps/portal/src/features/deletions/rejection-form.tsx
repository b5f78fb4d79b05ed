import { approvals } from '@holdfast/contract/approvals';
import { deletionReason } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';

interface RejectionFormProps {
  readonly tenantId: string;
  readonly approvalId: string;
  readonly onClose: () => void;
}

const rejection = z.object({ reason: deletionReason });

/** Rejects a deletion, with a reason. */
export function RejectionForm({ tenantId, approvalId, onClose }: RejectionFormProps): ReactElement {
  const text = useText();
  const refuse = useChange(approvals.refuse, { success: 'deletions.rejected' });
  const form = useSchemaForm(rejection, { reason: '' });
  return (
    <Form
      form={form}
      label={text('deletions.reject')}
      onSubmit={(body) => refuse.mutate({ params: { tenantId, approvalId }, body }, { onSuccess: onClose })}
    >
      <TextAreaField name="reason" label={text('deletions.rejection')} hint={text('deletions.rejectText')} required />
      <FormButtons isBusy={refuse.isPending} submit={text('deletions.reject')} onClose={onClose} />
    </Form>
  );
}
