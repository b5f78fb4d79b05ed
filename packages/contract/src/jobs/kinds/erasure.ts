import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, type JobKind } from '../kind.ts';

const own = { type: z.literal('erasure'), deletionId: id };

/** Erases the archived messages that a deletion lists. It is asked for through deletions alone. */
export const erasure = {
  type: 'erasure',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { erases: true, page: '/archive/deletion-jobs', actions: { manage: 'deletion.manage', run: 'deletion.manage' } },
} as const satisfies JobKind;
