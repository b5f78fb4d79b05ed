/**
 * Browsing the catalog at ten million item versions: any folder of any source at any time, with what the page asks for
 * (the restore point of a time, the first hundred children, their total, the names above), beside the least that a page
 * can cost: one scan of the same index for the newest state, without total, versions and names.
 *
 *   node bench/catalog.ts [millions of versions] [--keep FOLDER] [--json]     `--json` also writes bench/results/catalog.json
 *
 * The PostgreSQL is the embedded one with the product's settings; row-level security is on. `--keep` leaves the generated
 * catalog in a folder and takes it from there the next time.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, startEmbedded } from '@holdfast/database';
import { createSeededRandom } from '@holdfast/foundation/random';
import { silentLogger } from '@holdfast/foundation/logger';
import { createBrowseViews, createSourcesViews } from '../apps/server/src/features/discovery/index.ts';
import { dayOf, fillCatalog, openAdministrator, scopeOf, sizesOf, FOLDERS, POINTS, type Administrator } from './catalog/fill.ts';

const words = process.argv.slice(2);
const millions = Number(words.find((word) => /^\d+(\.\d+)?$/u.test(word)) ?? 10);
const kept = words.includes('--keep') ? words[words.indexOf('--keep') + 1] : undefined;
const PAGE = 100;
const ASKED = 2_000;
const ASKED_OF_LARGEST = 100;

interface Spread {
  readonly what: string;
  readonly asked: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

function spreadOf(what: string, times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
  return { what, asked: times.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

async function measure(what: string, asked: number, work: (index: number) => Promise<unknown>): Promise<Spread> {
  const times: number[] = [];
  for (let index = 0; index < asked; index += 1) times.push(await timed(() => work(index)));
  return spreadOf(what, times);
}

/** The least that a page of the newest state can cost: one scan of the index, and the rows it points to. */
function scanNow(administrator: Administrator, sourceId: string, folder: string): Promise<unknown> {
  return administrator.query(
    `select item_key, parent_key, kind, is_container, name, size_bytes, created_at, modified_at, author from catalog_items
     where organisation_id = $1 and realm = 'production' and source_id = $2 and parent_key = $3 and to_point = 9007199254740991
     order by is_container desc, sort_name, item_key limit ${PAGE}`,
    [scopeOf.organisationId, sourceId, folder],
  );
}

const dataFolder = kept ?? (await mkdtemp(path.join(tmpdir(), 'holdfast-bench-catalog-')));
const isThere = existsSync(path.join(dataFolder, 'filled'));
const postgres = await startEmbedded({ dataFolder: path.join(dataFolder, 'postgres'), logger: silentLogger, as: 'keeper' });
try {
  await migrate(postgres.ownerUrl);
  const administrator = await openAdministrator(postgres);
  const sizes = sizesOf(millions * 1e6);
  if (!isThere) await fillCatalog(administrator, sizes);
  writeFileSync(path.join(dataFolder, 'filled'), '');
  const database = openDatabase({ url: postgres.applicationUrl, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
  const browse = createBrowseViews(database);
  const sources = createSourcesViews(database);
  const random = createSeededRandom(7);
  const ids = (await administrator.query('select source_id from catalog_sources order by items desc, source_id')).map((row) =>
    String(row['source_id']),
  );
  const one = (): { sourceId: string; nodeId: string; at: string } => ({
    sourceId: ids[random.below(ids.length)] ?? '',
    nodeId: `folder-${random.below(FOLDERS)}`,
    at: dayOf(1 + random.below(POINTS)),
  });
  const open = async ({ sourceId, nodeId, at }: { sourceId: string; nodeId: string; at?: string }): Promise<void> => {
    const point = await sources.pointAt(scopeOf, sourceId, at);
    if (!point) throw new Error(`There is no restore point at ${at ?? 'all'}.`);
    const place = { sourceId, sequence: point.sequence, nodeId };
    await browse.open(scopeOf, place, { limit: PAGE });
  };
  const [counted] = await administrator.query(
    `select count(*)::float8 as versions, pg_total_relation_size('catalog_items')::float8 / 1e9 as gigabytes from catalog_items`,
  );
  for (let warm = 0; warm < 50; warm += 1) await open(one());
  const rows = [
    await measure('any folder at any time', ASKED, () => open(one())),
    await measure('any folder, newest', ASKED, () => {
      const { at: _at, ...place } = one();
      return open(place);
    }),
    await measure('bound: one index scan for the newest', ASKED, () => {
      const { sourceId, nodeId } = one();
      return scanNow(administrator, sourceId, nodeId);
    }),
    await measure('largest folder of the largest mailbox at any time', ASKED_OF_LARGEST, () =>
      open({ ...one(), sourceId: ids[0] ?? '', nodeId: 'folder-0' }),
    ),
    await measure('bound: one index scan of that folder', ASKED_OF_LARGEST, () => scanNow(administrator, ids[0] ?? '', 'folder-0')),
  ];
  const load = loadavg().map((value) => Number(value.toFixed(1)));
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length, load };
  const found = {
    machine,
    versions: counted?.['versions'],
    gigabytes: counted?.['gigabytes'],
    sources: sizes.length,
    folders: FOLDERS,
    points: POINTS,
    rows,
  };
  console.log(JSON.stringify(found, null, 1));
  if (words.includes('--json')) {
    writeFileSync(fileURLToPath(new URL('results/catalog.json', import.meta.url)), `${JSON.stringify(found, null, 2)}\n`);
  }
  await database.close();
  await administrator.close();
} finally {
  await postgres.stop();
  if (kept === undefined) await rm(dataFolder, { recursive: true, force: true });
}
