import { createSecretKey, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createIds, type Ids } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFakeClock, type FakeClock } from '@holdfast/foundation/testing/fake-clock';
import {
  createMasterKeyRing,
  createMemoryBlobStore,
  createVault,
  type BlobStore,
  type ContentRef,
  type ItemChange,
  type Json,
  type KeyRing,
  type OpenVaultOptions,
  type ResourceHead,
  type Vault,
} from '../src/index.ts';
import { openVault, type VaultTuning } from '../src/open-vault.ts';

export const ORGANISATION = '018f0000-0000-7000-8000-000000000001';

export function aMasterKey(fill = 7): KeyObject {
  return createSecretKey(Buffer.alloc(32, fill));
}

export function aKeyRing(fill = 7): KeyRing {
  return createMasterKeyRing({ current: `key-${fill}`, keys: { [`key-${fill}`]: aMasterKey(fill) } });
}

export interface VaultWorld {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly clock: FakeClock;
  readonly ids: Ids;
  /** Opens the vault of this world; anything may be given otherwise. */
  open(options?: Partial<OpenVaultOptions>, tuning?: VaultTuning): Promise<Vault>;
}

/** A vault in memory (or in `store`), small packs, a clock that stands. */
export async function aVaultWorld(
  options: { readonly store?: BlobStore; readonly isThere?: boolean; readonly seed?: number } = {},
): Promise<VaultWorld> {
  const clock = createFakeClock();
  const ids = createIds(clock, createSeededRandom(options.seed ?? 1));
  const store = options.store ?? createMemoryBlobStore({ clock });
  const keyRing = aKeyRing();
  if (!options.isThere) await createVault({ store, keyRing, organisationId: ORGANISATION, clock, ids, name: 'test' });
  return {
    store,
    keyRing,
    clock,
    ids,
    open: (given = {}, tuning = {}) =>
      openVault({ store, keyRing, clock, ids, logger: silentLogger, threads: 0, ...given }, { packTargetBytes: 64 * 1024, ...tuning }),
  };
}

export function anItem(itemId: string, content: { [role: string]: ContentRef } = {}, metadata: Json = null): ItemChange {
  return { op: 'put', itemId, parentId: null, kind: 'message', name: `name of ${itemId}`, metadata, content };
}

/** Puts each text as the message of an item and commits. */
export async function commitTexts(
  vault: Vault,
  resourceId: string,
  texts: { readonly [itemId: string]: string | Buffer | null },
  options: { readonly fence?: number; readonly at?: string; readonly restorePoint?: boolean } = {},
): Promise<ResourceHead> {
  const writer = await vault.openWriter({ resourceId });
  const changes: ItemChange[] = [];
  for (const [itemId, text] of Object.entries(texts)) {
    if (text === null) changes.push({ op: 'remove', itemId });
    else changes.push(anItem(itemId, { mime: await writer.put(Buffer.from(text), { kind: 'message' }) }));
  }
  await writer.close();
  const journal = vault.journal(resourceId);
  const expectedHead = await journal.head();
  const number = (expectedHead?.sequence ?? 0) + 1;
  const { fence = 1, at = expectedHead?.at ?? '2026-01-01T00:00:00.000Z', restorePoint = true } = options;
  return journal.commit({ expectedHead, fence, runId: `run-${number}`, at, cursor: { delta: number }, changes, restorePoint });
}

/** Every item's text at a point, by id, each read and verified. */
export async function textsAt(
  vault: Vault,
  resourceId: string,
  point?: { sequence: number } | { time: string },
): Promise<{ [itemId: string]: string }> {
  const texts: { [itemId: string]: string } = {};
  for await (const item of vault.journal(resourceId).stateAt(point)) {
    const { mime } = item.content;
    texts[item.itemId] = mime ? (await vault.reader().readAll(mime)).toString('latin1') : '';
  }
  return texts;
}

/** A folder that is removed by the returned function. */
export function aFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-vault-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function collectAll<Value>(source: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of source) values.push(value);
  return values;
}
