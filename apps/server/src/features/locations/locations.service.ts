import path from 'node:path';
import type { Location, LocationBody, LocationTest, locationUpdateBody } from '@holdfast/contract/locations';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import { announce } from '../../events/live-events.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { weakens } from './immutability.policy.ts';
import { keysPlace, type LocationStores, type S3Keys } from './location-stores.service.ts';
import type { LocationTarget } from './location-target.ts';
import { locationView } from './location-view.ts';
import type { Places } from './places.service.ts';
import {
  addLocation,
  changeLocation,
  isInUse,
  isNameTaken,
  listLocations,
  lockLocation,
  pointsByLocation,
  readLocation,
  removeLocation,
  type LocationRow,
} from './locations.store.ts';

export type LocationUpdate = z.output<typeof locationUpdateBody>;

/** Asks a second person for a shorter retention, in the transaction that would have shortened it. */
export interface RetentionApproval {
  ask(
    tx: Tx,
    place: LocationPlace,
    wish: { readonly locationId: string; readonly name: string; readonly from: number; readonly to: number },
  ): Promise<void>;
  lapse(tx: Tx, locationId: string): Promise<void>;
  /** What is asked for, by location. */
  open(tx: Tx): Promise<ReadonlyMap<string, number>>;
}

export interface LocationsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly stores: LocationStores;
  readonly places: Places;
  readonly approval: RetentionApproval;
  /** Retention policies that keep something in a location, with the day on which that ends. */
  readonly keptIn: (tx: Tx, tenantId: string, locationId: string) => Promise<readonly string[]>;
  /** Below this folder lie the locations that are made without anybody asking where. */
  readonly defaultRoot: string;
}

/** Who changes which location. */
export interface LocationPlace {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly caller: Caller;
  readonly expectedVersion?: string | undefined;
}

/** Where the data of tenants is stored. */
export interface LocationsService {
  list(scope: Scope, tenantId: string, use?: 'backup' | 'archive'): Promise<Location[]>;
  get(scope: Scope, tenantId: string, locationId: string): Promise<Location>;
  test(scope: Scope, body: LocationBody): Promise<LocationTest>;
  /** Tries a location as it is saved. A test that failed is not kept: what the location can do is known from the last that passed. */
  testAgain(place: LocationPlace, locationId: string): Promise<LocationTest>;
  create(place: LocationPlace, body: LocationBody): Promise<Location>;
  update(place: LocationPlace, locationId: string, body: LocationUpdate): Promise<Location>;
  remove(place: LocationPlace, locationId: string): Promise<void>;
  /** A second person agreed to a shorter retention. False when the location is gone. */
  shorten(tx: Tx, locationId: string, retainDays: number): Promise<boolean>;
  /** The first location of a tenant, in the data directory, where it has none. */
  ensureDefault(scope: Scope, tenantId: string): Promise<void>;
}

function targetOf(body: LocationBody): LocationTarget {
  if (body.kind === 'filesystem') return { kind: 'filesystem', path: path.normalize(body.path) };
  const { endpoint, region, bucket, prefix, forcePathStyle } = body;
  return { kind: 's3', endpoint, region, bucket, prefix, forcePathStyle };
}

function keysIn(body: LocationBody): S3Keys | undefined {
  return body.kind === 's3' ? { accessKeyId: body.accessKeyId, secretAccessKey: body.secretAccessKey } : undefined;
}

/** The field of the form that most likely is wrong. */
function fieldOf({ step, message }: Partial<LocationTest['steps'][number]>, target: LocationTarget): string {
  if (step === 'objectLock') return 'immutability';
  if (target.kind === 'filesystem') return 'path';
  if (message === 'vault.access-denied') return 'accessKeyId';
  // Without an address of its own the host follows from the region.
  if (message === 'vault.storage-unavailable') return target.endpoint === '' ? 'region' : 'endpoint';
  return 'bucket';
}

function refuseFailed(test: LocationTest, target: LocationTarget): void {
  if (test.ok) return;
  const failed = test.steps.find((step) => step.result === 'failed');
  const field = fieldOf(failed ?? {}, target);
  throw new AppError('locations.test-failed', { details: { field, ...(failed?.message ? { reason: failed.message } : {}) } });
}

/** What is told of each of many locations and asked for once: what second persons are asked for, and the restore points. */
interface KnownOfLocations {
  readonly asked: ReadonlyMap<string, number>;
  readonly points: ReadonlyMap<string, number>;
}

