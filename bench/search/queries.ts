import { parseQuery } from '@holdfast/contract/query/parse';
import type { Database } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { unlimitedReach } from '../../apps/server/src/features/content-access/index.ts';
import { coverageOf } from '../../apps/server/src/features/search/coverage.views.ts';
import { countHits, newestHits } from '../../apps/server/src/features/search/hits-page.views.ts';
import { placeOf } from '../../apps/server/src/features/search/search-place.ts';
import { scopeOf } from '../catalog/fill.ts';
import { tenantId } from './ground.ts';
import type { createListMail } from './list-mail.ts';

/** Words from nearly every mail to none, phrases, fields and all three operators. */
function queriesOf({ word }: ReturnType<typeof createListMail>): readonly string[] {
  const w = word;
  return [
    ...[0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 59_000].map(w),
    'xyzzy',
    `${w(0)} ${w(5)}`,
    `${w(2)} ${w(400)}`,
    `${w(40)} ${w(9_000)}`,
    `${w(100)} OR ${w(200)} OR ${w(300)}`,
    `${w(1)} NOT ${w(0)}`,
    `${w(20)} NOT ${w(30)}`,
    `"${w(0)} ${w(1)}"`,
    `"${w(5)} ${w(9)}"`,
    `${w(3)} NEAR(3) ${w(8)}`,
    `from:person17@list.example`,
    `subject:${w(2)}`,
    `subject:${w(300)} from:person3@list.example`,
    `received:2024 ${w(12)}`,
    `received>2025-06`,
    `kind:email ${w(4)}`,
    `${w(6)} -subject:${w(6)}`,
    `bcc:"" ${w(15)}`,
  ];
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0).toFixed(1));
}

const ROUNDS = 3;

/** The times of searches in the index that is there. */
export async function measureQueries({
  database,
  list,
}: {
  readonly database: Database;
  readonly list: ReturnType<typeof createListMail>;
}) {
  const reach = unlimitedReach;
  const ask = (text: string, limit: number, isCount: boolean): Promise<number> =>
    database.within(scopeOf, async (tx) => {
      const { query } = parseQuery(text);
      if (!query) throw new Error(`Not a query: ${text}`);
      const start = performance.now();
      const place = await placeOf(tx, systemClock, { tenantId, query, reach });
      if (isCount) await countHits(tx, place);
      else await newestHits(tx, place, { offset: 0, limit });
      return performance.now() - start;
    });
  const each = async (texts: readonly string[], isCount: boolean, name: string): Promise<number> => {
    const times: number[] = [];
    for (const text of texts) {
      await ask(text, 50, isCount);
      const taken: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) taken.push(await ask(text, 50, isCount));
      times.push(...taken);
      console.log(`${name}  ${(taken.toSorted((a, b) => a - b)[1] ?? 0).toFixed(1).padStart(8)} ms  ${text}`);
    }
    return p95(times);
  };
  const texts = queriesOf(list);
  const wild = [3, 30, 300, 3_000].map((rank) => `*${list.word(rank).slice(1, 6)}*`).filter((text) => text.length > 4);
  const coverage: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await database.within(scopeOf, (tx) => coverageOf(tx, { tenantId, reach }));
    coverage.push(performance.now() - start);
  }
  return {
    newest50P95Ms: await each(texts, false, 'newest'),
    countP95Ms: await each(texts, true, 'count'),
    wildcardP95Ms: await each(wild, false, 'wildcard'),
    coverageMs: p95(coverage),
  };
}
