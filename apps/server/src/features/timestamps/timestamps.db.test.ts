import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditFeature, createAuditInbox, nobody, type AuditFeature } from '../audit/index.ts';
import { createAuthority, NoTimestamp, type TimestampAuthority } from './authority.ts';
import { createTimestampsFeature } from './feature.ts';
import { readRoots } from './roots.ts';
import { hasOpenssl, startOpensslAuthority, type OpensslAuthority } from './testing/openssl-authority.ts';
import { createTimestamps, type Timestamps } from './timestamps.service.ts';
import { createTimestampsStore, type MissingStamp } from './timestamps.store.ts';

/** The log of an installation that is stamped by OpenSSL once a day, and what is noticed when stamps go. */
const db = testDatabase(import.meta.url);
const clock = createFakeClock(Date.UTC(2026, 3, 1, 1, 30));
const audit = createAuditInbox({ clock, ids: createIds(clock, secureRandom) });
const DAY_MS = 24 * 3_600_000;

let folder: string;
let authority: OpensslAuthority;
let log: AuditFeature;
let ours: TimestampAuthority;
const told: MissingStamp[] = [];

beforeAll(async () => {
  if (!hasOpenssl) return void process.stdout.write('OpenSSL is not on this machine: stamped logs are not tested.\n');
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-stamps-'));
  authority = await startOpensslAuthority();
  ours = createAuthority({ url: authority.url, roots: await readRoots(authority.roots) });
  const config = { HOLDFAST_DATA_DIR: folder, HOLDFAST_TIMESTAMP_URL: authority.url, HOLDFAST_TIMESTAMP_ROOTS: authority.roots };
  const base = { config, database: db.database, clock, logger: silentLogger, audit };
  const feature = createTimestampsFeature({ ...base, newest: async () => undefined, stalled: async () => undefined });
  const seed = randomBytes(32);
  const sealing = { installationSecret: async () => seed } as never;
  log = createAuditFeature({ ...base, sealing, stamps: feature.stamps, deviated: async () => undefined });
  await db.database.within(nobody, (tx) => audit.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' } }));
});
afterAll(async () => {
  if (!hasOpenssl) return;
  await authority.close();
  await rm(folder, { recursive: true, force: true });
});

const aProcess = (by: TimestampAuthority = ours): Timestamps =>
  createTimestamps({
    database: db.database,
    store: createTimestampsStore(db.database),
    authority: by,
    audit,
    newest: () => log.newestCheckpoint(),
    stalled: async (missing) => void told.push(missing),
    clock,
    logger: silentLogger,
  });

/** SQL past triggers, as somebody with the whole database in hand would run it. */
const past = (sql: string): Promise<unknown> => db.asSuperuser(`begin; set local session_replication_role = replica; ${sql}; commit`);

test.skipIf(!hasOpenssl)('A29: the log is stamped once a day by one of many processes, and a later stamp covers the earlier', async () => {
  expect((await Promise.all([aProcess().turn(), aProcess().turn(), aProcess().turn()])).filter(Boolean)).toHaveLength(1);
  await clock.advance(DAY_MS);
  expect(await aProcess().turn()).toBe(true);
  const stamps = await createTimestampsStore(db.database).all();
  expect(stamps.map(({ authority: name, size }) => [name, size])).toEqual([
    ['Time of Proseware', 1],
    ['Time of Proseware', 2],
  ]);
  expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
});

test.skipIf(!hasOpenssl)(
  'A29: a stamp that was changed, moved to another day or taken away is named by the next verification',
  async () => {
    const problems = async (): Promise<string> => (await log.verify()).problems.join('\n');
    await past(`create table kept as select * from audit_timestamps`);
    const back = () => past(`delete from audit_timestamps; insert into audit_timestamps select * from kept`);

    await past(`update audit_timestamps set stamped_at = stamped_at - interval '1 year' where size = 1`);
    expect(await problems()).toBe('time stamp of checkpoint 1: its row names another time');
    await back();
    await past(`update audit_timestamps set token = (select token from kept where size = 2) where size = 1`);
    expect(await problems()).toContain('time stamp of checkpoint 1: otherContent');
    await back();
    await past(
      `update audit_timestamps set token = set_byte(token, octet_length(token) - 1, get_byte(token, octet_length(token) - 1) # 1) where size = 1`,
    );
    expect(await problems()).toContain('time stamp of checkpoint 1: signature');
    await back();
    await past(`delete from audit_timestamps where size = 1`);
    expect(await problems()).toMatch(/^time stamp [0-9a-f]{16}: recorded in the log and no longer there$/u);
    await back();
    expect(await problems()).toBe('');
  },
);

test.skipIf(!hasOpenssl)(
  'an authority that is away is asked again each hour, and people are told after two days, with the first day',
  async () => {
    const away: TimestampAuthority = { stamp: () => Promise.reject(new NoTimestamp('unreachable', 'ECONNREFUSED')) };
    await clock.advance(DAY_MS);
    expect(await aProcess(away).turn()).toBe(false);
    expect(await createTimestampsStore(db.database).missing()).toMatchObject({
      day: '2026-04-03',
      failure: 'unreachable',
      detail: 'ECONNREFUSED',
    });
    expect(await aProcess().turn()).toBe(false);
    for (let hours = 0; hours < 47; hours += 1) {
      await clock.advance(3_600_001);
      await aProcess(away).turn();
    }
    expect(told.map(({ day }) => day)).toContain('2026-04-03');
    expect(await log.verify()).toMatchObject({ ok: true });
    await clock.advance(3_600_001);
    expect(await aProcess().turn()).toBe(true);
    expect(await createTimestampsStore(db.database).missing()).toBeUndefined();
  },
);

test.skipIf(!hasOpenssl)('a crash between the stamp and its event leaves neither, and the day is stamped an hour later', async () => {
  await clock.advance(DAY_MS);
  const store = createTimestampsStore(db.database);
  const before = (await store.all()).length;
  const broken = createTimestamps({
    database: db.database,
    store,
    authority: ours,
    audit: { ...audit, record: () => Promise.reject(new Error('killed')) },
    newest: () => log.newestCheckpoint(),
    stalled: async () => undefined,
    clock,
    logger: silentLogger,
  });
  await expect(broken.turn()).rejects.toThrow('killed');
  expect((await store.all()).length).toBe(before);
  await clock.advance(3_600_001);
  expect(await aProcess().turn()).toBe(true);
  expect((await store.all()).length).toBe(before + 1);
  expect(await log.verify()).toMatchObject({ ok: true });
});
