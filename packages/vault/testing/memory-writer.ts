/**
 * A process that takes contents in as fast as it can, with as many threads as there are cores, and says
 * how much memory that took on top of what an open vault takes. What is packed is dropped: how fast a
 * disk is plays no part.
 */
import { randomFillSync } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFileBlobIndex, createMemoryBlobStore, createVault, openVault, type BlobStore } from '../src/index.ts';
import { BATCH_BYTES } from '../src/write/batch-memory.ts';
import { aKeyRing, ORGANISATION } from './builders.ts';

const MEGABYTE = 1024 * 1024;
const PART_BYTES = 64 * 1024;

const [folder = '', sizeBytes = '0', count = '1', atOnce = '1'] = process.argv.slice(2);

/** Parts of one content that a writer may still hold when the next one comes: what it gathers before it copies. */
const PARTS_HELD = BATCH_BYTES / PART_BYTES + 2;

/** Bytes that were never there before, in memory that is used again, as that of a source over the network is. */
async function* newBytes(size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const ring: Buffer[] = [];
  for (let at = 0; at * PART_BYTES < size; at += 1) {
    const part = (ring[at % PARTS_HELD] ??= Buffer.allocUnsafeSlow(PART_BYTES));
    yield randomFillSync(part.subarray(0, Math.min(size - at * PART_BYTES, PART_BYTES)));
  }
}

const memory = createMemoryBlobStore();
let packedBytes = 0;
const store: BlobStore = {
  ...memory,
  async put(name, parts, options) {
    if (!name.startsWith('packs/')) return memory.put(name, parts, options);
    packedBytes += parts.reduce((sum, part) => sum + part.byteLength, 0);
  },
};
const base = { store, keyRing: aKeyRing(), clock: systemClock, ids: createIds(systemClock, secureRandom), logger: silentLogger };
const { vaultId } = await createVault({ ...base, organisationId: ORGANISATION });
const vault = await openVault({ ...base, index: createFileBlobIndex({ file: path.join(folder, 'index'), vaultId }) });
const idleBytes = process.memoryUsage.rss();
const writer = await vault.openWriter({ resourceId: 'drive' });
await forEachConcurrent(
  Array.from({ length: Number(count) }, () => Number(sizeBytes)),
  Number(atOnce),
  async (size) => void (await writer.put(newBytes(size), { kind: 'file' })),
);
await writer.close();
await vault.close();
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(
  JSON.stringify({
    packedMegabytes: Math.round(packedBytes / MEGABYTE),
    ownMegabytes: Math.round((peakBytes - idleBytes) / MEGABYTE),
    peakMegabytes: Math.round(peakBytes / MEGABYTE),
  }),
);
