import { expect, test } from 'vitest';
import { isCounted } from './counted-holds.ts';

const period = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' };
const holds = {
  before: { placedAt: '2026-09-30T23:59:59.999Z', releasedAt: null },
  released: { placedAt: '2026-09-01T00:00:00.000Z', releasedAt: period.from },
  short: { placedAt: period.from, releasedAt: '2026-10-31T23:59:59.999Z' },
  later: { placedAt: '2026-10-02T00:00:00.000Z', releasedAt: period.to },
  after: { placedAt: period.to, releasedAt: null },
};

test.each([
  ['active', ['before', 'later']],
  ['placed', ['short', 'later']],
  ['released', ['released', 'short']],
] as const)('a report of a month counts these holds as %s', (counted, names) => {
  const found = Object.entries(holds).filter(([, hold]) => isCounted(hold, { counted, period }));
  expect(found.map(([name]) => name)).toEqual(names);
});
