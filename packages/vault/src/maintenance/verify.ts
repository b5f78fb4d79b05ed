import { nowIso } from '@holdfast/foundation/clock';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import { vaultError } from '../shared/errors.ts';
import { readHeader } from '../header/header.ts';
import { synchroniseIndex, type ListedPack } from '../pack/synchronise.ts';
import { readPackIndex } from '../pack/pack-reader.ts';
import { indexedBlobs, packName } from '../pack/pack.ts';
import type { MaintenanceContext } from './context.ts';
import { lookAtJournal, type JournalLook } from './journal-look.ts';
import type { Damage, VerifyOptions, VerifyReport, VerifyStep } from './maintenance.ts';
import { checkPackStructure, confirmBadFrames, type PackState } from '../pack/pack-check.ts';
import type { AssemblyPort } from '../read/assembly-port.ts';
import { checkDocuments } from './verify-documents.ts';
import { checkEvidence, keepEvidence } from './verify-evidence.ts';
import { checkWitness, signWitness } from './witness.ts';

/** Packs that are looked at or on their way: many are short, and this thread is busy with the journal for a while before it gives more. */
const PACKS_AT_ONCE = 12;
/** … and how much they may hold together when they are as long as most. */
const BYTES_AT_ONCE = 96 * 1024 * 1024;

interface PackPass {
  readonly damages: Damage[];
  readonly verifiedAt: { [packId: string]: string };
  /** Packs that this verify has read back whole. */
  readonly intact: string[];
  packs: number;
  bytesRead: number;
  packsRead: number;
  isComplete: boolean;
}

function toDamage(state: PackState): Damage {
  return { object: 'pack', name: packName(state.packId), problem: state.problem ?? '', blobIds: state.lost };
}

/**
 * From now on the index knows of a damaged pack only what can be read: nothing bad is served or relied
 * on. A pack without anything readable stays known: it would be taken for new and read in again.
 */
async function forgetLost(context: MaintenanceContext, state: PackState): Promise<void> {
  await context.index.removePack(state.packId);
  await context.index.addPack(state.packId, state.readable);
}

/** What is wrong with a pack, looked at closely; `undefined` when nothing is, `gone` when prune took it away meanwhile. */
async function findProblem(
  context: MaintenanceContext,
  packId: string,
  depth: VerifyOptions['depth'],
): Promise<PackState | 'gone' | undefined> {
  const { store, keys } = context;
  const state = await checkPackStructure(store, keys, packId);
  if (state.problem === undefined) return depth === 'data' ? confirmBadFrames(store, keys, packId, [...state.frames]) : undefined;
  if (await store.stat(packName(packId))) return state;
  await context.index.removePack(packId);
  return 'gone';
}

/** Has a thread look at all of a pack, which it reads itself where that is a file; only where it finds fault is looked closer. */
async function readBack(
  context: MaintenanceContext,
  port: AssemblyPort | undefined,
  packId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const name = packName(packId);
  const { fileOf } = context.store;
  if (fileOf) return (await port?.check(packId, { file: fileOf(name) })) ?? false;
  const data = await context.store.get(name, undefined, signal).catch((error: unknown) => {
    if (isAppError(error, 'vault.object-missing')) return undefined;
    throw error;
  });
  return data !== undefined && ((await port?.check(packId, data)) ?? false);
}

interface DuePack {
  readonly packId: string;
  readonly sizeBytes: number;
  /** Its structure alone, or all of it. */
  readonly depth: VerifyOptions['depth'];
  /** When it was read back whole before. */
  readonly before?: string;
}

/** Every pack with what is to be done to it: reading back ends at the budget, the structure is looked at in any case. */
function* withDepths(packs: readonly ListedPack[], options: VerifyOptions, pass: PackPass): Generator<DuePack, void, undefined> {
  const { budgetBytes = Number.POSITIVE_INFINITY } = options;
  for (const { packId, sizeBytes } of packs) {
    const before = options.resume?.verifiedAt[packId];
    const isWanted = options.depth === 'data' && before === undefined;
    if (isWanted && pass.bytesRead < budgetBytes) {
      pass.bytesRead += sizeBytes;
      pass.packsRead += 1;
      yield { packId, sizeBytes, depth: 'data' };
    } else {
      pass.isComplete &&= options.depth === 'data' && !isWanted;
      yield { packId, sizeBytes, depth: 'structure', ...(before === undefined ? {} : { before }) };
    }
  }
}

interface CheckedPack {
  readonly pack: DuePack;
  readonly state: PackState | 'gone' | undefined;
  /** It was read back whole. */
  readonly intact: VerifyStep['intact'] | undefined;
}

function intactOf(context: MaintenanceContext, { packId, depth }: DuePack, state: CheckedPack['state']): CheckedPack['intact'] {
  return depth === 'data' && state === undefined ? { packId, at: nowIso(context.options.clock) } : undefined;
}

async function notePack(context: MaintenanceContext, pass: PackPass, { pack, state, intact }: CheckedPack): Promise<void> {
  if (state === 'gone') return;
  if (state) {
    pass.damages.push(toDamage(state));
    await forgetLost(context, state);
  } else if (intact) {
    pass.intact.push(pack.packId);
    pass.verifiedAt[pack.packId] = intact.at;
  } else if (pack.before !== undefined) pass.verifiedAt[pack.packId] = pack.before;
}

