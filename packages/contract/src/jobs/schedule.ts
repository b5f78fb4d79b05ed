import { z } from 'zod';
import { instant, timeOfDay } from '../shared/values.ts';

/** When a job runs (spec section 4). Times are in the zone named beside them; days count from Monday = 1. */
export const scheduleModes = ['afterCreation', 'daily', 'weekly', 'date', 'interval', 'disabled'] as const;
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

const timeZone = z.string().min(1).max(60);
const weekday = z.number().int().min(1).max(7);
/** A day of the calendar: the 30th of February is none. */
const day = z.iso.date({ error: 'validation.dateRequired' });

export const schedule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('afterCreation') }),
  z.object({ mode: z.literal('daily'), time: timeOfDay, timeZone }),
  z.object({
    mode: z.literal('weekly'),
    time: timeOfDay,
    timeZone,
    weekdays: z
      .array(weekday)
      .min(1, { error: 'validation.weekdays' })
      .max(7)
      .refine((days) => new Set(days).size === days.length, { error: 'validation.weekdaysTwice' }),
  }),
  z.object({ mode: z.literal('date'), date: day, time: timeOfDay, timeZone }),
  z.object({
    mode: z.literal('interval'),
    everyMinutes: z
      .int({ error: 'validation.everyMinutes' })
      .min(1, { error: 'validation.everyMinutes' })
      .max(1_440, { error: 'validation.everyMinutes' }),
  }),
  z.object({ mode: z.literal('disabled') }),
]);
export type Schedule = z.infer<typeof schedule>;

/** A schedule as it was kept, with each day once: earlier versions took doubles. */
export function completeSchedule(kept: Schedule): Schedule {
  return kept.mode === 'weekly' ? { ...kept, weekdays: [...new Set(kept.weekdays)] } : kept;
}

/** The moments at which a schedule would run next, for the last step of the stepper. */
export const nextRuns = z.object({ runs: z.array(instant) });
