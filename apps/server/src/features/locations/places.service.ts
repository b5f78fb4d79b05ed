import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Database, Scope, Tx } from '@holdfast/database';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { AppError } from '@holdfast/foundation/errors';
import type { LocationTarget } from './location-target.ts';
import { listTargets, lockPlaces } from './locations.store.ts';
import { overlap, placeOf } from './overlap.policy.ts';

export interface PlacesOptions {
  readonly database: Database;
  /** Every organisation in every realm. */
  allScopes(): Promise<readonly Scope[]>;
  /** Below this folder lie the locations that are made without anybody asking where, each below the id of its organisation. */
  readonly defaultRoot: string;
}

/** Keeps the locations of this installation apart: no two of them share a folder or prefix, and none is in another. */
export interface Places {
  /** Refuses a target that overlaps with another location. */
  refuseTaken(scope: Scope, target: LocationTarget): Promise<void>;
  /** Saves a location while nobody else saves one: what was free when it was looked at is free when it is saved. */
  saving<T>(scope: Scope, target: LocationTarget, work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A folder with all links resolved, as far as it is there. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    const above = path.dirname(folder);
    return above === folder ? folder : path.join(await realFolder(above), path.basename(folder));
  }
}

async function realPlace(target: LocationTarget): Promise<string> {
  return placeOf(target.kind === 'filesystem' ? { kind: 'filesystem', path: await realFolder(path.resolve(target.path)) } : target);
}

export function createPlaces(options: PlacesOptions): Places {
  const { database, defaultRoot } = options;
  /** One at a time waits for the others of the installation: those behind it hold no connection. */
  const turn = createSemaphore(1);

  function refused(target: LocationTarget): AppError {
    return new AppError('locations.overlaps', { details: { field: target.kind === 'filesystem' ? 'path' : 'bucket' } });
  }

  /** What all locations of all organisations are, as they are saved. */
  async function* targets(): AsyncGenerator<LocationTarget, void, undefined> {
    for (const scope of await options.allScopes()) {
      for (const target of await database.within(scope, listTargets)) yield target as LocationTarget;
    }
  }

  /** The folders below which other organisations get their default locations. */
  async function reservedFrom(scope: Scope): Promise<string[]> {
    const ids = new Set((await options.allScopes()).map(({ organisationId }) => organisationId));
    ids.delete(scope.organisationId);
    return Promise.all([...ids].map((id) => realPlace({ kind: 'filesystem', path: path.join(defaultRoot, id) })));
  }

  async function refuseTaken(scope: Scope, target: LocationTarget): Promise<void> {
    const wanted = await realPlace(target);
    for (const reserved of await reservedFrom(scope)) if (overlap(wanted, reserved)) throw refused(target);
    if ((await realPlace({ kind: 'filesystem', path: defaultRoot })).startsWith(wanted)) throw refused(target);
    for await (const other of targets()) if (overlap(wanted, await realPlace(other))) throw refused(target);
  }

  return Object.freeze<Places>({
    refuseTaken,
    saving: (scope, target, work) =>
      turn.run(() =>
        database.within(scope, async (tx) => {
          await lockPlaces(tx);
          await refuseTaken(scope, target);
          return work(tx);
        }),
      ),
  });
}
