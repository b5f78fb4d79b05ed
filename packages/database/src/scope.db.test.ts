import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anOrganisationId, testDatabase } from '../testing/test-database.ts';
const { database } = testDatabase(import.meta.url);
test('a transaction knows its organisation', async () => {
  const org = anOrganisationId();
  const rows = await database.within(
    { organisationId: org, realm: 'production' },
    async (tx) => (await sql<{ o: string }>`select holdfast.organisation() as o`.execute(tx)).rows,
  );
  expect(rows[0]?.o).toBe(org);
});
