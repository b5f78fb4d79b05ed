import { testDatabase } from '@holdfast/database/testing/test-database';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { createLease } from './lease.store.ts';

const { database } = testDatabase(import.meta.url);

async function aLease() {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const clock = createFakeClock();
  return { ground, clock, resourceId, lease: createLease({ database, ...ground, clock, ids }) };
}
const [first, second] = [ids.uuid(), ids.uuid()];

test('a lease of another run is refused while it is held, and free after its release', async () => {
  const { lease, resourceId } = await aLease();
  const held = await lease.acquire(resourceId, first);
  await expect(lease.acquire(resourceId, second)).rejects.toMatchObject({ code: 'lease.taken' });
  await held.release();
  const next = await lease.acquire(resourceId, second);
  expect(next.fence).toBe(held.fence + 1);
  await next.release();
});

test('a run that is taken up again takes its lease over, and the older holder learns that it lost', async () => {
  const { lease, resourceId } = await aLease();
  const older = await lease.acquire(resourceId, first);
  const newer = await lease.acquire(resourceId, first);
  expect(newer.fence).toBeGreaterThan(older.fence);
  await expect(older.confirm()).rejects.toMatchObject({ code: 'lease.lost' });
  expect(older.signal.aborted).toBe(true);
  await newer.confirm();
  await older.release();
  await newer.confirm();
  await newer.release();
});

test('a holder that is silent for too long loses the lease to another run', async () => {
  const { lease, resourceId, ground, clock } = await aLease();
  const silent = await lease.acquire(resourceId, first);
  await database.within(ground.scope, (tx) => sql`update resource_leases set expires_at = now() - interval '1 second'`.execute(tx));
  const next = await lease.acquire(resourceId, second);
  await clock.advance(8_000);
  await expect.poll(() => silent.signal.aborted).toBe(true);
  await next.release();
});
