import { z } from 'zod';
import { exportRefusals, leaveRefusals } from './content.ts';
import { listQuery, pageOf } from '../shared/paging.ts';
import { defineRoute } from '../shared/route.ts';
import { id, instant, tenantParams } from '../shared/values.ts';

export const collisionPolicies = ['skip', 'keepBoth', 'replace', 'newerWins'] as const;
export const downloadFormats = ['eml', 'mbox', 'zip', 'html', 'json', 'ics', 'vcf'] as const;

/** Where restored items go. People may get to see what they could not see before: `elsewhere` warns. */
export const restoreTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('original') }),
  z.object({ kind: z.literal('folder'), folder: z.string().trim().min(1, { error: 'validation.required' }).max(400) }),
  z.object({
    kind: z.literal('elsewhere'),
    graphId: z.string().min(1).max(400),
    name: z.string().max(400),
    folder: z.string().trim().max(400).optional(),
  }),
  z.object({ kind: z.literal('download'), format: z.enum(downloadFormats) }),
  /** A trial: into a folder of its own, read back and compared byte by byte; what is there stays as it is. */
  z.object({ kind: z.literal('rehearsal') }),
]);
export type RestoreTarget = z.infer<typeof restoreTarget>;

const targetKinds = ['original', 'folder', 'elsewhere', 'download', 'rehearsal'] as const satisfies readonly RestoreTarget['kind'][];

/** Of a restore: what, to whom and why. The recipient is empty where the kind of target says it all. */
export const restoreFacts = z.object({ source: z.string(), target: z.enum(targetKinds), recipient: z.string(), reason: z.string() });

/** The facts of a restore for lists, pages and the audit log. */
export function factsOf({ sourceName, target, reason }: RestoreSettings): z.infer<typeof restoreFacts> {
  const folder = 'folder' in target ? (target.folder ?? '') : '';
  const parts = target.kind === 'elsewhere' ? [target.name, folder] : [folder];
  return { source: sourceName, target: target.kind, recipient: parts.filter((part) => part !== '').join(': '), reason };
}

/** Elsewhere or as a download content is shown to others than those it belongs to. */
export function leavesItsPlace(kind: RestoreTarget['kind']): boolean {
  return kind === 'elsewhere' || kind === 'download';
}

/** One restore: what of a source as it was at a point, whereto, and what happens to what is there already. */
export const restoreSettings = z.object({
  sourceId: id,
  sourceName: z.string().max(400).default(''),
  /** A restore point; the newest when absent. */
  sequence: z.number().int().min(1).optional(),
  /** Node ids, each with what is in it; `all` for the whole source. */
  items: z.union([z.literal('all'), z.array(z.string().min(1).max(1_000)).min(1, { error: 'validation.required' }).max(10_000)]),
  /** The one chosen file as it was in this version, by the label that its preview gives. */
  fileVersion: z.string().min(1).max(60).optional(),
  target: restoreTarget,
  collisions: z.enum(collisionPolicies).default('skip'),
  options: z
    .object({ versions: z.boolean().default(true), permissions: z.boolean().default(true), automaticReplies: z.boolean().default(false) })
    .default({ versions: true, permissions: true, automaticReplies: false }),
  /** Why other people's content is opened; asked for when it leaves its place. */
  reason: z.string().trim().max(500).default(''),
});
export type RestoreSettings = z.infer<typeof restoreSettings>;

export const restorePlan = z.object({
  /** The restore point that was looked at: a restore that names it does what this plan says. */
  sequence: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
  byKind: z.array(z.object({ kind: z.string(), count: z.number().int() })),
  /** Items that meet something at the target. */
  collisions: z.number().int(),
  /** Items of which that can't be known before the restore: what lies at the target can't be read. */
  unknown: z.number().int(),
  notRestorable: z.array(z.object({ code: z.string(), count: z.number().int() })),
  missingRoles: z.array(z.string()),
  expectedSeconds: z.number().nullable(),
});
export type RestorePlan = z.infer<typeof restorePlan>;

/** What became of an item in a restore; `removed` and `putBack` of one whose restore was undone. */
export const restoreOutcomes = ['restored', 'skipped', 'renamed', 'replaced', 'removed', 'putBack', 'failed', 'notPossible'] as const;
export const restoreLine = z.object({
  itemId: z.string(),
  kind: z.string(),
  path: z.string(),
  outcome: z.enum(restoreOutcomes),
  code: z.string().nullable(),
  differences: z.array(z.string()),
});

const runParams = tenantParams.extend({ reportId: id });

export const restoreReportQuery = listQuery({
  sort: ['path', 'kind', 'outcome', 'code'],
  filter: { outcome: z.enum(restoreOutcomes).optional() },
});

export const restore = {
  plan: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/restore/plan',
    action: 'restore.run',
    summary: 'What a restore would do; nothing is written',
    params: tenantParams,
    body: z.object({ locationId: id, restore: restoreSettings }),
    response: restorePlan,
    errors: [
      'restore.source-unknown',
      'restore.point-unknown',
      'content.item-unknown',
      'restore.role-missing',
      'restore.target-unusable',
      ...leaveRefusals,
    ],
  }),
  report: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring/:reportId/items',
    action: 'monitoring.read',
    summary: 'The report of a restore, item by item',
    params: runParams,
    query: restoreReportQuery,
    response: pageOf(restoreLine).extend({
      /** How many of those that the search finds came out which way. */
      counts: z.record(z.enum(restoreOutcomes), z.number().int()),
    }),
  }),
  download: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/downloads/:reportId',
    action: 'restore.elsewhere',
    summary: 'The file that a restore to a download has built',
    params: runParams,
    response: 'download',
    errors: ['restore.download-not-ready', 'restore.download-expired', 'restore.download-not-yours', ...exportRefusals],
  }),
  /** When the file of a download is removed from the server. */
  downloadInfo: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/downloads/:reportId/info',
    action: 'restore.elsewhere',
    summary: 'Name and end of a download',
    params: runParams,
    response: z.object({ fileName: z.string(), expiresAt: instant }),
    errors: ['restore.download-not-ready', 'restore.download-expired', 'restore.download-not-yours'],
  }),
};
