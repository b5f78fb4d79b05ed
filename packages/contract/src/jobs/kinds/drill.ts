import { z } from 'zod';
import { id, workload } from '../../shared/values.ts';
import { commonAnswer, commonBody, counted, ordinaryActions, placed, type JobKind } from '../kind.ts';
import { jobSource, refuseOtherSources, unitSource } from '../source.ts';
import { whole } from '../whole.ts';

const own = { type: z.literal('drill'), workload, source: unitSource, samples: whole(1, 1_000, 'rules.samples').default(20) };

/** Restores samples into a folder of its own and compares them. */
export const drill = {
  type: 'drill',
  body: z.object({ ...commonBody, ...own, locationId: id }).superRefine(refuseOtherSources),
  answer: z.object({ ...commonAnswer, ...own, source: jobSource, ...placed, ...counted }),
  traits: { putsBack: true, proves: true, actions: ordinaryActions },
} as const satisfies JobKind;
