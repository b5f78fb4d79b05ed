import { Text } from '@fluentui/react-components';
import { deletions, erasureBody } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { Navigate } from 'react-router';
import { z } from 'zod';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { deletionAddress } from './deletion-address.ts';

interface ErasePersonFormProps {
  readonly tenantId: string;
  /** By their mailbox or OneDrive. */
  readonly person: { readonly resourceId: string; readonly name: string };
  readonly onClose: () => void;
}

/** An empty field of a form is a text. */
const asked = erasureBody.omit({ resourceId: true }).extend({ receivedOn: z.union([z.literal(''), z.iso.date()]) });

/** Drafts the erasure of everything that is kept of somebody, and opens the preview. */
export function ErasePersonForm({ tenantId, person: { resourceId, name }, onClose }: ErasePersonFormProps): ReactElement {
  const text = useText();
  const create = useChange(deletions.createForPerson, { success: 'deletions.drafted' });
  const form = useSchemaForm(asked, { reason: '', receivedOn: '' });
  const title = text('deletions.eraseTitle', { name });
  // The form is gone before the page is left: nothing is lost that anybody would have to be asked about.
  if (create.isSuccess) return <Navigate to={deletionAddress(create.data.deletionId)} />;
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={({ reason, receivedOn }) =>
          create.mutate(
            { params: { tenantId }, body: { resourceId, reason, ...(receivedOn === '' ? {} : { receivedOn }) } },
            {
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <Text>{text('deletions.eraseText')}</Text>
        <TextAreaField name="reason" label={text('deletions.reason')} hint={text('deletions.reasonHint')} required />
        <TextField name="receivedOn" label={text('deletions.receivedOn')} hint={text('deletions.receivedHint')} type="date" />
        <FormButtons isBusy={create.isPending} submit={text('deletions.draft')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
