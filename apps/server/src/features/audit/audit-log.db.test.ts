import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import type { Scope } from '@holdfast/database';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom, secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { unstamped } from './testing/unstamped.ts';
import { createAuditInbox } from './audit-inbox.store.ts';
import { checkpointKey } from './checkpoint-note.ts';
import { createSequencer } from './sequencer.service.ts';
import { verifyAudit } from './verify.service.ts';

const db = testDatabase(import.meta.url);
const clock = createFakeClock(Date.UTC(2026, 3, 1));
const ids = createIds(clock, secureRandom);
const inbox = createAuditInbox({ clock, ids });
const key = checkpointKey(randomBytes(32));
const scopes: Scope[] = [anOrganisationId(), anOrganisationId()].map((organisationId) => ({ organisationId, realm: 'production' }));
let folder = '';
let witnessFile = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-audit-'));
  witnessFile = path.join(folder, 'checkpoints.jsonl');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const sequencer = () => createSequencer({ database: db.database, clock, logger: silentLogger, key: async () => key, witnessFile });
const verify = () => verifyAudit({ database: db.database, key: async () => key, witnessFile, stamps: unstamped });

async function record(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await clock.advance(1_000);
    await db.database.within(scopes[turn % scopes.length] as Scope, (tx) =>
      inbox.record(tx, {
        event: 'tenants.changed',
        actor: { kind: 'account', id: ids.uuid(), name: `person${turn}@example.com`, address: '192.0.2.1' },
        subject: { kind: 'tenant', id: ids.uuid(), name: 'Contoso' },
        details: { turn },
      }),
    );
  }
}

test('an event that was rolled back with its change is not in the log', async () => {
  const before = (await db.asSuperuser('select count(*)::int as n from audit_inbox'))[0]?.['n'];
  await db.database
    .within(scopes[0] as Scope, async (tx) => {
      await inbox.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' } });
      throw new Error('the change failed');
    })
    .catch(() => undefined);
  expect((await db.asSuperuser('select count(*)::int as n from audit_inbox'))[0]?.['n']).toBe(before);
});

test('two sequencers at once number every event once and without gaps', async () => {
  await record(60);
  const [one, two] = [sequencer(), sequencer()];
  await Promise.all([one.drain(), two.drain(), one.drain(), two.drain()]);
  await one.checkpoint();
  await record(40);
  await two.drain();
  await two.checkpoint();
  const rows = await db.asSuperuser('select sequence::int as n from audit_events order by sequence');
  expect(rows.map((row) => row['n'])).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(await verify()).toEqual({ ok: true, events: 100, checkpoints: 2, problems: [] });
});

test('the application can neither change nor remove what is numbered', async () => {
  const attempts = [
    "update audit_events set event = 'x'",
    'delete from audit_events',
    'truncate audit_events',
    'delete from audit_nodes',
    'delete from audit_checkpoints',
  ];
  for (const sql of attempts) {
    await expect(db.asOwner(sql)).rejects.toThrow(/only ever appended|permission denied|privilege/);
  }
});

const TABLES = ['audit_events', 'audit_nodes', 'audit_checkpoints'] as const;

/** SQL past the triggers and row-level security, as somebody with the whole database in hand would run it. */
const past = (sql: string): string => `begin; set local session_replication_role = replica; ${sql}; commit`;

const random = createSeededRandom(20_260_401);
const pick = (low: number, high: number): number => low + random.below(high - low + 1);

