import { z } from 'zod';
import { traitsOf, type JobType } from './jobs.ts';
import { defineRoute } from './shared/route.ts';
import { workerIp } from './workers.ts';
import { id, instant, tenantParams } from './shared/values.ts';

export const locationUses = ['backup', 'archive', 'both'] as const;

/** Whether jobs of a type may store in a location of this use. Those that store nothing new work wherever something is stored. */
export function takes(use: (typeof locationUses)[number], type: JobType): boolean {
  const { stores } = traitsOf(type);
  return stores === undefined || use === 'both' || use === stores;
}

const days = z.int({ error: 'rules.days' }).min(0, { error: 'rules.days' }).max(36_500, { error: 'rules.days' });
const tooLong = { error: 'validation.tooLong' } as const;
const needed = { error: 'validation.required' } as const;

/** Object lock of new packs: `governance` may be lifted by the bucket's owner, `compliance` by nobody. */
export const immutability = z.object({
  mode: z.enum(['none', 'governance', 'compliance']),
  days,
});

const name = z
  .string()
  .trim()
  .min(1, { error: 'validation.name' })
  .max(100, { error: 'validation.name' })
  .regex(/^[\p{L}\p{N} ._-]+$/u, { error: 'rules.specialCharacters' });
const shared = {
  name,
  use: z.enum(locationUses).default('both'),
  immutability: immutability.default({ mode: 'none', days: 0 }),
  retainDays: days.default(0),
};
const filesystemTarget = z.object({ kind: z.literal('filesystem'), path: z.string().min(1, { error: 'rules.path' }).max(1_000, tooLong) });
const s3Fields = {
  kind: z.literal('s3'),
  endpoint: z.union([z.url({ protocol: /^https?$/, error: 'rules.url' }), z.literal('')]).default(''),
  region: z.string().min(1, { error: 'rules.region' }).max(60, tooLong),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'rules.bucket' }),
  prefix: z
    .string()
    .max(200, tooLong)
    .regex(/^(?:[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*\/?)?$/, { error: 'rules.prefix' })
    .default(''),
  forcePathStyle: z.boolean().default(false),
};
const s3Keys = { accessKeyId: z.string().min(1, needed).max(200, tooLong), secretAccessKey: z.string().min(1, needed).max(500, tooLong) };

export const locationBody = z.discriminatedUnion('kind', [
  filesystemTarget.extend(shared),
  z.object({ ...s3Fields, ...shared, ...s3Keys }),
]);
export type LocationBody = z.infer<typeof locationBody>;
/** Without keys the stored ones stay. Where the data lies can't change: a vault does not move. */
export const locationUpdateBody = z.object({
  ...shared,
  accessKeyId: s3Keys.accessKeyId.optional(),
  secretAccessKey: s3Keys.secretAccessKey.optional(),
});

export const probeSteps = ['write', 'read', 'conditionalPut', 'delete', 'objectLock'] as const;
export const locationTest = z.object({
  ok: z.boolean(),
  testedAt: instant,
  freeBytes: z.number().nullable(),
  objectLock: z.boolean(),
  steps: z.array(
    z.object({ step: z.enum(probeSteps), result: z.enum(['passed', 'failed', 'unsupported', 'skipped']), message: z.string().nullable() }),
  ),
});
export type LocationTest = z.infer<typeof locationTest>;

export const location = z.object({
  locationId: id,
  name: z.string(),
  kind: z.enum(['filesystem', 's3']),
  use: z.enum(locationUses),
  path: z.string().nullable(),
  endpoint: z.string().nullable(),
  region: z.string().nullable(),
  bucket: z.string().nullable(),
  prefix: z.string().nullable(),
  forcePathStyle: z.boolean(),
  keysSet: z.boolean(),
  immutability,
  retainDays: z.number().int(),
  /** A shorter time that waits for a second person. */
  pendingRetainDays: z.number().int().nullable(),
  /** Restore points are there, or jobs store there: it can't be removed. */
  inUse: z.boolean(),
  /** How many restore points it holds. */
  restorePoints: z.number().int(),
  lastTest: locationTest.nullable(),
  version: z.number().int(),
  createdAt: instant,
});
export type Location = z.infer<typeof location>;

const locationParams = tenantParams.extend({ locationId: id });
const saving = [
  'locations.name-taken',
  'locations.test-failed',
  'locations.path-refused',
  'locations.host-refused',
  'locations.overlaps',
] as const;

export const locations = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/locations',
    action: 'locations.read',
    summary: 'Where the data of a tenant is stored',
    params: tenantParams,
    response: z.object({ items: z.array(location) }),
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/locations/test',
    action: 'locations.manage',
    summary: 'Try a location without saving it: write, read, conditional put, delete, object lock',
    params: tenantParams,
    body: locationBody,
    response: locationTest,
    errors: ['locations.path-refused', 'locations.host-refused', 'locations.overlaps'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/locations',
    action: 'locations.manage',
    summary: 'Add a location; it is tested before it is saved',
    params: tenantParams,
    body: locationBody,
    response: location,
    status: 201,
    errors: saving,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/locations/:locationId',
    action: 'locations.read',
    summary: 'One location',
    params: locationParams,
    response: location,
  }),
  testAgain: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/locations/:locationId/test',
    action: 'locations.manage',
    summary: 'Try a location as it is saved, with the keys that are stored; a test that passed stays with it',
    params: locationParams,
    response: locationTest,
    errors: ['locations.path-refused', 'locations.host-refused'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/locations/:locationId',
    action: 'locations.manage',
    summary: 'Change name, use, keys, immutability and retention',
    params: locationParams,
    body: locationUpdateBody,
    response: location,
    errors: [...saving, 'locations.immutability-shortened', 'request.precondition-failed'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/locations/:locationId',
    action: 'locations.manage',
    summary: 'Remove a location that holds no restore points',
    params: locationParams,
    response: 'empty',
    status: 204,
    errors: ['locations.in-use', 'retention.in-force'],
  }),
};

const ofWorker = (path: `/${string}`, summary: string) =>
  defineRoute({
    method: 'GET',
    surface: 'legacy',
    path,
    action: 'locations.read',
    summary,
    params: z.object({ workerIp }),
    query: z.object({ tenantId: id.optional() }),
    response: z.object({ items: z.array(location) }),
  });

/** Locations by worker, as the legacy surface asks for them. */
export const workerLocations = {
  all: ofWorker('/worker/locations/:workerIp', 'The locations behind a worker'),
  backup: ofWorker('/backup-locations/:workerIp', 'The locations behind a worker that take backups'),
  archive: ofWorker('/archive-locations/:workerIp', 'The locations behind a worker that take archives'),
};
