import { Checkbox, FieldContextProvider } from '@fluentui/react-components';
import { scheduleModes } from '@holdfast/contract/jobs/schedule';
import type { ReactElement } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { PhraseKey } from '../../../i18n/phrase-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { RadioField } from '../../../ui/choice-fields.tsx';
import { FieldFrame } from '../../../ui/field-frame.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { faultText } from '../../../ui/form.tsx';
import { Row, Stack } from '../../../ui/layout.tsx';
import { dayNames } from '../job-words.ts';
import type { Draft } from './draft.ts';

/** Below this Microsoft begins to slow requests down. */
const hintBelowMinutes = 15;

const modeNames: Readonly<Record<Draft['mode'], PhraseKey>> = {
  afterCreation: 'jobs.afterCreation',
  daily: 'jobs.modeDaily',
  weekly: 'jobs.modeWeekly',
  date: 'jobs.modeDate',
  interval: 'jobs.modeInterval',
  disabled: 'jobs.modeDisabled',
};

/** When the job runs. */
export function ScheduleStep(): ReactElement {
  const text = useText();
  const { control } = useFormContext<Draft>();
  const [mode, everyMinutes, timeZone] = useWatch({ control, name: ['mode', 'everyMinutes', 'timeZone'] });
  const hasTime = mode === 'daily' || mode === 'weekly' || mode === 'date';
  const isShort = typeof everyMinutes === 'number' && everyMinutes < hintBelowMinutes;
  return (
    <Stack>
      <RadioField
        name="mode"
        label={text('jobs.mode')}
        choices={scheduleModes.map((value) => ({ value, label: text(modeNames[value]) }))}
      />
      {mode === 'weekly' && <Weekdays />}
      {mode === 'date' && <TextField name="date" label={text('jobs.date')} type="date" required />}
      {hasTime && (
        <TextField name="time" label={text('jobs.time')} hint={text('jobs.timeHint', { zone: timeZone })} placeholder="22:00" required />
      )}
      {mode === 'interval' && (
        <TextField
          name="everyMinutes"
          label={text('jobs.everyMinutes')}
          type="number"
          required
          {...(isShort ? { hint: text('jobs.intervalHint') } : {})}
        />
      )}
    </Stack>
  );
}

/** Days of the week, from Monday on. */
function Weekdays(): ReactElement {
  const text = useText();
  const { field, fieldState } = useController<Draft, 'weekdays'>({ name: 'weekdays' });
  const fault = faultText(fieldState.error?.message, text);
  const days = field.value;
  return (
    <FieldFrame label={text('jobs.weekdays')} required fault={fault}>
      <div role="group" aria-label={text('jobs.weekdays')}>
        {/* A field is one control to its children: all seven would get its id, and each label would mean the first. */}
        <FieldContextProvider value={undefined}>
          <Row>
            {dayNames.map((name, at) => (
              <Checkbox
                key={name}
                label={text(name)}
                checked={days.includes(at + 1)}
                onChange={(_event, { checked }) =>
                  field.onChange(checked === true ? [...days, at + 1] : days.filter((day) => day !== at + 1))
                }
              />
            ))}
          </Row>
        </FieldContextProvider>
      </div>
    </FieldFrame>
  );
}
