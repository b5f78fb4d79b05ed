import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createIds } from '@holdfast/foundation/ids';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { aGround, testIds } from '../../testing/rows.ts';
import { unstamped } from './testing/unstamped.ts';
import { createAuditInbox } from './audit-inbox.store.ts';
import { createAuditService } from './audit.service.ts';
import { createAuditViews } from './audit.views.ts';
import { checkpointKey } from './checkpoint-note.ts';
import { createSequencer } from './sequencer.service.ts';

const { database } = testDatabase(import.meta.url);
const clock = createFakeClock(Date.UTC(2026, 3, 1));
const inbox = createAuditInbox({ clock, ids: createIds(clock, secureRandom) });
const key = async () => checkpointKey(randomBytes(32));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-audit-names-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('an event that was written without a name tells what its thing is called now, as long as it is there', async () => {
  const { scope, tenantId, locationId } = await aGround(database);
  const elsewhere = await aGround(database);
  const subjects = [
    { kind: 'tenant', id: tenantId },
    { kind: 'location', id: locationId },
    { kind: 'tenant', id: tenantId, name: 'As it was called then' },
    { kind: 'tenant', id: testIds.uuid() },
    { kind: 'tenant', id: elsewhere.tenantId },
    { kind: 'session', id: 'none of ours' },
  ];
  for (const subject of subjects)
    await database.within(scope, (tx) => inbox.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' }, subject }));
  const sequencer = createSequencer({ database, clock, logger: silentLogger, key, witnessFile: path.join(folder, 'checkpoints.jsonl') });
  const service = createAuditService({
    views: createAuditViews(database),
    sequencer,
    key,
    verify: async () => ({ ok: true, events: 0, checkpoints: 0, problems: [] }),
    stamps: unstamped,
    nightly: { last: async () => undefined },
    nowMs: () => clock.nowMs(),
  });
  const owner = { accountId: testIds.uuid(), memberships: [{ organisationId: scope.organisationId, role: 'owner' }] } as unknown as Actor;
  const { items } = await service.list(owner, scope, { limit: 50, sort: 'sequence' });
  const { tenant, location } = await database.within(scope, async (tx) => ({
    tenant: await tx.selectFrom('tenants').where('tenant_id', '=', tenantId).select('name').executeTakeFirstOrThrow(),
    location: await tx.selectFrom('locations').where('location_id', '=', locationId).select('name').executeTakeFirstOrThrow(),
  }));
  expect(items.map(({ subjectName }) => subjectName)).toEqual([tenant.name, location.name, 'As it was called then', null, null, null]);
  const second = await service.list(owner, scope, { limit: 50, sequence: items[1]?.sequence });
  expect(second).toMatchObject({ total: 1, items: [{ subjectName: location.name }] });
});

test('a verification covers the installation, and counts the events of the organisation that asked', async () => {
  const [one, other] = [await aGround(database), await aGround(database)];
  const record = (scope: typeof one.scope) =>
    database.within(scope, (tx) => inbox.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' } }));
  for (const { scope } of [one, one, other, one]) await record(scope);
  const verified = new Date(clock.nowMs() + 60_000);
  await clock.advance(120_000);
  await record(one.scope);
  const sequencer = createSequencer({ database, clock, logger: silentLogger, key, witnessFile: path.join(folder, 'checkpoints.jsonl') });
  await sequencer.drain();
  const report = { ok: true, events: 5_000, checkpoints: 7, problems: [] };
  const service = createAuditService({
    views: createAuditViews(database),
    sequencer,
    key,
    verify: async () => report,
    stamps: unstamped,
    nightly: { last: async () => ({ ...report, night: '2026-04-01', at: verified }) },
    nowMs: () => clock.nowMs(),
  });
  expect(await service.verify(one.scope)).toEqual({ ...report, events: 4 });
  expect(await service.verify(other.scope)).toEqual({ ...report, events: 1 });
  expect(await service.verification(one.scope)).toMatchObject({ events: 3, at: verified });
});
