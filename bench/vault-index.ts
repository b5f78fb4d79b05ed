/**
 * The index in a file, filled pack by pack as a writer does it: what a look-up costs, and what the
 * process and the file grow to. Ids are as random as real ones and can be made again, so that nothing
 * of them is kept here.
 *
 * `npm run bench -- vault-index [--millions 10] [--folder FOLDER] [--json]`
 */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createFileBlobIndex, type BlobIndex, type IndexedBlob } from '@holdfast/vault';

const PACK_BLOBS = 2_000;
const FRAME_BLOBS = 16;
const BLOB_BYTES = 32 * 1024;
/** Ids that a writer asks for together: those of a batch. */
const ASKED_TOGETHER = 40;
const LOOKUPS = 400_000;
const MEGABYTE = 1e6;
const VAULT_ID = '0190c2a8-7f2e-7c3a-9a51-0123456789ab';

const { values } = parseArgs({
  options: { millions: { type: 'string', default: '10' }, folder: { type: 'string' }, json: { type: 'boolean', default: false } },
});

const blobIdOf = (kind: 'known' | 'unknown', number: number): string => hash('sha1', `${kind} ${number}`);

function packOf(pack: number): { readonly packId: string; readonly blobs: IndexedBlob[] } {
  const packId = hash('md5', `pack ${pack}`);
  const blobs = Array.from({ length: PACK_BLOBS }, (_, at) => {
    const frame = Math.floor(at / FRAME_BLOBS);
    const place = { packId, frame, frameOffset: frame * 200_000, frameLength: 200_000, blobOffset: (at % FRAME_BLOBS) * BLOB_BYTES };
    return { blobId: blobIdOf('known', pack * PACK_BLOBS + at), place: { ...place, blobLength: BLOB_BYTES } };
  });
  return { packId, blobs };
}

interface Timed {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function timed(count: number, work: () => Promise<void>): Promise<Timed> {
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  await work();
  const cpu = process.cpuUsage(cpuBefore);
  return {
    perSecond: Math.round((count / (performance.now() - startMs)) * 1000),
    perCpuSecond: Math.round((count / (cpu.user + cpu.system)) * 1e6),
  };
}

/** Asks for ids all over the index. Every answer is looked at: a fast wrong one is worth nothing. */
function lookUp(index: BlobIndex, kind: 'known' | 'unknown', count: number): Promise<Timed> {
  return timed(LOOKUPS, async () => {
    for (let at = 0; at < LOOKUPS; at += ASKED_TOGETHER) {
      const numbers = Array.from({ length: ASKED_TOGETHER }, (_, one) => ((at + one) * 2_654_435_761) % count);
      const places = await index.find(numbers.map((number) => blobIdOf(kind, number)));
      for (const [one, place] of places.entries()) {
        const number = numbers[one] ?? 0;
        const isRight =
          kind === 'unknown'
            ? place === undefined
            : place?.packId === hash('md5', `pack ${Math.floor(number / PACK_BLOBS)}`) &&
              place.frame === Math.floor((number % PACK_BLOBS) / FRAME_BLOBS);
        if (!isRight) throw new Error(`Blob ${number} (${kind}) is not where it was put.`);
      }
    }
  });
}

const folder = mkdtempSync(path.join(values.folder ?? os.tmpdir(), 'holdfast-index-'));
try {
  const file = path.join(folder, 'index');
  const blobs = Number(values.millions) * 1e6;
  let index = createFileBlobIndex({ file, vaultId: VAULT_ID });
  const startMegabytes = process.memoryUsage.rss() / MEGABYTE;
  let peakMegabytes = startMegabytes;
  const added = await timed(blobs, async () => {
    for (let pack = 0; pack * PACK_BLOBS < blobs; pack += 1) {
      const { packId, blobs: own } = packOf(pack);
      await index.addPack(packId, own);
      peakMegabytes = Math.max(peakMegabytes, process.memoryUsage.rss() / MEGABYTE);
      if ((pack + 1) % 500 === 0) console.error(`${((pack + 1) * PACK_BLOBS) / 1e6} million, ${Math.round(peakMegabytes)} MB`);
    }
  });
  await index.close();
  const fileMegabytes = statSync(file).size / MEGABYTE;
  index = createFileBlobIndex({ file, vaultId: VAULT_ID });
  const known = await lookUp(index, 'known', blobs);
  const unknown = await lookUp(index, 'unknown', blobs);
  await index.close();
  peakMegabytes = process.resourceUsage().maxRSS / 1000;
  const machine = `${os.cpus()[0]?.model ?? ''}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1) ?? ''}`;
  const figures = { blobs, fileMegabytes, bytesPerBlob: (fileMegabytes * MEGABYTE) / blobs, added, known, unknown };
  const report = { machine, node: process.version, ...figures, startMegabytes, peakMegabytes };
  console.log(JSON.stringify(report, null, 2));
  if (values.json) writeFileSync(path.join(import.meta.dirname, 'results', 'vault-index.json'), `${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
