import type { Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { vaultError } from '../shared/errors.ts';
import type { BlobStore, StoreAbilities } from './blob-store.ts';

const LOCK_MS = 60 * 1000;

/** What a location can really do, found out by doing it. */
export interface ProbeResult extends StoreAbilities {
  /** A vault is there already. */
  readonly holdsVault: boolean;
}

/** What is being tried when a probe fails. */
export type ProbeStep = 'write' | 'read' | 'conditionalPut' | 'objectLock' | 'delete';

async function succeeds(work: () => Promise<unknown>, ...refusals: readonly Parameters<typeof isAppError>[1][]): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isAppError(error, ...(refusals as string[]))) return false;
    throw error;
  }
}

async function checkBytes(store: BlobStore, name: string, wanted: Buffer): Promise<void> {
  const whole = await store.get(name);
  const part = await store.get(name, { offset: 2, length: 4 });
  if (!whole.equals(wanted) || !part.equals(wanted.subarray(2, 6))) {
    throw vaultError('vault.storage-unavailable', `${store.description} gave back other bytes than were written.`, { object: name });
  }
}

/** Whether a second put with `ifAbsent` is really refused. What is configured does not count. */
async function probeConditionalPut(store: BlobStore, name: string): Promise<boolean> {
  const first = await succeeds(() => store.put(name, [Buffer.from('first')], { ifAbsent: true }), 'vault.storage-unavailable');
  if (!first) return false;
  const isRefused = !(await succeeds(
    () => store.put(name, [Buffer.from('second')], { ifAbsent: true }),
    'vault.object-exists',
    'vault.storage-unavailable',
  ));
  return isRefused && (await store.get(name)).toString() === 'first';
}

/** Whether a locked object can really not be deleted. */
async function probeObjectLock(store: BlobStore, name: string, clock: Clock): Promise<boolean> {
  if (!store.abilities.objectLock) return false;
  const until = new Date(clock.nowMs() + LOCK_MS);
  const isTaken = await succeeds(
    () => store.put(name, [Buffer.from('locked')], { lock: { mode: 'governance', until } }),
    'vault.storage-unavailable',
    'vault.access-denied',
    'vault.bad-input',
  );
  if (!isTaken) return false;
  return !(await succeeds(() => store.delete(name), 'vault.object-locked', 'vault.access-denied'));
}

/**
 * Tries a location before it is saved: write, read, range read, list, delete, conditional put,
 * object lock. Throws the store's own error when the location can't be used at all. Leaves nothing
 * behind but, where locks hold, one object for a minute.
 */
export async function probeBlobStore(
  store: BlobStore,
  options: { readonly clock: Clock; readonly ids: Ids; readonly onStep?: (step: ProbeStep) => void },
): Promise<ProbeResult> {
  const { onStep = () => undefined } = options;
  const folder = `probe/${options.ids.uuid()}`;
  const written = Buffer.from(`holdfast probe ${options.ids.uuid()}`);
  const plain = `${folder}/plain`;
  onStep('write');
  await store.put(plain, [written]);
  onStep('read');
  await checkBytes(store, plain, written);
  const listed: string[] = [];
  for await (const { name } of store.list(`${folder}/`)) listed.push(name);
  if (!listed.includes(plain))
    throw vaultError('vault.storage-unavailable', `${store.description} does not list what was written.`, { object: plain });
  onStep('conditionalPut');
  const conditionalPut = await probeConditionalPut(store, `${folder}/conditional`);
  onStep('objectLock');
  const objectLock = await probeObjectLock(store, `${folder}/locked`, options.clock);
  onStep('delete');
  const holdsVault = (await store.stat('vault.json')) !== undefined;
  for (const name of [plain, `${folder}/conditional`]) await store.delete(name);
  if (await store.stat(plain)) throw vaultError('vault.access-denied', `${store.description} does not delete.`, { object: plain });
  return { conditionalPut, objectLock, holdsVault };
}
