import { Text } from '@fluentui/react-components';
import { deletionBases, deletionBody, deletions } from '@holdfast/contract/deletions';
import type { Selection } from '@holdfast/contract/selections';
import type { ReactElement } from 'react';
import { Navigate } from 'react-router';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RadioField, SwitchField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Facts } from '../../ui/layout.tsx';
import { deletionAddress } from './deletion-address.ts';

interface DeleteMessagesFormProps {
  readonly tenantId: string;
  /** The messages, as they were chosen. */
  readonly selection: Selection;
  readonly onClose: () => void;
}

const choices = deletionBody.omit({ selectionId: true });
const start = { basis: 'erasure', reason: '', everywhere: false } as const;

/** Drafts the deletion of chosen messages, and opens the preview. */
export function DeleteMessagesForm({ tenantId, selection, onClose }: DeleteMessagesFormProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const create = useChange(deletions.create, { success: 'deletions.drafted' });
  const form = useSchemaForm(choices, start);
  const { selectionId, query, items, bytes } = selection;
  const title = text('deletions.formTitle', { what: query });
  // The form is gone before the page is left: nothing is lost that anybody would have to be asked about.
  if (create.isSuccess) return <Navigate to={deletionAddress(create.data.deletionId)} />;
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) =>
          create.mutate(
            { params: { tenantId }, body: { ...body, selectionId } },
            {
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <Text>{text('deletions.formText')}</Text>
        <Facts
          items={[
            [text('deletions.messages'), format.count(items)],
            [text('deletions.size'), format.bytes(bytes)],
          ]}
        />
        <RadioField
          name="basis"
          label={text('deletions.basis')}
          choices={deletionBases.map((value) => ({ value, label: text(`deletions.bases.${value}`) }))}
        />
        <SwitchField name="everywhere" label={text('deletions.everywhere')} hint={text('deletions.everywhereHint')} />
        <TextAreaField name="reason" label={text('deletions.reason')} hint={text('deletions.reasonHint')} required />
        <FormButtons isBusy={create.isPending} submit={text('deletions.draft')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
