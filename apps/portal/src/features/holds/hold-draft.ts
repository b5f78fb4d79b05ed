import { holdBody } from '@holdfast/contract/holds';
import type { HoldBody } from '@holdfast/contract/holds';
import { z } from 'zod';

const day = z.preprocess((value) => (value === '' || value === undefined ? null : value), z.iso.date().nullable());

/** The first moment of a day of the reader's calendar, or of the day after it. */
function startOf(date: string, days = 0): Date {
  const [year = 0, month = 1, at = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, at + days);
}

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

/** The body of a draft: whole days, in the reader's zone. */
export function bodyOf({ name, reason, from, to }: HoldDraft, resourceId: string | null): HoldBody {
  return {
    name,
    reason,
    resourceId,
    from: from === null ? null : startOf(from).toISOString(),
    to: to === null ? null : new Date(startOf(to, 1).getTime() - 1).toISOString(),
  };
}
