import { z } from 'zod';
import { restoreSettings } from '../../restore.ts';
import { id, workload } from '../../values.ts';
import { commonAnswer, commonBody, ordinaryActions, placed, type JobKind } from '../kind.ts';

const own = { type: z.literal('restore'), workload, restore: restoreSettings };

/** Brings what is stored back, or hands it out as a download. */
export const restore = {
  type: 'restore',
  body: z.object({ ...commonBody, ...own, locationId: id }),
  answer: z.object({ ...commonAnswer, ...own, ...placed }),
  traits: { putsBack: true, actions: ordinaryActions },
} as const satisfies JobKind;
