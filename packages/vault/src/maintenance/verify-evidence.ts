import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import { openObject, sealObject } from '../crypto/small-object.ts';
import type { MaintenanceContext } from './context.ts';
import type { Damage, VerifyReport } from './maintenance.ts';

const OBJECTS_AT_ONCE = 4;
const FOLDER = 'evidence/';
/** Why a store may take nothing: no reason to withhold what was found. */
const UNKEPT = ['vault.storage-read-only', 'vault.access-denied', 'vault.storage-full', 'vault.storage-unavailable'] as const;

/** What an evidence object says of others (FORMAT.md section 9). Those of the first versions say nothing. */
interface Ties {
  /** Objects before it that no other object names. */
  readonly follows?: readonly string[];
  /** Objects that were lost and that nobody can bring back. */
  readonly givenUp?: readonly string[];
}

/** The evidence that is there, and what is wrong with it. */
export interface CheckedEvidence {
  readonly damages: readonly Damage[];
  /** Objects that no other one names: what the next one follows. */
  readonly newest: readonly string[];
}

async function openOne({ store, keys }: MaintenanceContext, name: string): Promise<Ties | string> {
  const read = async (): Promise<Ties> => {
    const { follows = [], givenUp = [] } = openObject<Ties>(keys, name, await store.get(name));
    return { follows, givenUp };
  };
  // The second look tells the wire's faults from damage.
  return read()
    .catch(read)
    .catch((error: unknown) => {
      if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
      return error.message;
    });
}

function evidenceDamage(name: string, problem: string): Damage {
  return { object: 'evidence', name, problem, blobIds: [] };
}

/** Opens every evidence object, and misses those that are named by others, or `remembered`, and are not there. */
export async function checkEvidence(context: MaintenanceContext, remembered: readonly string[]): Promise<CheckedEvidence> {
  const names: string[] = [];
  for await (const { name } of context.store.list(FOLDER)) names.push(name);
  const damages: Damage[] = [];
  const named = new Set<string>();
  const givenUp = new Set<string>();
  const opened = mapConcurrent(names, OBJECTS_AT_ONCE, async (name) => ({ name, ties: await openOne(context, name) }));
  for await (const { name, ties } of opened) {
    if (typeof ties === 'string') {
      damages.push(evidenceDamage(name, ties));
      continue;
    }
    for (const before of ties.follows ?? []) named.add(before);
    for (const lost of ties.givenUp ?? []) givenUp.add(lost);
  }
  const there = new Set(names);
  for (const name of new Set([...named, ...remembered])) {
    if (!there.has(name) && !givenUp.has(name)) damages.push(evidenceDamage(name, `${name} is missing.`));
  }
  return { damages: damages.filter(({ name }) => !givenUp.has(name)), newest: names.filter((name) => !named.has(name)) };
}

/** Keeps the report in the vault and answers its name. A store that takes nothing is no reason to fail. */
export async function keepEvidence(context: MaintenanceContext, report: VerifyReport, ties: Required<Ties>): Promise<string | undefined> {
  const { progress: _, ...evidence } = report;
  const stamp = report.finishedAt.replaceAll(/[^0-9]/g, '');
  const name = `${FOLDER}${stamp}-${context.options.ids.uuid()}`;
  try {
    await context.store.put(name, [sealObject(context.keys, name, { ...evidence, ...ties })]);
    return name;
  } catch (error) {
    if (!isAppError(error, ...UNKEPT)) throw error;
    context.options.logger.warn({ problem: error.message }, 'the evidence of a verify could not be kept in the vault');
    return undefined;
  }
}
