import { realpath } from 'node:fs/promises';
import type { LocationTest } from '@holdfast/contract/locations';
import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { Secret } from '@holdfast/foundation/secrets';
import {
  createFilesystemBlobStore,
  createS3BlobStore,
  probeBlobStore,
  type BlobStore,
  type ObjectLock,
  type ProbeStep,
} from '@holdfast/vault';
import type { Sealing } from '../../keys/sealing.ts';
import { checkedFirst } from './checked-first.ts';
import { hasVaultAround } from './vaults-around.ts';
import { allowedFolder, checkHost, freeBytes, lookupFor, type LocationTarget, type TargetRules } from './location-target.ts';
import { changeLocation, knownVault, readLocation, type LocationRow } from './locations.store.ts';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface LocationStoresParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealing: Sealing;
  readonly rules: TargetRules;
}

export interface OpenedLocation {
  readonly store: BlobStore;
  readonly name: string;
  readonly lock?: { readonly mode: ObjectLock['mode']; readonly days: number };
  /** The vault that is there; nothing before its first use. */
  readonly known?: { readonly vaultId?: string };
}

/** The blob stores behind locations: opening them, and trying them before they are saved. */
export interface LocationStores {
  storeOf(scope: Scope, locationId: string): Promise<OpenedLocation>;
  /** Remembers which vault a location holds. */
  noteVault(scope: Scope, locationId: string, vaultId: string): Promise<void>;
  /** Refuses a target that is within a vault, or that a vault is in. */
  refuseNested(target: LocationTarget, keys: S3Keys | undefined): Promise<void>;
  /** The same of a location before its vault is made. */
  checkPlace(scope: Scope, locationId: string): Promise<void>;
  probe(target: LocationTarget, keys: S3Keys | undefined, wantsLock: boolean): Promise<LocationTest>;
  keysOf(scope: Scope, row: LocationRow): Promise<S3Keys | undefined>;
}

/** Where a location's sealed keys stand. */
export function keysPlace(locationId: string): { table: string; column: string; row: string } {
  return { table: 'locations', column: 'sealed_keys', row: locationId };
}

type Step = LocationTest['steps'][number];

function storeFor(
  rules: TargetRules,
  target: LocationTarget,
  keys: S3Keys | undefined,
  abilities?: { conditionalPut: boolean; objectLock: boolean },
): BlobStore {
  if (target.kind === 'filesystem') return createFilesystemBlobStore({ root: target.path });
  if (!keys) throw new AppError('locations.test-failed', { details: { field: 'accessKeyId' } });
  const guarded = lookupFor(target.endpoint, rules);
  return createS3BlobStore({
    region: target.region,
    bucket: target.bucket,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: new Secret(keys.secretAccessKey),
    pathStyle: target.forcePathStyle,
    ...(target.endpoint === '' ? {} : { endpoint: target.endpoint }),
    ...(target.prefix === '' ? {} : { prefix: target.prefix }),
    ...(abilities ? { abilities } : {}),
    ...(guarded ? { lookup: guarded } : {}),
  });
}

function passedSteps(found: { conditionalPut: boolean; objectLock: boolean }, wantsLock: boolean): Step[] {
  const lock: Step = found.objectLock
    ? { step: 'objectLock', result: 'passed', message: null }
    : { step: 'objectLock', result: wantsLock ? 'failed' : 'unsupported', message: wantsLock ? 'vault.lock-unsupported' : null };
  return [
    { step: 'write', result: 'passed', message: null },
    { step: 'read', result: 'passed', message: null },
    { step: 'conditionalPut', result: found.conditionalPut ? 'passed' : 'unsupported', message: null },
    { step: 'delete', result: 'passed', message: null },
    lock,
  ];
}

const ORDER = ['write', 'read', 'conditionalPut', 'delete', 'objectLock'] as const;
/** As they are tried: a lock is looked at before the cleaning up. */
const TRIED: readonly ProbeStep[] = ['write', 'read', 'conditionalPut', 'objectLock', 'delete'];

/** What went well before, what failed and why, and what was not tried any more. The message is a code with words in every language. */
function failedSteps(error: unknown, failedAt: ProbeStep): Step[] {
  const message = isAppError(error) && error.code.startsWith('vault.') ? error.code : 'vault.storage-unavailable';
  return ORDER.map((step): Step => {
    if (step === failedAt) return { step, result: 'failed', message };
    const isDone = TRIED.indexOf(step) < TRIED.indexOf(failedAt) && step !== 'objectLock' && step !== 'conditionalPut';
    return { step, result: isDone ? 'passed' : 'skipped', message: null };
  });
}

