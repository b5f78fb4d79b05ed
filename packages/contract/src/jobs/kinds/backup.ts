import { z } from 'zod';
import { id, workload } from '../../shared/values.ts';
import { commonAnswer, commonBody, counted, ordinaryActions, placed, type JobKind } from '../kind.ts';
import { jobSource, refuseOtherSources } from '../source.ts';

const own = { type: z.literal('backup'), workload, source: jobSource };

/** Reads what has changed into the vault of a location. */
export const backup = {
  type: 'backup',
  body: z.object({ ...commonBody, ...own, locationId: id }).superRefine(refuseOtherSources),
  answer: z.object({ ...commonAnswer, ...own, ...placed, ...counted }),
  traits: { protects: true, stores: 'backup', actions: ordinaryActions },
} as const satisfies JobKind;
