import { holdNotices } from '@holdfast/contract/hold-notices';
import type { NoticePerson } from '@holdfast/contract/hold-notices';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { TagField } from '../../ui/tag-field.tsx';
import { noticeDraft } from './notice-draft.ts';

export interface NoticeFormProps {
  readonly tenantId: string;
  readonly holdId: string;
  /** The custodians who have not been told yet. */
  readonly untold: readonly NoticePerson[];
  readonly onClose: () => void;
}

const WEEK = 7;

/** Writes a notice and sends it. */
export function NoticeForm({ tenantId, holdId, untold, onClose }: NoticeFormProps): ReactElement {
  const text = useText();
  const { i18n } = useTranslation();
  const send = useChange(holdNotices.send, { success: 'successes.noticeQueued' });
  const place = text('holdNotices.messagePlace');
  const form = useSchemaForm(
    useMemo(() => noticeDraft(place), [place]),
    {
      recipients: untold.map(({ address }) => address),
      subject: text('holdNotices.subjectOpen'),
      message: text('holdNotices.messageOpen'),
      language: i18n.language === 'de' ? 'de' : 'en',
      remindDays: WEEK,
    },
  );
  const onError = showFaultsIn(form);
  return (
    <Form
      form={form}
      label={text('holdNotices.sendTitle')}
      onSubmit={(body) => send.mutate({ params: { tenantId, holdId }, body }, { onSuccess: onClose, onError })}
    >
      <TagField name="recipients" label={text('holdNotices.recipients')} hint={text('holdNotices.recipientsHint')} />
      <TextField name="subject" label={text('holdNotices.subject')} required />
      <TextAreaField name="message" label={text('holdNotices.message')} hint={text('holdNotices.messageHint')} rows={12} required />
      <SelectField
        name="language"
        label={text('holdNotices.language')}
        hint={text('holdNotices.languageHint')}
        choices={[
          { value: 'en', label: text('shell.english') },
          { value: 'de', label: text('shell.german') },
        ]}
      />
      <TextField name="remindDays" label={text('holdNotices.remindDays')} hint={text('holdNotices.remindHint')} type="number" />
      <FormButtons isBusy={send.isPending} submit={text('holdNotices.send')} onClose={onClose} />
    </Form>
  );
}
