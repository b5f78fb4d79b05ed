import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseQuery } from '@holdfast/contract/query/parse';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { secureRandom } from '@holdfast/foundation/random';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { unlimitedReach } from '../content-access/index.ts';
import { coverageOf } from './coverage.views.ts';
import { countHits } from './hits-page.views.ts';
import { createRecognitionStore } from './recognition.store.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { placeOf } from './search-place.ts';
import { recognised, wordOf } from './testing/made-scans.ts';
import { readAs } from './testing/made-words.ts';

/** Words of pictures and scanned documents, whose reader is killed at any moment while backups bring more of them. */
const testing = testDatabase(import.meta.url);
const KILLS = Math.min(12, Number(process.env['TEST_KILLS'] ?? 6));
const EACH = 25;
const STEP_MS = 10_000;
const START_MS = Date.UTC(2026, 0, 1);
let ground: Ground;
let resourceId: string;

beforeAll(async () => {
  ground = await aGround(testing.database);
  resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
});

const hashOf = (turn: number, item: number, document: number): string =>
  `${turn}${String(item).padStart(3, '0')}${document}`.padStart(64, '0');

async function startRecognising(turn: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('testing/recognise-until-killed.ts', import.meta.url));
  const now = String(START_MS + turn * STEP_MS);
  const args = ['--disable-warning=ExperimentalWarning', program, testing.applicationUrl, ground.scope.organisationId, now];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

/** Commits items with two documents each that wait to be recognised, and indexes them. */
async function receive(turn: number): Promise<void> {
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  const put = Array.from({ length: EACH }, (_, item) => anItem(`t${turn}n${item}`));
  await catalog.apply(aSegment(resourceId, turn, { put }));
  const store = createSearchIndexStore(testing.database);
  const read = (await store.unread(ground.scope, EACH)).map((of) => {
    const made = readAs(of);
    const item = Number(of.itemKey.split('n')[1]);
    return { ...made, words: { ...made.words, scans: [hashOf(turn, item, 1), hashOf(turn, item, 2)] } };
  });
  await store.write(ground.scope, read);
}

interface Counted {
  readonly waiting: number;
  readonly read: number;
  readonly failed: number;
  readonly torn: number;
  /** Rows of words that say what documents say. */
  readonly rows: number;
}

async function expectTrueCoverage(): Promise<Counted> {
  return testing.database.within(ground.scope, async (tx) => {
    // Nobody writes meanwhile, so that all of these are of one moment.
    await sql`lock table search_items, search_words, search_scans in share mode`.execute(tx);
    const said = await coverageOf(tx, { tenantId: ground.tenantId, reach: unlimitedReach });
    const { rows } = await sql<Counted>`select
      count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'read')::int as read,
      count(*) filter (where state = 'failed')::int as failed,
      (select count(*)::int from search_items item where slices <> (select count(*) from search_words words where words.item_no = item.item_no)) as torn,
      (select count(*)::int from search_words where words @@ 'recognised'::tsquery) as rows from search_scans`.execute(tx);
    const [is] = rows;
    if (!is) throw new Error('There is no answer.');
    expect([said.scansWaiting, said.scansRead, said.scansFailed]).toEqual([is.waiting, is.read, is.failed]);
    // What counts as read can be found, once: its words came in the same transaction.
    expect([is.torn, is.rows]).toEqual([0, is.read]);
    return is;
  });
}

async function hits(text: string): Promise<number> {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return testing.database.within(ground.scope, async (tx) =>
    countHits(tx, await placeOf(tx, systemClock, { tenantId: ground.tenantId, query, reach: unlimitedReach })),
  );
}

test(`A17: ${KILLS} kills while recognising lose nothing, double nothing, and coverage is true at every moment`, async () => {
  for (let turn = 1; turn <= KILLS; turn += 1) {
    await receive(turn);
    const child = await startRecognising(turn);
    const until = performance.now() + secureRandom.bytes(1).readUInt8();
    while (performance.now() < until) await expectTrueCoverage();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { waiting, read, failed } = await expectTrueCoverage();
    expect(waiting + read + failed).toBe(turn * EACH * 2);
  }
  const store = createRecognitionStore(testing.database);
  const later = new Date(START_MS + (KILLS + 1) * STEP_MS);
  for (let taken = await store.take(ground.scope, later, later); taken; taken = await store.take(ground.scope, later, later))
    await store.settle(ground.scope, taken.itemNo, recognised(taken.hashes), later);
  const end = await expectTrueCoverage();
  // One that was killed three times over has failed with its reason; every other one is found by its own word.
  expect(end.waiting).toBe(0);
  const failed = await testing.asSuperuser(`select document_hash, reason, attempts from search_scans where state = 'failed'`);
  expect(failed.every(({ reason, attempts }) => reason === 'interrupted' && attempts === 3)).toBe(true);
  const lost = new Set(failed.map((row) => row['document_hash']));
  for (let turn = 1; turn <= KILLS; turn += 1) {
    const own = Array.from({ length: EACH }, (_, item) => hashOf(turn, item, 1 + (item % 2)));
    for (const hash of own) expect([hash, await hits(wordOf(hash))]).toEqual([hash, lost.has(hash) ? 0 : 1]);
  }
}, 600_000);
