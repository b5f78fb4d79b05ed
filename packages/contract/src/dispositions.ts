import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, said, tenantParams } from './shared/values.ts';

/** What a reviewer can say about a message that is past a maximum. */
export const dispositionDecisions = ['delete', 'keep', 'move'] as const;
/** Messages that one decision is about at most. */
export const dispositionMost = 200;

const dispositionsQuery = listQuery({ sort: ['since'], filter: { policyId: id.optional() } });

const message = z.object({
  mailboxId: id,
  messageId: z.string().regex(/^[0-9a-f]{64}$/, { error: 'request.invalid' }),
});

/** A message that waits for a reviewer. Neither its subject nor its sender is shown: whoever may see numbers may not see mail. */
const disposition = message.extend({
  policyId: id,
  policyName: z.string(),
  mailboxName: z.string(),
  /** Where the message opens: a source of its archive, and the newest point there. */
  locationId: id,
  sourceId: id,
  sequence: z.number().int(),
  receivedAt: instant.nullable(),
  sizeBytes: z.number(),
  stage: z.number().int(),
  stages: z.number().int(),
  since: instant,
  /** Whether whoever asks may decide about it: as a reviewer of this stage who has decided in none before. */
  mayDecide: z.boolean(),
  reviewers: z.array(z.string()),
  /** What the stages before have said. */
  before: z.array(z.object({ stage: z.number().int(), by: z.string(), reason: z.string(), at: instant })),
});
export type Disposition = z.infer<typeof disposition>;

/** A decision about messages of one policy, with its reason. `until` is the last day on which they are kept; `toPolicyId` the policy that they come under. */
export const dispositionBody = z
  .object({
    policyId: id,
    messages: z.array(message).min(1, { error: 'validation.required' }).max(dispositionMost, { error: 'validation.dispositionMost' }),
    decision: z.enum(dispositionDecisions),
    until: z.iso.date({ error: 'validation.dateRequired' }).nullable().default(null),
    toPolicyId: id.nullable().default(null),
    reason: said(1_000),
  })
  .refine(({ decision, until }) => (decision === 'keep') === (until !== null), { path: ['until'], error: 'validation.dateRequired' })
  .refine(({ decision, toPolicyId }) => (decision === 'move') === (toPolicyId !== null), {
    path: ['toPolicyId'],
    error: 'validation.required',
  });
export type DispositionBody = z.infer<typeof dispositionBody>;

export const dispositions = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/dispositions',
    action: 'deletion.manage',
    summary: 'Messages past the maximum of a policy that wait for a reviewer, those that have waited longest first',
    params: tenantParams,
    query: dispositionsQuery,
    response: pageOf(disposition),
  }),
  decide: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/dispositions',
    action: 'deletion.manage',
    summary: 'Decide about messages as a reviewer: delete, keep longer, or bring under another policy. All of them or none',
    params: tenantParams,
    body: dispositionBody,
    response: z.object({ decided: z.number().int() }),
    errors: [
      'not-found',
      'retention.not-deleting',
      'retention.not-active',
      'retention.not-waiting',
      'retention.not-reviewer',
      'retention.decided-before',
      'retention.until-past',
    ],
  }),
};
