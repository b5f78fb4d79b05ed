import { caseBody } from '@holdfast/contract/case-values';
import type { CaseDetails } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useChange } from '../../api/queries.ts';
import { dayOf, endOfDay, optionalDay, startOfDay } from '../../i18n/calendar-day.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';

const draft = z
  .object({ matter: caseBody.shape.matter, reference: caseBody.shape.reference, from: optionalDay, to: optionalDay })
  .refine(({ from, to }) => from === null || to === null || from <= to, { path: ['to'], error: 'validation.holdPeriod' });

interface CaseFormProps {
  readonly tenantId: string;
  /** The case that is changed; null opens one. */
  readonly before: CaseDetails | null;
  readonly onClose: () => void;
  readonly onMade?: (made: CaseDetails) => void;
}

/** Opens a case, or changes its matter, reference and period. */
export function CaseForm({ tenantId, before, onClose, onMade }: CaseFormProps): ReactElement {
  const text = useText();
  const create = useChange(cases.create, { success: 'successes.caseOpened' });
  const update = useChange(cases.update, { success: 'successes.caseSaved' });
  const form = useSchemaForm(draft, {
    matter: before?.matter ?? '',
    reference: before?.reference ?? '',
    from: dayOf(before?.from ?? null),
    to: dayOf(before?.to ?? null),
  });
  const title = before === null ? text('cases.openTitle') : text('cases.editTitle', { matter: before.matter });
  const submit = ({ matter, reference, from, to }: z.output<typeof draft>): void => {
    const period = { from: from === null ? null : startOfDay(from), to: to === null ? null : endOfDay(to) };
    const body = { matter, reference, ...period };
    if (before === null) create.mutate({ params: { tenantId }, body }, { onSuccess: (made) => onMade?.(made) });
    else update.mutate({ params: { tenantId, caseId: before.caseId }, body }, { onSuccess: onClose });
  };
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form form={form} label={title} onSubmit={submit}>
        <TextField name="matter" label={text('cases.matter')} required />
        <TextField name="reference" label={text('cases.reference')} hint={text('cases.referenceHint')} />
        <TextField name="from" label={text('cases.from')} hint={text('cases.periodHint')} type="date" />
        <TextField name="to" label={text('cases.to')} type="date" />
        <FormButtons
          isBusy={create.isPending || update.isPending}
          submit={text(before === null ? 'cases.open' : 'common.save')}
          onClose={onClose}
        />
      </Form>
    </DetailDrawer>
  );
}
