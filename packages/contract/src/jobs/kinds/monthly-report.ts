import { z } from 'zod';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('monthlyReport') };

/** Makes the report of the last month that has ended, mails it and stores its file. It asks Microsoft 365 for nothing. */
export const monthlyReport = {
  type: 'monthlyReport',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  // It is made from what is stored, so it goes on when the tenant is no longer in use.
  traits: { needsTenant: () => false, actions: ordinaryActions },
} as const satisfies JobKind;