/** Rows of locations, and what refuses a change of them. */
function createRows(parts: LocationsParts) {
  const { database, audit } = parts;

  async function existing(tx: Tx, tenantId: string, locationId: string): Promise<LocationRow> {
    const row = await lockLocation(tx, locationId);
    if (!row || row.tenant_id !== tenantId) throw new AppError('not-found');
    return row;
  }

  async function get(scope: Scope, tenantId: string, locationId: string): Promise<Location> {
    return database.within(scope, async (tx) => {
      const row = await readLocation(tx, locationId);
      if (!row || row.tenant_id !== tenantId) throw new AppError('not-found');
      return viewOf(tx, row, await knownOf(tx));
    });
  }

  async function knownOf(tx: Tx): Promise<KnownOfLocations> {
    return { asked: await parts.approval.open(tx), points: await pointsByLocation(tx) };
  }

  async function viewOf(tx: Tx, row: LocationRow, { asked, points }: KnownOfLocations): Promise<Location> {
    return locationView(row, {
      isInUse: await isInUse(tx, row.location_id),
      restorePoints: points.get(row.location_id) ?? 0,
      pendingRetainDays: asked.get(row.location_id) ?? null,
    });
  }

  async function record(tx: Tx, event: AuditEvent, place: LocationPlace, subject: { id: string; name: string }): Promise<void> {
    await announce(tx, place.scope, { name: 'tenants.changed', tenantId: place.tenantId, data: { tenantId: place.tenantId } });
    await audit.record(tx, { event, actor: actorEntry(place.actor, place.caller), subject: { kind: 'location', ...subject } });
  }

  async function refuseTaken(tx: Tx, tenantId: string, name: string, except?: string): Promise<void> {
    if (await isNameTaken(tx, tenantId, name, except)) throw new AppError('locations.name-taken', { details: { field: 'name' } });
  }

  return { existing, get, knownOf, viewOf, record, refuseTaken };
}

/** Trying a location, and adding it. */
function createSaving(parts: LocationsParts, rows: ReturnType<typeof createRows>) {
  const { clock, ids, sealing, stores, places } = parts;
  const { refuseTaken } = rows;

  /** Nothing is tried where somebody else stores: trying writes. */
  async function probe(scope: Scope, body: LocationBody): Promise<LocationTest> {
    await places.refuseTaken(scope, targetOf(body));
    await stores.refuseNested(targetOf(body), keysIn(body));
    return stores.probe(targetOf(body), keysIn(body), body.immutability.mode !== 'none');
  }

  async function insert(scope: Scope, tenantId: string, body: LocationBody, test: LocationTest): Promise<(tx: Tx) => Promise<string>> {
    const locationId = ids.uuid();
    const keys = keysIn(body);
    const sealedKeys = keys ? await sealing.seal(scope, JSON.stringify(keys), keysPlace(locationId)) : null;
    return async (tx) => {
      await refuseTaken(tx, tenantId, body.name);
      await addLocation(tx, {
        location_id: locationId,
        tenant_id: tenantId,
        name: body.name,
        kind: body.kind,
        use: body.use,
        target: JSON.stringify(targetOf(body)),
        sealed_keys: sealedKeys,
        immutability: JSON.stringify(body.immutability),
        retain_days: body.retainDays,
        last_test: JSON.stringify(test),
        created_at: now(clock),
      });
      return locationId;
    };
  }

  return { probe, insert };
}

/** Looking at locations. */
function createReading(
  parts: LocationsParts,
  rows: ReturnType<typeof createRows>,
  saving: ReturnType<typeof createSaving>,
): Pick<LocationsService, 'get' | 'list' | 'test'> {
  const { database } = parts;
  const { get, knownOf, viewOf } = rows;
  const { probe } = saving;
  return {
    get,
    list: (scope, tenantId, use) =>
      database.within(scope, async (tx) => {
        const rows = (await listLocations(tx, tenantId)).filter((row) => use === undefined || row.use === use || row.use === 'both');
        const known = await knownOf(tx);
        const views: Location[] = [];
        for (const row of rows) views.push(await viewOf(tx, row, known));
        return views;
      }),
    test: probe,
  };
}

/** Locations come. */
function createAdding(
  parts: LocationsParts,
  rows: ReturnType<typeof createRows>,
  saving: ReturnType<typeof createSaving>,
): Pick<LocationsService, 'create' | 'ensureDefault'> {
  const { database } = parts;
  const { get, record, refuseTaken } = rows;
  const { probe, insert } = saving;
  return {
    async create(place, body) {
      await database.within(place.scope, (tx) => refuseTaken(tx, place.tenantId, body.name));
      const test = await probe(place.scope, body);
      refuseFailed(test, targetOf(body));
      const add = await insert(place.scope, place.tenantId, body, test);
      const locationId = await parts.places.saving(place.scope, targetOf(body), async (tx) => {
        const id = await add(tx);
        await record(tx, 'locations.created', place, { id, name: body.name });
        return id;
      });
      return get(place.scope, place.tenantId, locationId);
    },
    async ensureDefault(scope, tenantId) {
      const known = await database.within(scope, (tx) => listLocations(tx, tenantId));
      if (known.length > 0) return;
      const body: LocationBody = {
        kind: 'filesystem',
        name: 'Local storage',
        path: path.join(parts.defaultRoot, scope.organisationId, `${scope.realm}-${tenantId}`),
        use: 'both',
        immutability: { mode: 'none', days: 0 },
        retainDays: 0,
      };
      const test = await probe(scope, body);
      refuseFailed(test, targetOf(body));
      const add = await insert(scope, tenantId, body, test);
      await parts.places.saving(scope, targetOf(body), async (tx) => {
        if ((await listLocations(tx, tenantId)).length === 0) await add(tx);
      });
    },
  };
}

