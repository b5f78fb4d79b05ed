import { z } from 'zod';
import { teamExpressionMaxLength } from './shared/limits.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload } from './shared/values.ts';

export const protectionStates = ['protected', 'partly', 'unprotected', 'excluded'] as const;

/** Somebody or something that can be protected, live from the directory, joined with what the location holds. */
export const candidate = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  kind: z.enum(['user', 'sharedMailbox', 'guest', 'group', 'site', 'team']),
  protection: z.enum(protectionStates),
  lastPointAt: instant.nullable(),
});
export type Candidate = z.infer<typeof candidate>;

/** What a location holds restore points of; also what no longer exists in Microsoft 365. */
export const source = z.object({
  sourceId: id,
  resourceId: id,
  graphId: z.string(),
  name: z.string(),
  address: z.string(),
  kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat']),
  workload,
  points: z.number().int(),
  oldestPointAt: instant.nullable(),
  newestPointAt: instant.nullable(),
  items: z.number().int(),
  bytes: z.number(),
  /** When it was gone from Microsoft 365. */
  deletedAt: instant.nullable(),
  /** Some of its restore points are under a legal hold. */
  isHeld: z.boolean(),
});
export type Source = z.infer<typeof source>;

export const restorePoint = z.object({
  sequence: z.number().int(),
  at: instant,
  status: z.enum(['successful', 'defective']),
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
});
export type RestorePoint = z.infer<typeof restorePoint>;

/** What a list shows of a message, an event, a task or a mail folder besides its name. */
export const nodeFacts = z.object({
  isUnread: z.boolean(),
  isFlagged: z.boolean(),
  isImportant: z.boolean(),
  hasAttachments: z.boolean(),
  categories: z.array(z.string()),
  /** Of an event; an all-day event starts at midnight UTC wherever it is read. */
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  isAllDay: z.boolean(),
  isRecurring: z.boolean(),
  /** Of a task. */
  dueAt: instant.nullable(),
  isDone: z.boolean(),
  /** Of a mail folder that every mailbox has: `inbox`, `sentitems`. */
  wellKnown: z.string().nullable(),
});
export type NodeFacts = z.infer<typeof nodeFacts>;

/** An item of a source at a restore point. Containers come first. */
export const node = z.object({
  nodeId: z.string(),
  parentId: z.string().nullable(),
  kind: z.string(),
  isContainer: z.boolean(),
  name: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  createdAt: instant.nullable(),
  modifiedAt: instant.nullable(),
  author: z.string().nullable(),
  versions: z.number().int(),
  /** How many items a container holds at the point, without those of the containers in it; null for what is none. */
  itemCount: z.number().int().nullable(),
  facts: nodeFacts.nullable(),
  /** Set when a search went over all points and the item is not in the newest. */
  lastSeenAt: instant.nullable(),
  lastSequence: z.number().int().nullable(),
});
export type Node = z.infer<typeof node>;

/** A step of the way from the root of a source to a node. */
export const trailStep = z.object({ nodeId: z.string(), name: z.string(), kind: z.string() });
export type TrailStep = z.infer<typeof trailStep>;

const locationParams = tenantParams.extend({ locationId: id });
const sourceParams = locationParams.extend({ sourceId: id });
const candidates = listQuery({
  sort: ['name', 'address', 'lastPointAt'],
  filter: {
    protection: z.enum(protectionStates).optional(),
    /** Of which workload the protection is told; people are asked about their mailbox without it. */
    workload: workload.optional(),
    /** Guests have no mailbox and no OneDrive: they are left out where they cannot be chosen. */
    guests: z.stringbool().optional(),
  },
});

const find = (path: `/${string}`, summary: string) =>
  defineRoute({
    method: 'GET',
    path,
    action: 'discovery.read',
    summary,
    params: locationParams,
    query: candidates,
    response: pageOf(candidate),
    errors: ['discovery.directory-unavailable', 'tenants.deprovisioned'],
  });

export const discovery = {
  users: find('/api/:tenantId/discovery/:locationId/users', 'Users and shared mailboxes that can be protected'),
  groups: find('/api/:tenantId/discovery/:locationId/groups', 'Groups whose members can be protected'),
  sites: find('/api/:tenantId/discovery/:locationId/sites', 'Sites that can be protected'),
  teams: defineRoute({
    ...find('/api/:tenantId/discovery/:locationId/teams', 'Teams that can be protected'),
    /** Those whose name has this regular expression (RE2, whatever the case), as a job finds them when it runs. */
    query: candidates.extend({ expression: z.string().trim().min(1).max(teamExpressionMaxLength).optional() }),
    errors: ['discovery.directory-unavailable', 'tenants.deprovisioned', 'discovery.expression-invalid'],
  }),
  channels: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/teams/:teamId/channels',
    action: 'discovery.read',
    summary: 'The channels of a team, live from Microsoft 365',
    params: locationParams.extend({ teamId: z.string().min(1).max(200) }),
    response: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
    errors: ['discovery.directory-unavailable', 'tenants.deprovisioned'],
  }),
  groupUsers: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/groups/:groupId/users',
    action: 'discovery.read',
    summary: 'The members of a group',
    params: locationParams.extend({ groupId: z.string().min(1).max(200) }),
    query: candidates,
    response: pageOf(candidate),
    errors: ['discovery.directory-unavailable', 'tenants.deprovisioned'],
  }),
  sources: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/sources',
    action: 'discovery.read',
    summary: 'What the location holds restore points of',
    params: locationParams,
    query: listQuery({
      sort: ['name', 'newestPointAt', 'bytes', 'items'],
      filter: { workload: workload.optional(), deleted: z.stringbool().optional() },
    }),
    response: pageOf(source),
  }),
  source: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/source/:sourceId',
    action: 'discovery.read',
    summary: 'One source',
    params: sourceParams,
    response: source,
    errors: ['restore.source-unknown'],
  }),
  points: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/source/:sourceId/points',
    action: 'content.browse',
    summary: 'The restore points of a source',
    params: sourceParams,
    query: z.object({ from: instant.optional(), to: instant.optional() }),
    response: z.object({ items: z.array(restorePoint) }),
    errors: ['restore.source-unknown'],
  }),
  items: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/source/:sourceId/items/:nodeId',
    action: 'content.browse',
    summary: 'What lies in a node of a source at a time; `root` starts',
    params: sourceParams.extend({ nodeId: z.string().min(1).max(1_000) }),
    query: listQuery({
      sort: ['name', 'modifiedAt', 'sizeBytes', 'kind'],
      filter: {
        /** The state that held at this time; the newest when absent. */
        at: instant.optional(),
        /** With `search`: everywhere below the node, over all points. */
        everywhere: z.stringbool().optional(),
        /** Only what was in the node at an earlier restore point and is gone from the source at this one. */
        deleted: z.stringbool().optional(),
        kind: z.string().max(40).optional(),
      },
    }),
    response: pageOf(node).extend({ point: restorePoint.nullable(), trail: z.array(trailStep) }),
    errors: ['restore.source-unknown'],
  }),
  compare: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/discovery/:locationId/source/:sourceId/compare',
    action: 'content.browse',
    summary: 'What was added, changed and deleted between two restore points',
    params: sourceParams,
    query: z.object({
      from: z.coerce.number().int().min(0),
      to: z.coerce.number().int().min(1),
      cursor: z.string().max(2_000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    response: pageOf(node.extend({ change: z.enum(['added', 'changed', 'removed']) })),
    errors: ['restore.point-unknown', 'restore.source-unknown'],
  }),
};
