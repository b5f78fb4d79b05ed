import { Text } from '@fluentui/react-components';
import { dataRequestAnswer, dataRequestExtension, dataRequestOutcomes, dataRequests } from '@holdfast/contract/data-requests';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';

interface RequestFormProps {
  readonly tenantId: string;
  readonly requestId: string;
  readonly onClose: () => void;
}

/** Extends the time to answer, with a reason. */
export function ExtensionForm({ tenantId, requestId, onClose }: RequestFormProps): ReactElement {
  const text = useText();
  const extend = useChange(dataRequests.extend, { success: 'dataRequests.extended' });
  const form = useSchemaForm(dataRequestExtension, { reason: '' });
  return (
    <Form
      form={form}
      label={text('dataRequests.extendTitle')}
      onSubmit={(body) => extend.mutate({ params: { tenantId, requestId }, body }, { onSuccess: onClose })}
    >
      <Text>{text('dataRequests.extendText')}</Text>
      <TextAreaField name="reason" label={text('dataRequests.extendReason')} required />
      <FormButtons isBusy={extend.isPending} submit={text('dataRequests.extend')} onClose={onClose} />
    </Form>
  );
}

/** Notes when and how a request was answered. */
export function AnswerForm({ tenantId, requestId, onClose }: RequestFormProps): ReactElement {
  const text = useText();
  const answer = useChange(dataRequests.answer, { success: 'dataRequests.answered' });
  const form = useSchemaForm(dataRequestAnswer, { outcome: 'complete', how: '', answeredOn: '' });
  return (
    <Form
      form={form}
      label={text('dataRequests.answerTitle')}
      onSubmit={(body) =>
        answer.mutate(
          { params: { tenantId, requestId }, body },
          {
            onSuccess: onClose,
            onError: showFaultsIn(form),
          },
        )
      }
    >
      <Text>{text('dataRequests.answerText')}</Text>
      <RadioField
        name="outcome"
        label={text('dataRequests.outcome')}
        choices={dataRequestOutcomes.map((value) => ({ value, label: text(`dataRequests.outcomes.${value}`) }))}
      />
      <TextField name="answeredOn" label={text('dataRequests.answeredOn')} type="date" required />
      <TextAreaField name="how" label={text('dataRequests.how')} hint={text('dataRequests.howHint')} required />
      <FormButtons isBusy={answer.isPending} submit={text('dataRequests.answer')} onClose={onClose} />
    </Form>
  );
}
