/**
 * Data management at a million file versions: a scan by a worker of everything that is kept, the file manager in a folder of
 * 400,000 files, and the dashboard. Two fifths of the versions are files of that folder, the others are in drives of 5,000
 * files; a file has two versions on average, the current one included, and thirty days of changes follow the first backup.
 *
 *   node bench/compliance.ts [millions of versions] [--keep FOLDER] [--json]     `--json` also writes bench/results/compliance.json
 *
 * The catalog is filled through its own store, and read with row-level security over the embedded PostgreSQL with the product's
 * settings. `--keep` leaves what was filled in a folder and takes it from there the next time.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, startEmbedded, type Database } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { silentLogger } from '@holdfast/foundation/logger';
import { createComplianceService, type ComplianceService } from '../apps/server/src/features/compliance/compliance.service.ts';
import { createBrowseViews, createSourcesViews } from '../apps/server/src/features/discovery/index.ts';
import { openAdministrator, type Administrator } from './catalog/fill.ts';
import { dayOf, DAYS, fillIndex, fillSites, FOLDER, scopeOf, siteId, sizesOf, TENANT } from './compliance/fill.ts';

const words = process.argv.slice(2);
const millions = Number(words.find((word) => /^\d+(\.\d+)?$/u.test(word)) ?? 1);
const kept = words.includes('--keep') ? words[words.indexOf('--keep') + 1] : undefined;
const PAGE = 100;
const ASKED = 200;
const ASKED_SLOWLY = 20;
const SCAN = fileURLToPath(new URL('compliance/scan.ts', import.meta.url));

interface Spread {
  readonly what: string;
  readonly asked: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

async function measure(what: string, asked: number, work: (index: number) => Promise<unknown>): Promise<Spread> {
  const times: number[] = [];
  for (let index = 0; index < asked; index += 1) {
    const at = performance.now();
    await work(index);
    times.push(performance.now() - at);
  }
  times.sort((left, right) => left - right);
  const at = (share: number): number => Number((times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1));
  return { what, asked, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

const seconds = (since: number): number => Number(((performance.now() - since) / 1_000).toFixed(1));

async function fill(administrator: Administrator, database: Database): Promise<number> {
  const at = performance.now();
  await fillSites(administrator, database, sizesOf(millions * 1e6));
  await fillIndex(administrator);
  return seconds(at);
}

async function scan(url: string): Promise<{ readonly scanSeconds: number; readonly scanPeakMB: number }> {
  const printed = execFileSync(process.execPath, [SCAN, url, String(performance.now())], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed) as { readonly scanSeconds: number; readonly scanPeakMB: number };
}

/** The service as the API has it; nothing here starts a run. */
function serviceOf(database: Database): ComplianceService {
  const refuse = (): never => {
    throw new Error('The benchmark starts no runs.');
  };
  return createComplianceService({
    database,
    clock: systemClock,
    scans: { request: refuse },
    runs: { enqueue: refuse },
    browse: createBrowseViews(database),
    points: createSourcesViews(database),
    policiesOfFile: refuse,
    record: refuse,
    recordCleanUp: refuse,
  });
}

async function browse({ nodes }: ComplianceService, sourceId: string): Promise<readonly Spread[]> {
  const random = createSeededRandom(7);
  const folder = { sourceId, nodeId: FOLDER, limit: PAGE };
  const anyDay = (): string => dayOf(random.below(DAYS + 1));
  const open = async (more: object = {}): Promise<string | undefined> => {
    const { items, nextCursor } = await nodes(scopeOf, TENANT, { ...folder, ...more });
    if (items.length === 0) throw new Error('The folder is empty.');
    return nextCursor ?? undefined;
  };
  for (let warm = 0; warm < 5; warm += 1) await open();
  let cursor: string | undefined;
  return [
    await measure('the folder, at any time', ASKED, () => open({ at: anyDay() })),
    await measure('the folder, newest', ASKED, () => open()),
    await measure('its next page, and the next', ASKED, async () => {
      cursor = await open(cursor === undefined ? {} : { cursor });
    }),
    await measure('the folder with what was deleted from it', ASKED_SLOWLY, () => open({ deleted: true, at: anyDay() })),
    await measure('the folder, largest files first', ASKED_SLOWLY, () => open({ sort: '-sizeBytes', at: anyDay() })),
    await measure('the folder, last changed first', ASKED_SLOWLY, () => open({ sort: '-modifiedAt', at: anyDay() })),
  ];
}

const dataFolder = kept ?? (await mkdtemp(path.join(tmpdir(), 'holdfast-bench-compliance-')));
const isThere = existsSync(path.join(dataFolder, 'filled'));
const postgres = await startEmbedded({ dataFolder: path.join(dataFolder, 'postgres'), logger: silentLogger, as: 'keeper' });
try {
  await migrate(postgres.ownerUrl);
  const administrator = await openAdministrator(postgres);
  const database = openDatabase({ url: postgres.applicationUrl, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
  const fillSeconds = isThere ? null : await fill(administrator, database);
  writeFileSync(path.join(dataFolder, 'filled'), '');
  // Everything is read again, as after a first backup.
  await administrator.query('delete from compliance_sources');
  const first = await scan(postgres.applicationUrl);
  const service = serviceOf(database);
  const [counted] = await administrator.query(
    `select (select count(*) from compliance_files)::int as files, (select count(*) from compliance_versions)::int as earlier,
       (select source_id from catalog_sources where resource_id = '${siteId(0)}') as source`,
  );
  const rows = [
    await measure('dashboard', ASKED, () => service.dashboard(scopeOf, TENANT)),
    ...(await browse(service, String(counted?.['source']))),
  ];
  const [shown, opened] = rows;
  const load = loadavg().map((value) => Number(value.toFixed(1)));
  const found = {
    machine: { node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length, load },
    files: counted?.['files'],
    versions: Number(counted?.['files']) + Number(counted?.['earlier']),
    fillSeconds,
    rows,
    figures: { ...first, folderP95Ms: opened?.p95Ms, dashboardP99Ms: shown?.p99Ms },
  };
  console.log(JSON.stringify(found, null, 1));
  if (words.includes('--json')) {
    writeFileSync(fileURLToPath(new URL('results/compliance.json', import.meta.url)), `${JSON.stringify(found, null, 2)}\n`);
  }
  await database.close();
  await administrator.close();
} finally {
  await postgres.stop();
  if (kept === undefined) await rm(dataFolder, { recursive: true, force: true });
}
