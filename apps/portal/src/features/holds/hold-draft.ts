import { holdBody } from '@holdfast/contract/holds';
import type { HoldBody } from '@holdfast/contract/holds';
import { z } from 'zod';
import { endOfDay, optionalDay as day, startOfDay } from '../../i18n/calendar-day.ts';

/** What the form asks for: days instead of moments. Everything else is as the contract has it. */
export const holdDraft = z
  .object({ name: holdBody.shape.name, reason: holdBody.shape.reason, from: day, to: day })
  .refine(({ from, to }) => from === null || to === null || from <= to, { path: ['to'], error: 'validation.holdPeriod' });
/** The same where there is no resource: then a period bounds it. */
export const holdPeriodDraft = holdDraft.refine(({ from, to }) => from !== null || to !== null, {
  path: ['from'],
  error: 'validation.holdUnbounded',
});
export type HoldDraft = z.output<typeof holdDraft>;

/** The body of a draft on these: whole days, in the reader's zone. */
export function bodyOf({ name, reason, from, to }: HoldDraft, on: Pick<HoldBody, 'resourceId' | 'items' | 'searchId'>): HoldBody {
  return { name, reason, ...on, from: from === null ? null : startOfDay(from), to: to === null ? null : endOfDay(to) };
}