/** Ways to tamper; each gives SQL or a change of the file outside. */
const TAMPERS: readonly (() => { readonly sql?: string; readonly file?: (text: string) => string })[] = [
  () => ({ sql: `update audit_events set event = 'tenants.deleted' where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set outcome = 'denied' where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set at = at + interval '1 second' where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set payload = replace(payload, 'example.com', 'example.org') where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set actor_id = gen_random_uuid() where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set subject_id = 'another' where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set salt = '\\x00' where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `delete from audit_events where sequence = ${pick(1, 100)}` }),
  () => ({ sql: `update audit_events set sequence = 101 where sequence = ${pick(1, 100)}` }),
  () => {
    const [a, b] = [pick(1, 50), pick(51, 100)];
    return {
      sql: `update audit_events set sequence = 1000 where sequence = ${a}; update audit_events set sequence = ${a} where sequence = ${b}; update audit_events set sequence = ${b} where sequence = 1000`,
    };
  },
  () => ({
    sql: `insert into audit_events select organisation_id, realm, 101, at, event, outcome, subject_kind, subject_id, payload, salt, payload_hash, actor_id from audit_events where sequence = ${pick(1, 100)}`,
  }),
  () => ({ sql: `update audit_events set organisation_id = gen_random_uuid() where sequence = ${pick(1, 100)}` }),
  () => {
    const cut = pick(1, 99);
    return {
      sql: `delete from audit_events where sequence > ${cut}; delete from audit_nodes where (position + 1) * (1 << level) > ${cut}; delete from audit_checkpoints where size > ${cut}`,
    };
  },
  () => ({
    sql: `update audit_nodes set hash = decode('${randomBytes(32).toString('hex')}', 'hex') where level = 0 and position = ${pick(0, 99)}`,
  }),
  () => ({ sql: `delete from audit_nodes where level = 1 and position = ${pick(0, 49)}` }),
  () => ({ sql: `update audit_checkpoints set root = decode('${randomBytes(32).toString('hex')}', 'hex') where size = 60` }),
  () => ({ sql: `update audit_checkpoints set note = replace(note, 'audit', 'other') where size = 100` }),
  () => ({ sql: 'delete from audit_checkpoints where size = 60' }),
  () => ({ sql: `update audit_checkpoints set at = at - interval '1 day' where size = 100` }),
  () => ({ file: (text) => text.split('\n').slice(1).join('\n') }),
  () => ({ file: (text) => text.replace('\\n100\\n', '\\n99\\n') }),
];

/** Takes what was changed, and only that, back from the good copy: a thousand full copies would bury the tables in dead rows. */
const putBack = (table: string): string =>
  `delete from ${table} using (table ${table} except table good_${table}) as other where ${table} is not distinct from other;
   insert into ${table} table good_${table} except table ${table}`;

test('a thousand tamperings are all found, and the untouched log never is', async () => {
  for (const table of TABLES) await db.asSuperuser(`create table good_${table} as table ${table}`);
  const restore = TABLES.map(putBack).join('; ');
  const witness = await readFile(witnessFile, 'utf8');
  const address = new URL(inject('postgresAdministratorUrl'));
  address.pathname = new URL(db.ownerUrl).pathname;
  const superuser = new pg.Client({ connectionString: address.href });
  await superuser.connect();
  let found = 0;
  for (let turn = 0; turn < 1_000; turn += 1) {
    const tamper = (TAMPERS[turn % TAMPERS.length] as (typeof TAMPERS)[number])();
    if (tamper.sql !== undefined) await superuser.query(past(tamper.sql));
    if (tamper.file) await writeFile(witnessFile, tamper.file(witness));
    const report = await verify();
    expect([turn, tamper.sql ?? 'file', report.ok]).toEqual([turn, tamper.sql ?? 'file', false]);
    if (!report.ok) found += 1;
    await superuser.query(past(restore));
    await writeFile(witnessFile, witness);
  }
  await superuser.end();
  expect(await verify()).toMatchObject({ ok: true, problems: [] });
  process.stdout.write(`audit: ${found} of 1000 tamperings found, 0 false alarms\n`);
}, 240_000);

test('a log signed with another key is told of', async () => {
  const other = checkpointKey(randomBytes(32));
  const report = await verifyAudit({ database: db.database, key: async () => other, witnessFile, stamps: unstamped });
  expect(report.ok).toBe(false);
});

test('an erased payload leaves every proof standing', async () => {
  await db.asSuperuser(past('update audit_events set payload = null, salt = null where sequence = 7'));
  expect((await verify()).problems).toEqual([]);
});

test('an event that waits can not be lost or changed before it has a number', async () => {
  await record(3);
  const scope = scopes[0] as Scope;
  const own = (statement: RawBuilder<unknown>) => db.database.within(scope, (tx) => statement.execute(tx));
  await expect(own(sql`delete from audit_inbox`)).rejects.toThrow(/has no number yet/);
  await expect(own(sql`update audit_inbox set outcome = 'failed'`)).rejects.toThrow(/denied|appended/);
  await expect(own(sql`truncate audit_inbox`)).rejects.toThrow(/denied|appended/);
  await expect(db.asOwner('truncate audit_inbox')).rejects.toThrow(/appended/);
  // Another event of the same moment does not stand in for it.
  await own(sql`insert into audit_inbox (id, at, event, outcome, payload)
    select gen_random_uuid(), at, event, outcome, '{"actor":"somebody else"}' from audit_inbox limit 1`);
  await expect(own(sql`delete from audit_inbox where payload = '{"actor":"somebody else"}'`)).rejects.toThrow(/has no number yet/);
  const waiting = `select count(*)::int as n from audit_inbox`;
  expect(await db.asSuperuser(waiting)).toEqual([{ n: 4 }]);
  await db.asSuperuser(past(`delete from audit_inbox where payload->>'actor' = 'somebody else'`));
  await sequencer().drain();
  expect(await db.asSuperuser(waiting)).toEqual([{ n: 0 }]);
});
