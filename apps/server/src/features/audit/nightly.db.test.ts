import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unstamped } from './testing/unstamped.ts';
import { createAuditInbox } from './audit-inbox.store.ts';
import { hasEvents } from './audit-log.store.ts';
import { checkpointKey } from './checkpoint-note.ts';
import { createNightly } from './nightly.service.ts';
import { createNightlyStore, type NightlyResult } from './nightly.store.ts';
import { createSequencer } from './sequencer.service.ts';
import { verifyAudit } from './verify.service.ts';

const db = testDatabase(import.meta.url);
const clock = createFakeClock(Date.UTC(2026, 3, 1, 1, 30));
const ids = createIds(clock, secureRandom);
const key = checkpointKey(randomBytes(32));
const store = createNightlyStore(db.database);
const told: NightlyResult[] = [];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-nightly-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HOUR_MS = 3_600_000;
const parts = () => ({
  database: db.database,
  key: async () => key,
  witnessFile: path.join(folder, 'checkpoints.jsonl'),
  stamps: unstamped,
});
/** What one process has of it. */
const aProcess = () =>
  createNightly({
    store,
    verify: () => verifyAudit(parts()),
    hasEvents: () => hasEvents(db.database),
    deviated: async (result) => void told.push(result),
    clock,
    logger: silentLogger,
  });

test('an empty log is not called verified: the first verification waits for the first event', async () => {
  await clock.advance(HOUR_MS);
  expect(await aProcess().turn()).toBe(false);
  expect(await store.last()).toBeUndefined();
  await clock.advance(23 * HOUR_MS);
});

test('the log is verified once a night by one of many processes, and a deviation is told', async () => {
  const scope = { organisationId: anOrganisationId(), realm: 'production' } as const;
  const inbox = createAuditInbox({ clock, ids });
  for (let turn = 0; turn < 5; turn += 1) {
    await db.database.within(scope, (tx) => inbox.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' } }));
  }
  const sequencer = createSequencer({ ...parts(), clock, logger: silentLogger });
  await sequencer.drain();
  await sequencer.checkpoint();

  expect(await aProcess().turn()).toBe(false);
  expect(await store.last()).toBeUndefined();
  await clock.advance(HOUR_MS);
  expect((await Promise.all([aProcess().turn(), aProcess().turn(), aProcess().turn()])).filter(Boolean)).toHaveLength(1);
  expect(await store.last()).toMatchObject({ night: '2026-04-02', ok: true, events: 5, checkpoints: 1, problems: [] });
  expect(told).toEqual([]);

  await db.asSuperuser('alter table audit_events disable trigger audit_events_frozen');
  await db.asSuperuser("update audit_events set event = 'tenants.deleted' where sequence = 3");
  await clock.advance(20 * HOUR_MS);
  expect(await aProcess().turn()).toBe(false);
  await clock.advance(4 * HOUR_MS);
  expect(await aProcess().turn()).toBe(true);
  expect(told).toMatchObject([{ night: '2026-04-03', ok: false, events: 5 }]);
  expect(told[0]?.problems.length).toBeGreaterThan(0);
});

test('a night that a process began and never ended is taken over by another', async () => {
  await clock.advance(24 * HOUR_MS);
  const at = new Date(clock.nowMs());
  expect(await store.claim('2026-04-04', at, new Date(at.getTime() - 1))).toBe(true);
  await clock.advance(5 * HOUR_MS);
  expect(await aProcess().turn()).toBe(false);
  await clock.advance(2 * HOUR_MS);
  expect(await aProcess().turn()).toBe(true);
});
