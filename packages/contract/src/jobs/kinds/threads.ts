import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('threads'), setId: id };

/** Finds threads and near copies among the mail of a review set. It is asked for through the set alone. */
export const threads = {
  type: 'threads',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { page: '/ediscovery/portal', actions: ordinaryActions },
} as const satisfies JobKind;
