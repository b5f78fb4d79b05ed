import { expect, test } from 'vitest';
import { olderDatabase } from '../../testing/older-database.ts';

/** Memberships of a version that added people before they had accepted, taken over by this one. */
const { sql, update } = olderDatabase('invitations', '0133');

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const account = (last: number, who: string, password: string | null): string =>
  `('${id(last)}', '${who}@example.com', '${who.toUpperCase()}@EXAMPLE.COM', '${who}', ${password === null ? 'null' : `'${password}'`}, 'stamp', now())`;

test('people who had not accepted are invited, and everybody else stays what they were', async () => {
  const [first, second] = [id(1), id(2)];
  await sql(`insert into organisations (organisation_id, realm, name, abbr, created_at) values
    ('${first}', 'production', 'First', 'first', now()), ('${first}', 'staging', 'First', 'first', now()),
    ('${second}', 'production', 'Second', 'second', now())`);
  await sql(`insert into accounts (id, email, normalised_email, user_name, password_hash, security_stamp, created_at) values
    ${account(11, 'olga', 'x')}, ${account(12, 'rita', 'x')}, ${account(13, 'new', null)}, ${account(14, 'both', 'x')}`);
  await sql(`insert into memberships (organisation_id, realm, account_id, role, invited_at, invitation_expires_at, joined_at) values
    ('${first}', 'production', '${id(11)}', 'owner', null, null, '2026-01-02'),
    ('${first}', 'production', '${id(12)}', 'reader', '2026-02-01', null, '2026-02-02'),
    ('${first}', 'production', '${id(13)}', 'administrator', '2026-03-01', '2026-03-08', null),
    ('${first}', 'staging', '${id(13)}', 'reader', '2026-03-01', '2026-03-08', null),
    ('${first}', 'production', '${id(14)}', 'operator', '2026-03-02', '2026-03-09', null),
    ('${second}', 'production', '${id(14)}', 'owner', null, null, '2026-01-05')`);
  await sql(`insert into account_codes (code_hash, account_id, purpose, security_stamp, created_at, expires_at)
    values ('\\x01', '${id(13)}', 'invitation', 'stamp', now(), now() + interval '7 days')`);

  await update();

  const people = `(select email from accounts where id = account_id) as email`;
  expect(await sql(`select organisation_id, realm, ${people}, role from memberships order by email`)).toEqual([
    { organisation_id: second, realm: 'production', email: 'both@example.com', role: 'owner' },
    { organisation_id: first, realm: 'production', email: 'olga@example.com', role: 'owner' },
    { organisation_id: first, realm: 'production', email: 'rita@example.com', role: 'reader' },
  ]);
  const invited = await sql(`select organisation_id, realm, email, role, is_mailed, first_name,
    expires_at::date::text as until from invitations order by email, realm`);
  const common = { organisation_id: first, is_mailed: false, first_name: '' };
  expect(invited).toEqual([
    { ...common, realm: 'production', email: 'both@example.com', role: 'operator', until: '2026-03-09' },
    { ...common, realm: 'production', email: 'new@example.com', role: 'administrator', until: '2026-03-08' },
    { ...common, realm: 'staging', email: 'new@example.com', role: 'reader', until: '2026-03-08' },
  ]);
  // Who never chose a password exists as an invitation only, and no old link opens anything.
  expect(await sql(`select email from accounts order by email`)).toEqual(
    ['both', 'olga', 'rita'].map((who) => ({ email: `${who}@example.com` })),
  );
  expect(await sql(`select 1 from account_codes`)).toEqual([]);
  // Those who could approve before still can, since they joined.
  expect(
    await sql(`select ${people}, entitled_since::date::text as since from memberships where confirmed_at is not null order by email`),
  ).toEqual([
    { email: 'both@example.com', since: '2026-01-05' },
    { email: 'olga@example.com', since: '2026-01-02' },
  ]);
  // The rows are under row-level security again.
  const unforced = `select relname from pg_class where relname in ('memberships', 'invitations') and not relforcerowsecurity`;
  expect(await sql(unforced)).toEqual([]);
});
