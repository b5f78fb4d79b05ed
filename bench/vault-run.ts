/** One step of the vault's benchmark in a process of its own, so that its time, CPU and memory are its own. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import {
  createFileBlobIndex,
  createFilesystemBlobStore,
  createMasterKeyRing,
  createVault,
  openVault,
  type ContentRef,
  type ItemChange,
  type Vault,
  type WantedFile,
} from '@holdfast/vault';

const RESOURCES_AT_ONCE = 3;
const ITEMS_AT_ONCE = 24;
const SHORT_BYTES = 128 * 1024;
const LONG_BYTES = 1024 * 1024;

const [step = '', root = '', place = ''] = process.argv.slice(2);
const keyRing = createMasterKeyRing({ current: 'bench', keys: { bench: createSecretKey(Buffer.alloc(32, 1)) } });
const ids = createIds(systemClock, secureRandom);
const store = createFilesystemBlobStore({ root: path.join(root, 'vault') });
const base = { store, keyRing, clock: systemClock, ids, logger: silentLogger };

/** Opens the vault over an index in a file, as a worker has it: what one process learns the next one knows. */
async function open(): Promise<Vault> {
  const { vaultId } = JSON.parse((await store.get('vault.json')).toString()) as { vaultId: string };
  return openVault({ ...base, index: createFileBlobIndex({ file: path.join(root, 'index'), vaultId }) });
}

/** Memory to read files into. It is used again, as that of a source over the network is. */
function createSpare(bytes: number) {
  const spare: Buffer[] = [];
  return { take: () => spare.pop() ?? Buffer.allocUnsafeSlow(bytes), give: (buffer: Buffer) => void spare.push(buffer) };
}

const shortMemory = createSpare(SHORT_BYTES);
const longMemory = createSpare(LONG_BYTES);

/** Fills `buffer` from `at` on, as far as the file goes. */
function readInto(descriptor: number, buffer: Buffer, at = 0): Buffer {
  let end = at;
  for (let size = -1; size !== 0 && end < buffer.byteLength; end += size)
    size = readSync(descriptor, buffer, end, buffer.byteLength - end, null);
  return buffer.subarray(0, end);
}

async function withLongFile(descriptor: number, first: Buffer, use: (data: Uint8Array | AsyncIterable<Uint8Array>) => Promise<void>) {
  const memory = [longMemory.take(), longMemory.take()] as const;
  memory[0].set(first);
  const whole = readInto(descriptor, memory[0], first.byteLength);
  /** The part before is done with when the next but one is asked for. */
  const parts = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    let part = whole;
    for (let turn = 1; part.byteLength > 0; turn += 1) {
      yield part;
      part = readInto(descriptor, memory[turn % 2] as Buffer);
    }
  };
  await use(whole.byteLength < LONG_BYTES ? whole : parts());
  for (const one of memory) longMemory.give(one);
}

async function withFile(file: string, use: (data: Uint8Array | AsyncIterable<Uint8Array>) => Promise<void>): Promise<void> {
  const buffer = shortMemory.take();
  const descriptor = openSync(file, 'r');
  try {
    const first = readInto(descriptor, buffer);
    await (first.byteLength < SHORT_BYTES ? use(first) : withLongFile(descriptor, first, use));
  } finally {
    closeSync(descriptor);
    shortMemory.give(buffer);
  }
}

async function takeIn(vault: Vault, resourceId: string, files: readonly string[]): Promise<void> {
  const writer = await vault.openWriter({ resourceId });
  const changes: ItemChange[] = [];
  await forEachConcurrent(files, ITEMS_AT_ONCE, (file) =>
    withFile(path.join(place, file), async (data) => {
      const content = { data: await writer.put(data, { kind: file.endsWith('.eml') ? 'message' : 'file' }) };
      changes.push({ op: 'put', itemId: file, parentId: null, kind: 'item', name: path.basename(file), metadata: null, content });
    }),
  );
  await writer.close();
  const journal = vault.journal(resourceId);
  const at = new Date(systemClock.nowMs()).toISOString();
  await journal.commit({ expectedHead: await journal.head(), fence: 1, runId: 'bench', at, cursor: null, changes });
}

async function intake(): Promise<object> {
  await createVault({ ...base, organisationId: 'bench' });
  const vault = await open();
  const byUser = Map.groupBy(
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.\w+$/.test(file))
      .toSorted(),
    (file) => file.split(path.sep)[0] as string,
  );
  await forEachConcurrent([...byUser], RESOURCES_AT_ONCE, ([user, files]) => takeIn(vault, user, files));
  await vault.close();
  return {};
}

async function* allContents(vault: Vault): AsyncGenerator<{ key: string; content: ContentRef }, void, undefined> {
  for await (const { resourceId } of vault.resources()) {
    for await (const item of vault.journal(resourceId).stateAt())
      if (item.content['data']) yield { key: item.itemId, content: item.content['data'] };
  }
}

async function* allFiles(vault: Vault): AsyncGenerator<WantedFile<string>, void, undefined> {
  const folders = new Set<string>();
  for await (const one of allContents(vault)) {
    const file = path.join(place, one.key);
    const folder = path.dirname(file);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    yield { ...one, file };
  }
}

async function restore(): Promise<object> {
  const vault = await open();
  let items = 0;
  for await (const { error } of vault.reader().writeMany(allFiles(vault))) {
    if (error !== undefined) throw error;
    items += 1;
  }
  await vault.close();
  return { items };
}

async function one(): Promise<object> {
  const coldMs = performance.now();
  const vault = await open();
  const wanted: ContentRef[] = [];
  const resource = (await vault.resources()[Symbol.asyncIterator]().next()).value as { resourceId: string };
  const openedMs = performance.now();
  for await (const item of vault.journal(resource.resourceId).stateAt()) {
    if (item.content['data']) wanted.push(item.content['data']);
    if (wanted.length === 1) {
      await vault.reader().readAll(wanted[0] as ContentRef);
      break;
    }
  }
  const firstMs = performance.now() - coldMs;
  for await (const { content } of allContents(vault)) wanted.push(content);
  const times: number[] = [];
  for (let round = 0; round < 400; round += 1) {
    const content = wanted[(round * 7919) % wanted.length] as ContentRef;
    const startMs = performance.now();
    await vault.reader().readAll(content);
    times.push(performance.now() - startMs);
  }
  times.sort((a, b) => a - b);
  await vault.close();
  return { coldMs: firstMs, openMs: openedMs - coldMs, p50Ms: times[200], p95Ms: times[380] };
}

async function verify(): Promise<object> {
  const vault = await open();
  const report = await vault.maintenance.verify({ depth: 'data' });
  await vault.close();
  if (report.damages.length > 0) throw new Error('the vault is damaged');
  return { packs: report.packs };
}

const steps: { readonly [name: string]: () => Promise<object> } = { intake, restore, one, verify };
const startMs = performance.now();
const result = await (steps[step] as () => Promise<object>)();
console.log(JSON.stringify({ seconds: (performance.now() - startMs) / 1000, ...result }));
