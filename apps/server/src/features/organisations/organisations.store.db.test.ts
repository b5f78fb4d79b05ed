import { systemClock } from '@holdfast/foundation/clock';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { expect, test } from 'vitest';
import { createMembershipReader } from './organisations.store.ts';
import { testServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);

test('an id that is none spoils nobody else’s look-up of the same moment', async () => {
  const server = await testServer(testing);
  try {
    const { accountId, organisationId } = await server.owner();
    const membershipsOf = createMembershipReader(testing.database, systemClock);
    const [mine, nobodys] = await Promise.all([membershipsOf(accountId, 'production'), membershipsOf('no id at all', 'production')]);
    expect(mine).toMatchObject([{ organisationId, role: 'owner' }]);
    expect(nobodys).toEqual([]);
  } finally {
    await server.close();
  }
});
