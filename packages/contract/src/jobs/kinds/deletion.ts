import { z } from 'zod';
import { id, workload } from '../../shared/values.ts';
import { commonAnswer, commonBody, counted, placed, type JobKind } from '../kind.ts';
import { retentionRule } from '../retention-rule.ts';
import { jobSource, refuseOtherSources, wholeSource } from '../source.ts';

const own = { type: z.literal('deletion'), workload, source: wholeSource, retention: retentionRule };

/** Gives up restore points that a rule does not keep. */
export const deletion = {
  type: 'deletion',
  body: z.object({ ...commonBody, ...own, locationId: id }).superRefine(refuseOtherSources),
  answer: z.object({ ...commonAnswer, ...own, source: jobSource, ...placed, ...counted }),
  traits: {
    deletes: true,
    needsApproval: true,
    page: '/archive/deletion-jobs',
    actions: { manage: 'deletion.manage', run: 'deletion.manage' },
  },
} as const satisfies JobKind;
