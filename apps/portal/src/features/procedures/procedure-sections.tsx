import { Button, Text } from '@fluentui/react-components';
import { mostSections, procedures, procedureSections } from '@holdfast/contract/procedures';
import type { ProcedureSection } from '@holdfast/contract/procedures';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';

export interface ProcedureSectionsProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** What the organisation adds to the next version in its own words. */
export function ProcedureSections({ tenantId, onClose }: ProcedureSectionsProps): ReactElement {
  const text = useText();
  const found = useQuery(read(procedures.sections, { params: { tenantId }, quiet: true }));
  return (
    <DetailDrawer title={text('procedures.ownSections')} onClose={onClose}>
      <Text>{text('procedures.ownSectionsLead')}</Text>
      {found.isPending && <LoadingShape rows={4} />}
      {found.error !== null && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && <SectionsForm tenantId={tenantId} kept={found.data.sections} onClose={onClose} />}
    </DetailDrawer>
  );
}

function SectionsForm({ tenantId, kept, onClose }: ProcedureSectionsProps & { readonly kept: ProcedureSection[] }): ReactElement {
  const text = useText();
  const save = useChange(procedures.saveSections, { success: 'procedures.saved' });
  const form = useSchemaForm(procedureSections, { sections: kept });
  const sections = form.watch('sections');
  const put = (next: ProcedureSection[]): void => form.setValue('sections', next, { shouldDirty: true });
  return (
    <Form
      form={form}
      label={text('procedures.ownSections')}
      onSubmit={(body) => save.mutate({ params: { tenantId }, body }, { onSuccess: onClose })}
    >
      {sections.map((_section, at) => {
        const number = String(at + 1);
        return (
          // Sections have nothing but their place.
          <Stack key={at}>
            <TextField name={`sections.${at}.title`} label={text('procedures.sectionTitle', { number })} required />
            <TextAreaField name={`sections.${at}.text`} label={text('procedures.sectionText', { number })} rows={6} required />
            <Row>
              <Button onClick={() => put(form.getValues('sections').filter((_kept, other) => other !== at))}>
                {text('procedures.removeSection', { number })}
              </Button>
            </Row>
          </Stack>
        );
      })}
      <Row>
        <Button disabled={sections.length >= mostSections} onClick={() => put([...form.getValues('sections'), { title: '', text: '' }])}>
          {text('procedures.addSection')}
        </Button>
      </Row>
      <FormButtons isBusy={save.isPending} submit={text('common.save')} onClose={onClose} />
    </Form>
  );
}
