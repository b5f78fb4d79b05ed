import { z } from 'zod';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('scan') };

/** Reads from the catalog what sites and OneDrives hold, and makes a report. It asks Microsoft 365 and the vault for nothing. */
export const scan = {
  type: 'scan',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { actions: ordinaryActions },
} as const satisfies JobKind;
