import { Text } from '@fluentui/react-components';
import { dataRequestBody, dataRequests } from '@holdfast/contract/data-requests';
import type { ReactElement } from 'react';
import { Navigate } from 'react-router';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { REQUESTS } from './request-address.ts';

interface AccessRequestFormProps {
  readonly tenantId: string;
  /** By their mailbox or OneDrive. */
  readonly person: { readonly resourceId: string; readonly name: string };
  readonly onClose: () => void;
}

const asked = dataRequestBody.omit({ resourceId: true });

/** Registers a request for access, collects everything about the person, and opens what was found. */
export function AccessRequestForm({ tenantId, person: { resourceId, name }, onClose }: AccessRequestFormProps): ReactElement {
  const text = useText();
  const create = useChange(dataRequests.create, { success: 'dataRequests.registered' });
  const form = useSchemaForm(asked, { receivedOn: '', note: '' });
  const title = text('dataRequests.accessTitle', { name });
  // The form is gone before the page is left: nothing is lost that anybody would have to be asked about.
  if (create.isSuccess) return <Navigate to={`${REQUESTS}/${create.data.requestId}`} />;
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) =>
          create.mutate(
            { params: { tenantId }, body: { ...body, resourceId } },
            {
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <Text>{text('dataRequests.accessText')}</Text>
        <TextField name="receivedOn" label={text('dataRequests.receivedOn')} type="date" required />
        <TextAreaField name="note" label={text('dataRequests.note')} hint={text('dataRequests.noteHint')} required />
        <FormButtons isBusy={create.isPending} submit={text('dataRequests.registerButton')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
