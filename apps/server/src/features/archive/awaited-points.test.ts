import type { BodyOf } from '@holdfast/contract/jobs';
import type { OrganisationId } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { silentLogger } from '@holdfast/foundation/logger';
import { expect, test } from 'vitest';
import { awaitedPoints } from './awaited-points.ts';

test('a deletion that cannot reach Microsoft 365 keeps whatever an archive job may cover', async () => {
  const scope = { organisationId: 'o' as OrganisationId, realm: 'production' } as const;
  const source = { options: { deletedItems: true, junk: true }, includeFolders: [], excludeFolders: [] };
  const body = { type: 'archive', locationId: 'archives', source } as unknown as BodyOf<'archive'>;
  const options = {
    graph: {
      use: async () => {
        throw new AppError('graph.unavailable');
      },
    },
    sources: { gone: async () => [] },
    store: {
      jobs: async () => [{ name: 'Archive', body }],
      archivedIn: async () => new Set<string>(),
      cursor: async () => null,
      backup: async () => ({ id: 's', headSequence: 9 }),
      range: async () => ({ fromSequence: 2, toSequence: 4 }),
    },
    logger: silentLogger,
  };
  const awaitedOf = await awaitedPoints(options, scope, 't');
  const backup = { locationId: 'l', resourceId: 'r', graphId: 'anybody' };
  expect(await awaitedOf({ ...backup, workload: 'exchange' })).toEqual([{ name: 'Archive', fromSequence: 2, toSequence: 4 }]);
  expect(await awaitedOf({ ...backup, workload: 'onedrive' })).toEqual([]);
});