async function freeOf(target: LocationTarget): Promise<number | null> {
  return target.kind === 'filesystem' ? freeBytes(target.path) : null;
}

export function createLocationStores(parts: LocationStoresParts): LocationStores {
  const { database, clock, ids, sealing, rules } = parts;

  async function admit(target: LocationTarget): Promise<LocationTarget> {
    if (target.kind === 'filesystem') return { kind: 'filesystem', path: await allowedFolder(target.path, rules) };
    await checkHost(target.endpoint, rules);
    return target;
  }

  async function keysOf(scope: Scope, row: LocationRow): Promise<S3Keys | undefined> {
    if (!row.sealed_keys) return undefined;
    return JSON.parse(await sealing.open(scope, row.sealed_keys, keysPlace(row.location_id))) as S3Keys;
  }

  async function isNested(target: LocationTarget, keys: S3Keys | undefined): Promise<boolean> {
    const admitted = await admit(target);
    const real = admitted.kind === 'filesystem' ? { ...admitted, path: await realpath(admitted.path) } : admitted;
    const store = storeFor(rules, real, keys);
    try {
      return await hasVaultAround(real, store, (above) => storeFor(rules, above, keys));
    } finally {
      await store.close();
    }
  }

  async function refuseNested(target: LocationTarget, keys: S3Keys | undefined): Promise<void> {
    const isRefused = await isNested(target, keys).catch((error: unknown) => {
      // The test of a place that cannot be reached reports that, step by step.
      if (!isAppError(error) || !error.code.startsWith('vault.')) throw error;
      return false;
    });
    if (isRefused) throw new AppError('locations.overlaps', { details: { field: target.kind === 'filesystem' ? 'path' : 'bucket' } });
  }

  return Object.freeze<LocationStores>({
    keysOf,
    refuseNested,
    async checkPlace(scope, locationId) {
      const row = await database.within(scope, (tx) => readLocation(tx, locationId));
      if (row) await refuseNested(row.target as LocationTarget, await keysOf(scope, row));
    },
    async storeOf(scope, locationId) {
      const { row, known } = await database.within(scope, async (tx) => {
        const found = await readLocation(tx, locationId);
        return { row: found, known: found && (await knownVault(tx, found)) };
      });
      if (!row) throw new AppError('not-found');
      const target = row.target as LocationTarget;
      const tested = row.last_test as LocationTest | null;
      const abilities = {
        conditionalPut: tested?.steps.some((step) => step.step === 'conditionalPut' && step.result === 'passed') ?? false,
        objectLock: tested?.objectLock ?? false,
      };
      const { mode, days } = row.immutability as { mode: 'none' | ObjectLock['mode']; days: number };
      const lock = mode === 'none' || days === 0 ? {} : { lock: { mode, days } };
      const store = checkedFirst(storeFor(rules, target, await keysOf(scope, row), abilities), () => admit(target));
      return { store, name: row.name, ...lock, ...(known ? { known } : {}) };
    },
    noteVault: (scope, locationId, vaultId) => database.within(scope, (tx) => changeLocation(tx, locationId, { vault_id: vaultId })),
    async probe(target, keys, wantsLock) {
      const testedAt = now(clock).toISOString();
      const bare = storeFor(rules, target, keys, { conditionalPut: true, objectLock: target.kind === 's3' });
      const store = checkedFirst(bare, () => admit(target));
      let at: ProbeStep = 'write';
      try {
        const found = await probeBlobStore(store, { clock, ids, onStep: (step) => (at = step) });
        const steps = passedSteps(found, wantsLock);
        return {
          ok: steps.every((step) => step.result !== 'failed'),
          testedAt,
          freeBytes: await freeOf(target),
          objectLock: found.objectLock,
          steps,
        };
      } catch (error) {
        // A target that is not allowed is refused, and not tried.
        if (isAppError(error) && error.code.startsWith('locations.')) throw error;
        return { ok: false, testedAt, freeBytes: await freeOf(target), objectLock: false, steps: failedSteps(error, at) };
      } finally {
        await store.close();
      }
    },
  });
}
