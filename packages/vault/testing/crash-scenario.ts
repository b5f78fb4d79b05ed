import { createSecretKey } from 'node:crypto';
import { createIds, type Ids } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom, secureRandom } from '@holdfast/foundation/random';
import type { Clock } from '@holdfast/foundation/clock';
import type { BlobStore } from '../src/blob/blob-store.ts';
import { createMasterKeyRing } from '../src/crypto/master-key-ring.ts';
import type { ItemChange } from '../src/journal/journal.ts';
import { createVault, isNoVault, openVault } from '../src/open-vault.ts';
import type { Vault } from '../src/vault.ts';

/** What a writer that may die at any moment does: rounds of changes, each from the cursor of the last commit. */
export const ITEMS_PER_ROUND = 6;
export const RESOURCE = 'mailbox';
const ITEM_IDS = 10;

export const crashKeyRing = createMasterKeyRing({ current: 'k', keys: { k: createSecretKey(Buffer.alloc(32, 3)) } });

export interface RoundChange {
  readonly itemId: string;
  /** Undefined: removed. */
  readonly data: Buffer | undefined;
}

/** The changes of a round: the same for the same number, whoever asks. */
export function changesOfRound(round: number): RoundChange[] {
  const random = createSeededRandom(round);
  const changes = new Map<string, Buffer | undefined>();
  for (let at = 0; at < ITEMS_PER_ROUND; at += 1) {
    const itemId = `item-${random.below(ITEM_IDS)}`;
    const isShared = random.below(3) === 0;
    const data = isShared ? Buffer.alloc(3000, `shared ${random.below(4)}`) : random.bytes(200 + random.below(6000));
    changes.set(itemId, random.below(5) === 0 ? undefined : data);
  }
  return [...changes].map(([itemId, data]) => ({ itemId, data }));
}

/** The state after `rounds` rounds, by a model that shares nothing with the vault. */
export function stateAfter(rounds: number): Map<string, Buffer> {
  const state = new Map<string, Buffer>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const { itemId, data } of changesOfRound(round)) {
      if (data) state.set(itemId, data);
      else state.delete(itemId);
    }
  }
  return state;
}

/** Opens the vault of the scenario, creating it when it is not there yet. */
export async function openScenario(
  store: BlobStore,
  options: { readonly clock: Clock; readonly threads?: number; readonly ids?: Ids },
): Promise<Vault> {
  const { clock } = options;
  const ids = options.ids ?? createIds(clock, secureRandom);
  const open = (): Promise<Vault> =>
    openVault(
      { store, keyRing: crashKeyRing, clock, ids, logger: silentLogger, threads: options.threads ?? 0 },
      { packTargetBytes: 8192, checkpoints: { segments: 3, changes: 1000 } },
    );
  try {
    return await open();
  } catch (error) {
    if (!isNoVault(error)) throw error;
    await createVault({ store, keyRing: crashKeyRing, organisationId: 'organisation', clock, ids });
    return open();
  }
}

/** The next round: from the cursor, as a run would. Gives its number once it is committed. */
export async function runRound(vault: Vault, at: string): Promise<number> {
  const journal = vault.journal(RESOURCE);
  const expectedHead = await journal.head();
  const round = ((expectedHead?.cursor as number | undefined) ?? 0) + 1;
  const writer = await vault.openWriter({ resourceId: RESOURCE });
  const changes: ItemChange[] = [];
  for (const { itemId, data } of changesOfRound(round)) {
    if (!data) changes.push({ op: 'remove', itemId });
    else {
      const content = { data: await writer.put(data, { kind: 'file' }) };
      changes.push({ op: 'put', itemId, parentId: null, kind: 'file', name: itemId, metadata: { round }, content });
    }
  }
  await writer.close();
  await journal.commit({ expectedHead, fence: 1, runId: `run ${round}`, at, cursor: round, changes });
  return round;
}

/** Compares the vault with the model, byte by byte; gives what differs. */
export async function compareWithModel(vault: Vault): Promise<string[]> {
  const head = await vault.journal(RESOURCE).head();
  const model = stateAfter((head?.cursor as number | undefined) ?? 0);
  const problems: string[] = [];
  const seen = new Set<string>();
  for await (const item of vault.journal(RESOURCE).stateAt()) {
    const { data } = item.content;
    if (seen.has(item.itemId)) problems.push(`${item.itemId} is doubled`);
    seen.add(item.itemId);
    const expected = model.get(item.itemId);
    const found = data
      ? await vault
          .reader()
          .readAll(data)
          .catch((error: unknown) => Buffer.from(String(error)))
      : undefined;
    if (!expected || !found?.equals(expected)) problems.push(`${item.itemId} is not what was put`);
  }
  for (const itemId of model.keys()) if (!seen.has(itemId)) problems.push(`${itemId} is lost`);
  return problems;
}
