import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '@holdfast/vault';
import type { LocationTarget } from './location-target.ts';
import { targetsAbove } from './overlap.policy.ts';

const HEADERS = ['vault.json', 'vault.copy.json'] as const;

async function hasHeader(store: BlobStore): Promise<boolean> {
  for (const name of HEADERS) if (await store.stat(name)) return true;
  return false;
}

/** Who may look at one prefix may not look at those above: what can't be seen is not told. */
async function isVault(store: BlobStore): Promise<boolean> {
  try {
    return await hasHeader(store);
  } catch (error) {
    if (isAppError(error, 'vault.access-denied', 'vault.object-missing')) return false;
    throw error;
  } finally {
    await store.close();
  }
}

async function isVaultFolder(folder: string): Promise<boolean> {
  const found = await Promise.all(HEADERS.map((name) => stat(path.join(folder, name)).catch(() => undefined)));
  return found.some((one) => one?.isFile() === true);
}

/** Whether a vault lies above a target or below it, whoever it belongs to: none may are within another one. */
export async function hasVaultAround(
  target: LocationTarget,
  store: BlobStore,
  storeAt: (above: LocationTarget) => BlobStore,
): Promise<boolean> {
  for (const above of targetsAbove(target)) {
    if (above.kind === 'filesystem' ? await isVaultFolder(above.path) : await isVault(storeAt(above))) return true;
  }
  for await (const { name } of store.list('')) if (HEADERS.some((header) => name.endsWith(`/${header}`))) return true;
  return false;
}
