import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('undo'), reportId: id, reason: z.string() };

/** Takes back what the restore of a run has written into Microsoft 365. It is asked for on the page of that run alone. */
export const undo = {
  type: 'undo',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { undoes: true, page: '/backup-and-restore/restore', actions: ordinaryActions },
} as const satisfies JobKind;
