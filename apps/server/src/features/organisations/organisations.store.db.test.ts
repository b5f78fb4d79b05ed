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

test('organisations of the same name that are founded at once have abbreviations of their own', async () => {
  const server = await testServer(testing);
  try {
    const owners = await Promise.all(Array.from({ length: 4 }, () => server.owner()));
    const body = { name: 'Müller & Söhne' };
    const answers = await Promise.all(owners.map(({ tokens }) => server.send('/apollo/api/organisations', { token: tokens.main, body })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const rows = await testing.asSuperuser("select distinct abbr from organisations where name = 'Müller & Söhne' order by abbr");
    expect(rows.map(({ abbr }) => abbr)).toEqual(['mullersohne', 'mullersohne2', 'mullersohne3', 'mullersohne4']);
  } finally {
    await server.close();
  }
});
