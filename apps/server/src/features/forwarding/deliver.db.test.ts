import { testDatabase } from '@holdfast/database/testing/test-database';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import type { Scope } from '@holdfast/database';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditInbox } from '../audit/index.ts';
import type { StalledDestination } from './deliver.service.ts';
import { addDestination, readDestination } from './destinations.store.ts';
import { createFileTransport } from './file-transport.ts';
import { createSender } from './sender.service.ts';

const { database, asSuperuser } = testDatabase(import.meta.url);
const MINUTE_MS = 60_000;

test('a destination that stands still is an alarm once, is tried at growing distances, and says when it goes on', async () => {
  const clock = createFakeClock(Date.UTC(2026, 10, 23, 20));
  const ids = createIds(clock, secureRandom);
  const audit = createAuditInbox({ clock, ids });
  const scope: Scope = { organisationId: ids.uuid() as Scope['organisationId'], realm: 'production' };
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-forwarding-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // A file where the folder should be.
  const place = path.join(folder, 'place');
  await writeFile(place, '');
  const told: StalledDestination[] = [];
  let attempts = 0;
  const sender = createSender({
    database,
    clock,
    ids,
    audit,
    random: secureRandom,
    logger: silentLogger,
    transport: async () => {
      attempts += 1;
      return createFileTransport(place);
    },
    stalled: async (_tx, _scope, news) => void told.push(news),
  });
  const destinationId = ids.uuid();
  const at = new Date(clock.nowMs());
  await database.within(scope, async (tx) => {
    await tx.insertInto('organisations').values({ name: 'Contoso', abbr: 'con', created_at: at }).execute();
    await addDestination(tx, {
      destination_id: destinationId,
      name: 'Collector',
      kind: 'file',
      feed: 'everything',
      is_enabled: true,
      target: '{}',
      sealed_secret: null,
      created_at: at,
      creator: 'ann@contoso.example',
      cursor: 0,
      last_failure: null,
      next_attempt_at: at,
      lease_id: null,
    });
  });
  await asSuperuser(
    `insert into audit_events (organisation_id, realm, sequence, at, event, outcome, payload_hash) values ($1, 'production', 1, $2, 'tenants.changed', 'succeeded', '')`,
    [scope.organisationId, at],
  );
  const eventsOf = async (): Promise<unknown[]> =>
    (await asSuperuser('select event from audit_inbox order by at')).map(({ event }) => event);
  for (let minute = 0; minute < 40; minute += 1) {
    await sender.turn();
    await clock.advance(MINUTE_MS);
  }
  expect(told).toEqual([{ name: 'Collector', since: at }]);
  expect(await eventsOf()).toEqual(['alarms.forwarding-stalled']);
  // Every minute at first, then every five minutes at most and two and a half at least.
  expect(attempts).toBeGreaterThan(10);
  expect(attempts).toBeLessThan(25);
  const failed = await database.within(scope, (tx) => readDestination(tx, destinationId));
  expect(failed?.last_failure).toEqual({ reason: 'notWritten', detail: 'EEXIST' });

  await rm(place);
  await clock.advance(5 * MINUTE_MS);
  await sender.turn();
  const sent = await database.within(scope, (tx) => readDestination(tx, destinationId));
  expect(sent).toMatchObject({ cursor: 1, failing_since: null, last_failure: null, attempts: 0, stalled_at: null, lease_id: null });
  expect(await eventsOf()).toEqual(['alarms.forwarding-stalled', 'forwarding.resumed']);
});
