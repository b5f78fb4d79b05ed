/**
 * A commit with and without the copy of its segment: wall time, bytes and requests, over a folder that is synced and
 * over a store that takes 30 ms for each request, as an object store does.
 *
 * `npm run bench -- journal [--json] [--commits 200]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFilesystemBlobStore, createMemoryBlobStore, type BlobStore, type ItemChange } from '@holdfast/vault';
import { aVaultWorld, anItem } from '@holdfast/vault/testing/builders';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, commits: { type: 'string', default: '200' } } });
const COMMITS = Number(values.commits);
const REQUEST_MS = 30;
/** Messages of a commit: some of a day, or a page of a first backup, whose changes are stored outside the segment. */
const SIZES = { day: 20, page: 500 } as const;

interface Counted {
  readonly store: BlobStore;
  puts: number;
  bytes: number;
}

/** Counts what is written; without `copies` it takes none, as a store of the version before did. */
function counting(inner: BlobStore, copies: boolean, delayMs: number): Counted {
  const wait = (): Promise<void> => (delayMs > 0 ? systemClock.sleep(delayMs) : Promise.resolve());
  const counted: Counted = {
    puts: 0,
    bytes: 0,
    store: {
      ...inner,
      async put(name, parts, options) {
        if (!copies && name.startsWith('copies/')) return;
        counted.puts += 1;
        counted.bytes += parts.reduce((sum, part) => sum + part.byteLength, 0);
        await wait();
        await inner.put(name, parts, options);
      },
      async get(...args) {
        await wait();
        return inner.get(...args);
      },
    },
  };
  return counted;
}

interface Figures {
  readonly medianMs: number;
  readonly puts: number;
  readonly bytes: number;
}

/** A vault that is written to, with what its commits took. */
async function openOne(inner: BlobStore, copies: boolean, delayMs: number) {
  const counted = counting(inner, copies, delayMs);
  const vault = await (await aVaultWorld({ store: counted.store })).open({}, { packTargetBytes: 16 * 1024 * 1024 });
  const random = createSeededRandom(3);
  const times: number[] = [];
  counted.puts = 0;
  counted.bytes = 0;
  return {
    async commit(round: number, items: number): Promise<void> {
      const texts = Array.from({ length: items }, () => random.bytes(4000));
      const started = systemClock.monotonicMs();
      const writer = await vault.openWriter({ resourceId: 'box' });
      const changes: ItemChange[] = [];
      for (const [at, text] of texts.entries()) {
        const mime = await writer.put(text, { kind: 'file' });
        changes.push(anItem(`${round}-${at}`, { mime }, { subject: `of ${at}`, from: 'somebody@example.com', note: 'x'.repeat(400) }));
      }
      await writer.close();
      const journal = vault.journal('box');
      await journal.commit({ expectedHead: await journal.head(), fence: 1, runId: 'r', at: '2026-01-01T00:00:00Z', cursor: null, changes });
      times.push(systemClock.monotonicMs() - started);
    },
    async close(): Promise<Figures> {
      await vault.close();
      const medianMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
      return { medianMs, puts: counted.puts / times.length, bytes: counted.bytes / times.length };
    },
  };
}

/** Both in turn, so that other work on the machine slows them alike. */
async function measure(place: 'folder' | 'object store', items: number): Promise<{ readonly before: Figures; readonly after: Figures }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-journal-'));
  const inner = (name: string): BlobStore =>
    place === 'folder' ? createFilesystemBlobStore({ root: path.join(folder, name) }) : createMemoryBlobStore();
  const delayMs = place === 'folder' ? 0 : REQUEST_MS;
  const before = await openOne(inner('before'), false, delayMs);
  const after = await openOne(inner('after'), true, delayMs);
  const commits = items > 100 ? Math.ceil(COMMITS / 5) : COMMITS;
  for (let round = 0; round < commits; round += 1) {
    for (const one of round % 2 === 0 ? [before, after] : [after, before]) await one.commit(round, items);
  }
  const figures = { before: await before.close(), after: await after.close() };
  rmSync(folder, { recursive: true });
  return figures;
}

const results: Record<string, Awaited<ReturnType<typeof measure>>> = {};
for (const [size, items] of Object.entries(SIZES)) {
  for (const place of ['folder', 'object store'] as const) results[`${size}, ${place}`] = await measure(place, items);
}
if (values.json) console.log(JSON.stringify(results));
else {
  for (const [name, { before, after }] of Object.entries(results)) {
    const more = (what: keyof Figures): string =>
      `${before[what].toFixed(1)} → ${after[what].toFixed(1)} (${((after[what] / before[what] - 1) * 100).toFixed(1)} %)`;
    console.log(`${name}: median ms ${more('medianMs')}, puts ${more('puts')}, bytes ${more('bytes')}`);
  }
}
