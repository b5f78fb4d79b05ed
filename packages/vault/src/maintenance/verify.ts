import { nowIso } from '@holdfast/foundation/clock';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import { sealObject } from '../crypto/small-object.ts';
import { readHeader } from '../header.ts';
import { listPacks, synchroniseIndex } from '../index/synchronise.ts';
import type { PackFrame } from '../pack/pack.ts';
import { packName } from '../pack/pack.ts';
import type { MaintenanceContext } from './context.ts';
import { findAffected } from './affected-items.ts';
import { checkJournal, compareWitness, type CheckedChain } from './journal-check.ts';
import type { Damage, VerifyOptions, VerifyReport } from './maintenance.ts';
import { checkPackStructure, confirmBadFrames, type PackState } from '../pack/pack-check.ts';
import { checkWitness, signWitness } from './witness.ts';

const STRUCTURES_AT_ONCE = 4;

interface PackPass {
  readonly damages: Damage[];
  readonly verifiedAt: { [packId: string]: string };
  packs: number;
  bytesRead: number;
  packsRead: number;
  isComplete: boolean;
}

function toDamage(state: PackState): Damage {
  return { object: 'pack', name: packName(state.packId), problem: state.problem ?? '', blobIds: state.lost };
}

/** From now on the index knows of a damaged pack only what can be read: nothing bad is served or relied on. */
async function forgetLost(context: MaintenanceContext, state: PackState): Promise<void> {
  await context.index.removePack(state.packId);
  if (state.readable.length > 0) await context.index.addPack(state.packId, state.readable);
}

async function checkStructures(
  context: MaintenanceContext,
  options: VerifyOptions,
  pass: PackPass,
): Promise<{ packId: string; sizeBytes: number; frames: readonly PackFrame[] }[]> {
  const { store, keys } = context;
  const intact: { packId: string; sizeBytes: number; frames: readonly PackFrame[] }[] = [];
  const checked = mapConcurrent(listPacks(store), STRUCTURES_AT_ONCE, async ({ packId, sizeBytes }) => ({
    sizeBytes,
    state: await checkPackStructure(store, keys, packId),
  }));
  for await (const { sizeBytes, state } of checked) {
    options.signal?.throwIfAborted();
    pass.packs += 1;
    if (state.problem === undefined) {
      intact.push({ packId: state.packId, sizeBytes, frames: state.frames });
      continue;
    }
    pass.damages.push(toDamage(state));
    await forgetLost(context, state);
  }
  return intact;
}

async function readBack(
  context: MaintenanceContext,
  options: VerifyOptions,
  pass: PackPass,
  intact: readonly { packId: string; sizeBytes: number; frames: readonly PackFrame[] }[],
): Promise<void> {
  const { store, keys } = context;
  const resumed = options.resume?.verifiedAt ?? {};
  const ports = context.assemblies();
  const totalBytes = intact.reduce((sum, pack) => sum + pack.sizeBytes, 0);
  let turn = 0;
  let doneBytes = 0;
  let donePacks = 0;
  const tell = (sizeBytes: number): void => {
    donePacks += 1;
    doneBytes += sizeBytes;
    options.onProgress?.({ donePacks, totalPacks: intact.length, doneBytes, totalBytes });
  };
  function* due(): Generator<{ packId: string; sizeBytes: number; frames: readonly PackFrame[] }, void, undefined> {
    for (const pack of intact) {
      const before = resumed[pack.packId];
      if (before !== undefined) {
        pass.verifiedAt[pack.packId] = before;
        tell(pack.sizeBytes);
      } else if (options.budgetBytes !== undefined && pass.bytesRead >= options.budgetBytes) pass.isComplete = false;
      else {
        pass.bytesRead += pack.sizeBytes;
        pass.packsRead += 1;
        yield pack;
      }
    }
  }
  const checked = mapConcurrent(due(), ports.length + 1, async (pack) => {
    options.signal?.throwIfAborted();
    const port = ports[turn++ % ports.length];
    const data = await store.get(packName(pack.packId), undefined, options.signal);
    const bad = (await port?.check(pack.packId, data, pack.frames)) ?? [];
    return { pack, state: bad.length === 0 ? undefined : await confirmBadFrames(store, keys, pack.packId, [...pack.frames]) };
  });
  for await (const { pack, state } of checked) {
    tell(pack.sizeBytes);
    if (!state) {
      pass.verifiedAt[pack.packId] = nowIso(context.options.clock);
      continue;
    }
    pass.damages.push(toDamage(state));
    await forgetLost(context, state);
  }
}

async function checkHeaders(context: MaintenanceContext): Promise<Damage[]> {
  const { problems } = await readHeader(context.store, context.options.keyRing);
  return problems.map(({ name, problem }) => ({ object: 'header' as const, name, problem, blobIds: [] }));
}

/** Keeps the report in the vault. A store that takes nothing is no reason to fail. */
async function keepEvidence(context: MaintenanceContext, report: VerifyReport): Promise<void> {
  const { progress: _, ...evidence } = report;
  const stamp = report.finishedAt.replaceAll(/[^0-9]/g, '');
  const name = `evidence/${stamp}-${context.options.ids.uuid()}`;
  try {
    await context.store.put(name, [sealObject(context.keys, name, evidence)]);
  } catch (error) {
    if (!isAppError(error, 'vault.storage-read-only', 'vault.access-denied', 'vault.storage-full')) throw error;
    context.options.logger.warn({ problem: error.message }, 'the evidence of a verify could not be kept in the vault');
  }
}

/** Checks the vault; see `VerifyOptions`. Changes nothing but the index, and adds its own evidence. */
export async function verifyVault(context: MaintenanceContext, options: VerifyOptions): Promise<VerifyReport> {
  const { store, keys } = context;
  const { clock, logger } = context.options;
  const startedAt = nowIso(clock);
  if (options.witness) checkWitness(keys, options.witness);
  await synchroniseIndex({ store, keys, index: context.index, logger });
  const pass: PackPass = { damages: await checkHeaders(context), verifiedAt: {}, packs: 0, bytesRead: 0, packsRead: 0, isComplete: true };
  const intact = await checkStructures(context, options, pass);
  if (options.depth === 'data') await readBack(context, options, pass, intact);
  else pass.isComplete = false;

  const chains: CheckedChain[] = [];
  for await (const chain of checkJournal(store, keys)) {
    chains.push(chain);
    pass.damages.push(...chain.damages);
  }
  if (options.witness) pass.damages.push(...(await compareWitness(store, keys, options.witness)));
  const affected = await findAffected(context, chains, options.maxAffectedItems);
  pass.damages.push(...affected.damages);
  const heads = chains.flatMap(({ resourceId, segments }) => {
    const last = segments.at(-1);
    return last ? [{ resourceId, sequence: last.body.sequence, hash: last.hash }] : [];
  });
  const finishedAt = nowIso(clock);
  const report: VerifyReport = {
    vaultId: keys.vaultId,
    depth: options.depth,
    startedAt,
    finishedAt,
    packs: pass.packs,
    segments: chains.reduce((sum, chain) => sum + chain.segments.length, 0),
    bytesRead: pass.bytesRead,
    packsRead: pass.packsRead,
    complete: pass.isComplete,
    damages: pass.damages,
    affectedItems: affected.items,
    affectedItemCount: affected.count,
    progress: { verifiedAt: pass.verifiedAt },
    heads: signWitness(keys, finishedAt, heads),
  };
  await keepEvidence(context, report);
  return report;
}
