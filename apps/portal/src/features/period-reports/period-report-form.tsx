import { periodReports } from '@holdfast/contract/period-reports';
import type { PeriodReport } from '@holdfast/contract/period-reports';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useChange } from '../../api/queries.ts';
import { endOfDay, requiredDay, startOfDay } from '../../i18n/calendar-day.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';

const draft = z
  .object({ from: requiredDay, to: requiredDay, language: z.enum(['en', 'de']) })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'validation.holdPeriod' });

export interface PeriodReportFormProps {
  readonly tenantId: string;
  readonly onClose: () => void;
  readonly onMade: (made: PeriodReport) => void;
}

/** Asks for a report of any period. */
export function PeriodReportForm({ tenantId, onClose, onMade }: PeriodReportFormProps): ReactElement {
  const text = useText();
  const make = useChange(periodReports.make, { success: 'periodReports.created' });
  const form = useSchemaForm(draft, { from: '', to: '', language: 'en' });
  const title = text('periodReports.createTitle');
  const submit = ({ from, to, language }: z.output<typeof draft>): void =>
    make.mutate({ params: { tenantId }, body: { from: startOfDay(from), to: endOfDay(to), language } }, { onSuccess: onMade });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form form={form} label={title} onSubmit={submit}>
        <TextField name="from" label={text('periodReports.from')} type="date" required />
        <TextField name="to" label={text('periodReports.to')} type="date" required />
        <SelectField
          name="language"
          label={text('periodReports.language')}
          choices={[
            { value: 'en', label: text('periodReports.english') },
            { value: 'de', label: text('periodReports.german') },
          ]}
        />
        <FormButtons isBusy={make.isPending} submit={text('periodReports.create')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
