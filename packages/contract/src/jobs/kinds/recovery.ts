import { z } from 'zod';
import { recoverySettings } from '../../content/selections.ts';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('recovery'), recovery: recoverySettings };

/** Restores the hits of a search, whichever mailboxes, drives, sites and teams they are of. */
export const recovery = {
  type: 'recovery',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { putsBack: true, actions: ordinaryActions },
} as const satisfies JobKind;
