import { Button } from '@fluentui/react-components';
import { contentTicketBody } from '@holdfast/contract/content';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';

const schema = contentTicketBody.pick({ reason: true });

/** Asks why somebody looks into what belongs to others. */
export function ReasonForm({ onGive }: { readonly onGive: (reason: string) => void }): ReactElement {
  const text = useText();
  const form = useSchemaForm(schema, { reason: '' });
  return (
    <Form form={form} label={text('restore.preview')} onSubmit={({ reason }) => onGive(reason)}>
      <TextField name="reason" label={text('restore.reason')} hint={text('content.reasonHint')} required autoFocus />
      <Row>
        <Button type="submit" appearance="primary">
          {text('restore.open')}
        </Button>
      </Row>
    </Form>
  );
}
