import { z } from 'zod';
import { id, workload } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, placed, type JobKind } from '../kind.ts';
import { whole } from '../whole.ts';

const own = { type: z.literal('verify'), workload, budgetPercent: whole(1, 100, 'rules.percent').default(10) };

/** Checks the vault of a location, and reads part of its data back. */
export const verify = {
  type: 'verify',
  body: z.object({ ...commonBody, ...own, locationId: id }),
  answer: z.object({ ...commonAnswer, ...own, ...placed }),
  traits: { proves: true, actions: ordinaryActions },
} as const satisfies JobKind;
