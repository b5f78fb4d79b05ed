import { createSeededRandom } from '@holdfast/foundation/random';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findIsolationFaults } from '../../testing/isolation.ts';
import { anOrganisationId, testDatabase } from '../../testing/test-database.ts';
import type { Realm, Scope } from './scope.ts';
import type { Tx } from './database.ts';

const { database, ownerUrl, asOwner, asSuperuser } = testDatabase(import.meta.url);
const production = (): Scope => ({ organisationId: anOrganisationId(), realm: 'production' });

function addOrganisation(tx: Tx, name: string): Promise<unknown> {
  return tx.insertInto('organisations').values({ name, abbr: 'abc', created_at: new Date() }).execute();
}
function namesIn(scope: Scope): Promise<string[]> {
  return database.within(scope, async (tx) => (await tx.selectFrom('organisations').select('name').execute()).map((row) => row.name));
}

test('every table with an organisation is isolated, and a table without the policy is found', async () => {
  expect(await findIsolationFaults(ownerUrl)).toEqual([]);
  await asOwner('create table planted (id uuid primary key, organisation_id uuid not null, realm text not null)');
  const faults = await findIsolationFaults(ownerUrl);
  expect(faults.map(({ table, fault }) => `${table}: ${fault}`)).toEqual([
    'planted: it has no policy of isolation',
    'planted: its primary key does not begin with organisation_id',
    'planted: row-level security is not enabled and forced',
  ]);
  await asOwner('drop table planted');
});

test('a transaction knows its organisation, and the next on the same connection does not', async () => {
  const scope = production();
  const within = await database.within(
    scope,
    async (tx) => (await sql<{ o: string }>`select holdfast.organisation() as o`.execute(tx)).rows[0]?.o,
  );
  expect(within).toBe(scope.organisationId);
  for (let turn = 0; turn < 20; turn += 1) {
    const rows = await database.installation((tx) => sql<{ o: string | null }>`select holdfast.organisation() as o`.execute(tx));
    expect(rows.rows[0]?.o).toBeNull();
  }
});

test('without a scope no row is seen, with one only its own, in one realm alone', async () => {
  const [ours, theirs] = [production(), production()];
  await database.within(ours, (tx) => addOrganisation(tx, 'ours'));
  await database.within(theirs, (tx) => addOrganisation(tx, 'theirs'));
  expect(await namesIn(ours)).toEqual(['ours']);
  expect(await namesIn({ ...ours, realm: 'staging' })).toEqual([]);
  const unscoped = await database.installation((tx) => sql`select * from organisations`.execute(tx));
  expect(unscoped.rows).toEqual([]);
});

test('a row of another organisation or realm can not be written, changed or taken away', async () => {
  const [ours, theirs] = [production(), production()];
  await database.within(theirs, (tx) => addOrganisation(tx, 'theirs'));
  const foreign = (organisationId: string, realm: Realm) =>
    database.within(ours, (tx) =>
      sql`insert into organisations (organisation_id, realm, name, abbr, created_at) values (${organisationId}, ${realm}, 'planted', 'x', now())`.execute(
        tx,
      ),
    );
  await expect(foreign(theirs.organisationId, 'production')).rejects.toMatchObject({ code: '42501' });
  await expect(foreign(ours.organisationId, 'staging')).rejects.toMatchObject({ code: '42501' });
  await database.within(ours, async (tx) => {
    await tx.updateTable('organisations').set({ name: 'changed' }).execute();
    await tx.deleteFrom('organisations').execute();
  });
  expect(await namesIn(theirs)).toEqual(['theirs']);
});

test('the application owns nothing, is no superuser, and may neither truncate nor pass over row-level security', async () => {
  const roles = await asSuperuser(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname in ('holdfast_application', 'holdfast_directory')`,
  );
  for (const role of roles) expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false });
  const owned = await asSuperuser(
    `select relname from pg_class where pg_get_userbyid(relowner) in ('holdfast_application', 'holdfast_directory', 'holdfast_client')`,
  );
  expect(owned).toEqual([]);
  await expect(database.installation((tx) => sql`truncate accounts`.execute(tx))).rejects.toMatchObject({ code: '42501' });
  await expect(database.installation((tx) => sql`create table planted (id int)`.execute(tx))).rejects.toMatchObject({ code: '42501' });
});

test('the directory shows ids and times of all organisations and nothing else', async () => {
  const scope = production();
  await database.within(scope, (tx) => addOrganisation(tx, 'seen'));
  const ids = await database.acrossOrganisations((tx) => tx.selectFrom('organisations').select('organisation_id').execute());
  expect(ids.map((row) => row.organisation_id)).toContain(scope.organisationId);
  await expect(database.acrossOrganisations((tx) => sql`select name from organisations`.execute(tx))).rejects.toMatchObject({
    code: '42501',
  });
  await expect(database.acrossOrganisations((tx) => sql`select * from accounts`.execute(tx))).rejects.toMatchObject({ code: '42501' });
});

test('random sequences over three organisations look to each as if it were alone', async () => {
  const random = createSeededRandom(7);
  const scopes = [production(), production(), production()];
  const models = new Map(scopes.map((scope) => [scope, new Map<string, number>()]));
  for (let turn = 0; turn < 400; turn += 1) {
    const scope = scopes[random.below(3)]!;
    const model = models.get(scope)!;
    const subject = `run-${random.below(6)}`;
    await database.within(scope, async (tx) => {
      const what = random.below(3);
      if (what === 0) {
        const at = new Date(turn);
        await sql`insert into notices (kind, subject, noticed_at) values ('run', ${subject}, ${at}) on conflict do nothing`.execute(tx);
        if (!model.has(subject)) model.set(subject, turn);
      } else if (what === 1) {
        await sql`delete from notices where subject = ${subject}`.execute(tx);
        model.delete(subject);
      }
      const { rows } = await sql<{ subject: string; noticed_at: Date }>`select subject, noticed_at from notices order by subject`.execute(
        tx,
      );
      expect(rows.map((row) => [row.subject, row.noticed_at.getTime()])).toEqual([...model].sort(([a], [b]) => a.localeCompare(b)));
    });
  }
});