/** Locations change and go. */
function createChanging(
  parts: LocationsParts,
  rows: ReturnType<typeof createRows>,
): Pick<LocationsService, 'testAgain' | 'update' | 'remove' | 'shorten'> {
  const { database, sealing, stores, approval } = parts;
  const { existing, get, record, refuseTaken } = rows;

  /** Longer at once, shorter only with a second person. Answers what is in force meanwhile. */
  async function retainDays(tx: Tx, place: LocationPlace, row: LocationRow, body: LocationUpdate): Promise<number> {
    const wish = { locationId: row.location_id, name: body.name, from: row.retain_days, to: body.retainDays };
    if (wish.to < wish.from) await approval.ask(tx, place, wish);
    if (wish.to > wish.from) await approval.lapse(tx, row.location_id);
    return Math.max(wish.from, wish.to);
  }

  return {
    async testAgain(place, locationId) {
      const { scope, tenantId } = place;
      const current = await database.within(scope, (tx) => existing(tx, tenantId, locationId));
      const isLocked = (current.immutability as Location['immutability']).mode !== 'none';
      const test = await stores.probe(current.target as LocationTarget, await stores.keysOf(scope, current), isLocked);
      if (!test.ok) return test;
      await database.within(scope, async (tx) => {
        await existing(tx, tenantId, locationId);
        await changeLocation(tx, locationId, { last_test: JSON.stringify(test) });
        await announce(tx, scope, { name: 'tenants.changed', tenantId, data: { tenantId } });
      });
      return test;
    },
    async update(place, locationId, body) {
      const current = await database.within(place.scope, (tx) => existing(tx, place.tenantId, locationId));
      if (weakens(current.immutability as Location['immutability'], body.immutability)) {
        throw new AppError('locations.immutability-shortened', { details: { field: 'immutability' } });
      }
      const stored = await stores.keysOf(place.scope, current);
      const keys = {
        accessKeyId: body.accessKeyId ?? stored?.accessKeyId ?? '',
        secretAccessKey: body.secretAccessKey ?? stored?.secretAccessKey ?? '',
      };
      const test = await stores.probe(
        current.target as LocationTarget,
        current.kind === 's3' ? keys : undefined,
        body.immutability.mode !== 'none',
      );
      refuseFailed(test, current.target as LocationTarget);
      const sealedKeys = current.kind === 's3' ? await sealing.seal(place.scope, JSON.stringify(keys), keysPlace(locationId)) : null;
      await database.within(place.scope, async (tx) => {
        const row = await existing(tx, place.tenantId, locationId);
        if (place.expectedVersion !== undefined && place.expectedVersion !== String(row.version))
          throw new AppError('request.precondition-failed');
        await refuseTaken(tx, place.tenantId, body.name, locationId);
        await changeLocation(tx, locationId, {
          name: body.name,
          use: body.use,
          immutability: JSON.stringify(body.immutability),
          retain_days: await retainDays(tx, place, row, body),
          sealed_keys: sealedKeys,
          last_test: JSON.stringify(test),
          version: row.version + 1,
        });
        await record(tx, 'locations.changed', place, { id: locationId, name: body.name });
      });
      return get(place.scope, place.tenantId, locationId);
    },
    async shorten(tx, locationId, days) {
      const row = await lockLocation(tx, locationId);
      if (!row) return false;
      await changeLocation(tx, locationId, { retain_days: days, version: row.version + 1 });
      return true;
    },
    async remove(place, locationId) {
      await database.within(place.scope, async (tx) => {
        const row = await existing(tx, place.tenantId, locationId);
        const policies = await parts.keptIn(tx, place.tenantId, locationId);
        if (policies.length > 0) throw new AppError('retention.in-force', { details: { policies: policies.join(', ') } });
        if (await isInUse(tx, locationId)) throw new AppError('locations.in-use');
        await removeLocation(tx, locationId);
        await approval.lapse(tx, locationId);
        await record(tx, 'locations.deleted', place, { id: locationId, name: row.name });
      });
    },
  };
}

export function createLocationsService(parts: LocationsParts): LocationsService {
  const rows = createRows(parts);
  const saving = createSaving(parts, rows);
  return Object.freeze<LocationsService>({
    ...createReading(parts, rows, saving),
    ...createAdding(parts, rows, saving),
    ...createChanging(parts, rows),
  });
}
