import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, counted, ordinaryActions, placed, type JobKind } from '../kind.ts';
import { jobSource, refuseOtherSources, sourceReference } from '../source.ts';

const own = {
  type: z.literal('archive'),
  workload: z.literal('exchange'),
  source: jobSource,
  /** Mailboxes that are never archived, whatever else chooses them: a works council, a company doctor. Groups mean their members. */
  exempt: z.array(sourceReference).max(10_000).default([]),
};

/** Keeps every message of mailboxes that a backup has stored, in the vault of a location. */
export const archive = {
  type: 'archive',
  body: z.object({ ...commonBody, ...own, locationId: id }).superRefine(refuseOtherSources),
  answer: z.object({ ...commonAnswer, ...own, ...placed, ...counted }),
  traits: { stores: 'archive', gathers: true, page: '/archive/jobs', actions: ordinaryActions },
} as const satisfies JobKind;
