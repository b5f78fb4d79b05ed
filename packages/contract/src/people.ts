import { z } from 'zod';
import { protectionStates } from './discovery.ts';
import { job } from './jobs.ts';
import { run } from './monitoring.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams, workload } from './shared/values.ts';

/** A person has a mailbox, a OneDrive or both; a shared mailbox is one without a OneDrive. */
export const protectableKinds = ['person', 'site', 'team', 'chat'] as const;

/** A mailbox, OneDrive, site, team or chat, and how well it is protected. */
export const protectablePart = z.object({
  /** Null for what Microsoft 365 does not have, such as the OneDrive of somebody who never opened it. */
  resourceId: id.nullable(),
  graphId: z.string(),
  kind: z.enum(['mailbox', 'drive', 'site', 'team', 'chat']),
  workload,
  state: z.enum(protectionStates),
  /** Why it is not protected, or not whole: a code with a phrase. */
  reason: z.string().nullable(),
  newestPointAt: instant.nullable(),
  items: z.number().int(),
  bytes: z.number(),
});
export type ProtectablePart = z.infer<typeof protectablePart>;

/** Everything of one person, site, team or chat in one entry. */
export const protectable = z.object({
  /** Names it in addresses: of a person that of the mailbox, else of the OneDrive. Null where nothing was ever found to protect. */
  resourceId: id.nullable(),
  kind: z.enum(protectableKinds),
  name: z.string(),
  address: z.string(),
  state: z.enum(protectionStates),
  parts: z.array(protectablePart),
  newestPointAt: instant.nullable(),
  items: z.number().int(),
  bytes: z.number(),
  /** When all of it was gone from Microsoft 365. */
  deletedAt: instant.nullable(),
  isHeld: z.boolean(),
});
export type Protectable = z.infer<typeof protectable>;

/** How a day ended for somebody: the worst of what was tried. */
export const dayStates = ['none', 'safe', 'errors', 'failed'] as const;
export type DayState = (typeof dayStates)[number];

export const protectableDay = z.object({
  date: z.string(),
  state: z.enum(dayStates),
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
});
export type ProtectableDay = z.infer<typeof protectableDay>;

/** Where a location holds restore points of a part. */
export const protectablePlace = z.object({
  resourceId: id,
  sourceId: id,
  locationId: id,
  locationName: z.string(),
  points: z.number().int(),
  items: z.number().int(),
  bytes: z.number(),
  oldestPointAt: instant.nullable(),
  newestPointAt: instant.nullable(),
});

export const protectableDetails = z.object({
  entry: protectable,
  places: z.array(protectablePlace),
  /** The last 60 days, the oldest first. */
  days: z.array(protectableDay),
  /** What covers it. */
  jobs: z.array(job),
  /** The last things that were restored of it. */
  restores: z.array(run),
});
export type ProtectableDetails = z.infer<typeof protectableDetails>;

export const peopleQuery = listQuery({
  sort: ['name', 'newestPointAt', 'bytes'],
  filter: {
    kind: z.enum(protectableKinds).optional(),
    state: z.enum(protectionStates).optional(),
    /** Only those that are gone from Microsoft 365, or only those that are not. */
    left: z.stringbool().optional(),
    held: z.stringbool().optional(),
  },
});

/** Days of several people, sites or teams, for a picture of who was safe when. */
export const protectionDays = z.object({
  dates: z.array(z.string()),
  rows: z.array(
    z.object({
      resourceId: id,
      name: z.string(),
      days: z.array(z.enum(dayStates)),
    }),
  ),
  /** How many there are, those that are not shown included. */
  total: z.number().int(),
});
export type ProtectionDays = z.infer<typeof protectionDays>;

export const people = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/people',
    action: 'dashboard.read',
    summary: 'Everybody and everything that can be protected, each once with all that belongs to them',
    params: tenantParams,
    query: peopleQuery,
    response: pageOf(protectable),
  }),
  days: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/people/days',
    action: 'dashboard.read',
    summary: 'How each of the last 30 days ended for people, sites or teams, those in trouble first',
    params: tenantParams,
    query: z.object({
      of: z.enum(['person', 'site', 'team']).default('person'),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: protectionDays,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/people/:resourceId',
    action: 'dashboard.read',
    summary: 'Everything about one person, site, team or chat',
    params: tenantParams.extend({ resourceId: id }),
    response: protectableDetails,
    errors: ['not-found'],
  }),
};
