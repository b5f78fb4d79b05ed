import { Text } from '@fluentui/react-components';
import { caseQueryBody } from '@holdfast/contract/case-values';
import type { CaseQuery } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import type { SchemaForm } from '../../ui/form.tsx';
import type { CaseProps } from './case-props.ts';

interface QueryFormProps extends CaseProps {
  /** The query that is changed; null adds one. */
  readonly before: CaseQuery | null;
  readonly onClose: () => void;
}

/** Adds or changes a query. The server words its faults at the field; how it is read is shown while it is typed. */
export function QueryForm({ tenantId, of, before, onClose }: QueryFormProps): ReactElement {
  const text = useText();
  const add = useChange(cases.addQuery, { success: 'successes.caseSaved' });
  const change = useChange(cases.changeQuery, { success: 'successes.caseSaved' });
  const form = useSchemaForm(caseQueryBody, { name: before?.name ?? '', query: before?.query ?? '' });
  const title = before === null ? text('cases.addQuery') : text('cases.editQuery', { name: before.name });
  const params = { tenantId, caseId: of.caseId };
  const outcome = {
    onSuccess: onClose,
    onError: showFaultsIn(form),
  };
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) => {
          if (before === null) add.mutate({ params, body }, outcome);
          else change.mutate({ params: { ...params, queryId: before.queryId }, body }, outcome);
        }}
      >
        <TextField name="name" label={text('cases.queryName')} required />
        <TextAreaField name="query" label={text('cases.query')} hint={text('cases.queryHint')} />
        <Reading form={form} />
        <FormButtons
          isBusy={add.isPending || change.isPending}
          submit={text(before === null ? 'cases.addQuery' : 'common.save')}
          onClose={onClose}
        />
      </Form>
    </DetailDrawer>
  );
}

function Reading({ form }: { readonly form: SchemaForm<typeof caseQueryBody> }): ReactElement | null {
  const text = useText();
  const typed = useWatch({ control: form.control, name: 'query' });
  const { query } = parseQuery(typed);
  if (typed.trim() === '' || query === undefined) return null;
  return (
    <Text size={200} role="status">
      {text('cases.readAs', { query: printQuery(query) })}
    </Text>
  );
}
