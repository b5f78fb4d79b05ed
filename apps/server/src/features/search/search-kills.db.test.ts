import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { secureRandom } from '@holdfast/foundation/random';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { unlimitedReach } from '../content-access/index.ts';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { coverageOf } from './coverage.views.ts';
import { countHits } from './hits-page.views.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { placeOf } from './search-place.ts';
import { readAs } from './testing/made-words.ts';

/** An index whose writer is killed at any moment, while backups add to the catalog and retention takes from it. */
const testing = testDatabase(import.meta.url);
const KILLS = Math.min(12, Number(process.env['TEST_KILLS'] ?? 6));
const EACH = 60;
let ground: Ground;
let resourceId: string;

beforeAll(async () => {
  ground = await aGround(testing.database);
  resourceId = await aResource(testing.database, ground, { graphId: 'ann', name: 'Ann' });
});

async function startIndexing(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('testing/index-until-killed.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', program, testing.applicationUrl, ground.scope.organisationId];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

const everything: Query = { kind: 'everything' };

/** What coverage says, beside what is there: both of one moment. */
async function coverage() {
  return testing.database.within(ground.scope, async (tx) => {
    // Nobody writes meanwhile, so that all of these are of one moment.
    await sql`lock table search_items, search_sources in share mode`.execute(tx);
    const { tenantId } = ground;
    const said = await coverageOf(tx, { tenantId, reach: unlimitedReach });
    const { rows } = await sql<{ items: number; searched: number; torn: number; twice: number }>`
      select (select count(*)::int from catalog_items where kind = 'message') as items,
        (select count(*)::int from search_items) as searched,
        (select count(*)::int from search_items item where slices <> (select count(*) from search_words words where words.item_no = item.item_no)) as torn,
        (select count(*)::int from (select 1 from search_items group by source_id, item_key, from_point having count(*) > 1) more) as twice`.execute(
      tx,
    );
    const found = await countHits(tx, await placeOf(tx, systemClock, { tenantId, query: everything, reach: unlimitedReach }));
    return { said, is: rows[0], found };
  });
}

async function expectTrueCoverage(): Promise<void> {
  const { said, is } = await coverage();
  expect([said.items, said.searched, is?.torn, is?.twice]).toEqual([is?.items, is?.searched, 0, 0]);
}

async function hits(text: string): Promise<number> {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return testing.database.within(ground.scope, async (tx) =>
    countHits(tx, await placeOf(tx, systemClock, { tenantId: ground.tenantId, query, reach: unlimitedReach })),
  );
}

test(`A17: ${KILLS} kills while indexing and comparing lose nothing, double nothing, and coverage is true at every moment`, async () => {
  const catalog = createCatalog({ database: testing.database, scope: ground.scope, locationId: ground.locationId, ids });
  for (let turn = 1; turn <= KILLS; turn += 1) {
    // New items, and a new version of one that is being read just now.
    const put = Array.from({ length: EACH }, (_, n) => anItem(`t${turn}n${n}`));
    await catalog.apply(aSegment(resourceId, turn, { put: turn > 1 ? [...put, anItem(`t${turn - 1}n0`)] : put }));
    const child = await startIndexing();
    const until = performance.now() + secureRandom.bytes(1).readUInt8() * 2;
    while (performance.now() < until) await expectTrueCoverage();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expectTrueCoverage();
    if (turn % 3 === 0) await catalog.forgetPoints(resourceId, [turn - 2]);
    await expectTrueCoverage();
  }
  const store = createSearchIndexStore(testing.database);
  for (let unread = await store.unread(ground.scope, 50); unread.length > 0; unread = await store.unread(ground.scope, 50))
    await store.write(ground.scope, unread.map(readAs));
  const { said, is, found } = await coverage();
  expect([said.items, said.searched, is?.torn, is?.twice]).toEqual([is?.items, is?.items, 0, 0]);
  expect(found).toBe(KILLS * EACH);
  expect(await hits('shared')).toBe(KILLS * EACH);
  for (let turn = 1; turn <= KILLS; turn += 1) expect([turn, await hits(`t${turn}n7`), await hits(`t${turn}n*`)]).toEqual([turn, 1, EACH]);
  // Nothing was missing when a night compared: no process had raised an alarm.
  expect(Number((await testing.asSuperuser('select coalesce(sum(lost), 0) as lost from search_comparisons'))[0]?.['lost'])).toBe(0);
}, 600_000);