async function checkPacks(
  context: MaintenanceContext,
  packs: readonly ListedPack[],
  options: VerifyOptions,
  pass: PackPass,
): Promise<void> {
  pass.packs = packs.length;
  pass.isComplete = options.depth === 'data';
  const ports = options.depth === 'data' ? context.assemblies() : [];
  const totalBytes = packs.reduce((sum, pack) => sum + pack.sizeBytes, 0);
  let turn = 0;
  let doneBytes = 0;
  let donePacks = 0;
  const fitting = Math.floor((BYTES_AT_ONCE * packs.length) / Math.max(1, totalBytes));
  const atOnce = Math.max(ports.length + 2, Math.min(PACKS_AT_ONCE, fitting));
  const checked = mapConcurrent(withDepths(packs, options, pass), atOnce, async (pack) => {
    options.signal?.throwIfAborted();
    const port = ports[turn++ % ports.length];
    const isIntact = pack.depth === 'data' && (await readBack(context, port, pack.packId, options.signal));
    return { pack, state: isIntact ? undefined : await findProblem(context, pack.packId, pack.depth) };
  });
  for await (const { pack, state } of checked) {
    const intact = intactOf(context, pack, state);
    if (pack.depth === 'data' || pack.before !== undefined) {
      donePacks += 1;
      doneBytes += pack.sizeBytes;
      options.onProgress?.({ donePacks, totalPacks: packs.length, doneBytes, totalBytes, ...(intact && { intact }) });
    }
    await notePack(context, pass, { pack, state, intact });
  }
}

/**
 * Brings the index in line with the packs: others may have written some meanwhile, and one that was
 * damaged once may have been put back. Only what was read back speaks for a pack that is known.
 */
async function learnAgain(context: MaintenanceContext, pass: PackPass): Promise<void> {
  const { store, keys, index } = context;
  await synchroniseIndex({ store, keys, index, logger: context.options.logger });
  for (const packId of pass.intact) {
    try {
      const { frames } = await readPackIndex(store, keys, packId);
      const blobs = indexedBlobs(packId, frames);
      const lacking = await index.lacking(blobs.map(({ blobId }) => blobId));
      if (lacking.length > 0) await index.addPack(packId, blobs);
    } catch (error) {
      // Went since it was read back.
      if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
    }
  }
}

/**
 * Reads the packs and meanwhile goes through the journal: the threads have the one, this thread the
 * other. A look that was not done or found something is done again with all that is known by then.
 */
async function checkPacksAndJournal(
  context: MaintenanceContext,
  packs: readonly ListedPack[],
  options: VerifyOptions,
  pass: PackPass,
): Promise<JournalLook> {
  const given = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, given.signal]) : given.signal;
  const early = lookAtJournal(context, { ...options, signal }).catch(() => undefined);
  try {
    await checkPacks(context, packs, options, pass);
  } catch (error) {
    given.abort(error);
    await early;
    throw error;
  }
  const look = await early;
  const isSure =
    look &&
    look.affected.count + look.affected.damages.length + look.damages.length === 0 &&
    !pass.damages.some(({ object }) => object === 'pack');
  if (isSure) return look;
  await learnAgain(context, pass);
  return lookAtJournal(context, options);
}

async function checkHeaders(context: MaintenanceContext): Promise<Damage[]> {
  const { problems, header } = await readHeader(context.store, context.options.keyRing);
  // An open vault does not notice that another one was put in its place; its evidence would go there.
  if (header.vaultId !== context.keys.vaultId) {
    throw vaultError('vault.foreign', `Another vault lies at ${context.store.description}.`, { vaultId: header.vaultId });
  }
  return problems.map(({ name, problem }) => ({ object: 'header' as const, name, problem, blobIds: [] }));
}

/** Checks the vault; see `VerifyOptions`. Changes nothing but the index, and adds its own evidence. */
export async function verifyVault(context: MaintenanceContext, options: VerifyOptions): Promise<VerifyReport> {
  const { store, keys } = context;
  const { clock, logger } = context.options;
  const startedAt = nowIso(clock);
  for (const witness of options.witnesses ?? []) checkWitness(keys, witness);
  // The threads start while the index is brought in line.
  if (options.depth === 'data') context.assemblies();
  const { packs } = await synchroniseIndex({ store, keys, index: context.index, logger });
  const damages = await checkHeaders(context);
  const pass: PackPass = { damages, verifiedAt: {}, intact: [], packs: 0, bytesRead: 0, packsRead: 0, isComplete: true };
  const look = await checkPacksAndJournal(context, packs, options, pass);
  pass.damages.push(...look.damages, ...(await checkDocuments(context, options)));
  const givenUp = options.givenUpEvidence ?? [];
  const earlier = await checkEvidence(context, (await options.memory?.evidence()) ?? []);
  pass.damages.push(...earlier.damages.filter(({ name }) => !givenUp.includes(name)));
  const finishedAt = nowIso(clock);
  const report: VerifyReport = {
    vaultId: keys.vaultId,
    depth: options.depth,
    startedAt,
    finishedAt,
    packs: pass.packs,
    segments: look.segments,
    bytesRead: pass.bytesRead,
    packsRead: pass.packsRead,
    complete: pass.isComplete,
    damages: pass.damages,
    affectedItems: look.affected.items,
    affectedItemCount: look.affected.count,
    progress: { verifiedAt: pass.verifiedAt },
    heads: signWitness(keys, finishedAt, look.heads),
  };
  const evidence = await keepEvidence(context, report, { follows: earlier.newest, givenUp });
  return evidence === undefined ? report : { ...report, evidence };
}
