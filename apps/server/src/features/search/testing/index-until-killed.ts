import { openDatabase, organisationId } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSearchComparison } from '../search-comparison.service.ts';
import { createSearchIndexStore } from '../search-index.store.ts';
import { readAs } from './made-words.ts';

/** A process that indexes and compares without an end, a few items at a time, until it is killed. Each commit is a line. */
const [, , url = '', organisation = ''] = process.argv;
const scope = { organisationId: organisationId(organisation), realm: 'production' } as const;
const database = openDatabase({ url, role: 'holdfast_application', poolSize: 2, logger: silentLogger });
const store = createSearchIndexStore(database);
let lost = 0;
let nights = 0;
const comparison = createSearchComparison({
  database,
  // Every turn is another night.
  clock: { ...systemClock, nowMs: () => systemClock.nowMs() + (nights += 1) * 2 * 86_400_000 },
  logger: silentLogger,
  scopes: () => Promise.resolve([scope]),
  alarm: (_tx, { versions }) => Promise.resolve(void (lost += versions)),
});

for (;;) {
  const unread = await store.unread(scope, 12);
  await store.write(scope, unread.map(readAs));
  await comparison.turn(new AbortController().signal);
  process.stdout.write(`${unread.length} ${lost}\n`);
}
