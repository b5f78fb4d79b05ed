import type { Problem } from '@holdfast/engine';
import { organisationId } from '@holdfast/database';
import type { VerifyReport } from '@holdfast/vault';
import { expect, test } from 'vitest';
import { findingsOf } from './verify-findings.ts';
import { nameFound } from './verify-problems.ts';

const place = {
  scope: { organisationId: organisationId('00000000-0000-4000-8000-000000000001'), realm: 'production' as const },
  runId: 'run',
  locationId: 'location',
  known: new Set(['box']),
};

/** Names what a report says, and answers what was named. */
async function named(found: Pick<VerifyReport, 'damages' | 'affectedItems'>) {
  const problems: Problem[] = [];
  const objects: { name: string; code: string }[] = [];
  const accounts = {
    addProblems: async (_scope: unknown, _run: string, some: readonly Problem[]) => void problems.push(...some),
    addObjects: async (_scope: unknown, _run: string, some: readonly { name: string; code: string }[]) => void objects.push(...some),
  };
  const memory = {
    pointTimes: async () => new Map([[7, '2026-01-07T00:00:00.000Z']]),
    itemsOf: async () => ({ total: 0, items: [] }),
  };
  await nameFound({ accounts, memory }, place, found as VerifyReport);
  return { problems, objects };
}

test('every lost item is named, however many there are', async () => {
  const affectedItems = Array.from({ length: 2_500 }, (_, index) => ({
    resourceId: 'box',
    itemId: `i${index}`,
    name: `Item ${index}`,
    sequence: 1,
    roles: ['mime'],
  }));
  const { problems } = await named({ damages: [], affectedItems });
  expect(problems).toHaveLength(2_500);
  expect(problems.at(-1)).toMatchObject({ path: 'Item 2499', code: 'vault.damaged' });
});

test('points that a prune gave up are not called lost', async () => {
  const common = { object: 'points' as const, name: 'journal/k/', problem: '', resourceId: 'box', blobIds: [] };
  const damages = [
    { ...common, lostPoints: { count: 1, sequences: [6] } },
    { ...common, lostPoints: { count: 1, sequences: [7] }, isPruned: true },
  ];
  const { problems } = await named({ damages, affectedItems: [] });
  expect(problems.map(({ path, code }) => [path, code])).toEqual([
    ['#6', 'vault.points-lost'],
    ['2026-01-07T00:00:00.000Z', 'vault.points-pruned'],
  ]);
  expect(findingsOf({ damages, affectedItemCount: 0 })).toEqual([
    { code: 'vault.points-lost', count: 1 },
    { code: 'vault.points-pruned', count: 1 },
  ]);
});

test('a damaged document is called what people call it', async () => {
  const damages = [{ object: 'document' as const, name: 'documents/x', title: 'Report.pdf', problem: '', blobIds: [] }];
  expect((await named({ damages, affectedItems: [] })).objects).toEqual([{ name: 'Report.pdf', code: 'vault.document-damaged' }]);
});
