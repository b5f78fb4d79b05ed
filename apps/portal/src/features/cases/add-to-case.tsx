import { Text } from '@fluentui/react-components';
import { caseFilesBody } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import type { HeldItem } from '@holdfast/contract/holds';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useHoldWords } from '../holds/index.ts';

/** Open cases that are offered, the newest first. */
const shown = 200;

export interface AddToCaseProps {
  readonly tenantId: string;
  readonly resourceId: string;
  readonly items: readonly HeldItem[];
  readonly onClose: () => void;
}

/** Adds files and folders of a site to a case that the reader works on. */
export function AddToCase(props: AddToCaseProps): ReactElement {
  const text = useText();
  const words = useHoldWords();
  const { tenantId } = props;
  const open = useQuery(
    read(cases.list, { params: { tenantId }, query: { status: 'open', limit: shown, sort: '-createdAt' }, quiet: true }),
  );
  const title = text('cases.addToCaseTitle', { name: words.items(props.items) });
  return (
    <DetailDrawer title={title} onClose={props.onClose}>
      {open.isError && <FailedState error={open.error} onRetry={() => void open.refetch()} />}
      {open.isPending && <LoadingShape rows={3} />}
      {open.data?.items.length === 0 && <EmptyState text={text('cases.noOpenCases')} />}
      {open.data !== undefined && open.data.items.length > 0 && (
        <CaseChoice {...props} title={title} choices={open.data.items.map(({ caseId, matter }) => ({ value: caseId, label: matter }))} />
      )}
    </DetailDrawer>
  );
}

const draft = z.object({ caseId: z.string().min(1, { error: 'validation.required' }), note: caseFilesBody.shape.note });

interface CaseChoiceProps extends AddToCaseProps {
  readonly title: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

function CaseChoice({ tenantId, resourceId, items, onClose, title, choices }: CaseChoiceProps): ReactElement {
  const text = useText();
  const add = useChange(cases.addFiles, { success: 'successes.caseFilesAdded' });
  const form = useSchemaForm(draft, { caseId: choices[0]?.value ?? '', note: '' });
  return (
    <Form
      form={form}
      label={title}
      onSubmit={({ caseId, note }) =>
        add.mutate(
          { params: { tenantId, caseId }, body: { resourceId, items: items.map(({ nodeId }) => nodeId), note } },
          { onSuccess: onClose },
        )
      }
    >
      <Text>{text('cases.addToCaseText')}</Text>
      <SelectField name="caseId" label={text('cases.case')} choices={choices} />
      <TextAreaField name="note" label={text('cases.note')} />
      <FormButtons isBusy={add.isPending} submit={text('common.add')} onClose={onClose} />
    </Form>
  );
}
