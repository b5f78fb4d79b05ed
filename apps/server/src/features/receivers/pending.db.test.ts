import { testDatabase } from '@holdfast/database/testing/test-database';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { addPending } from './resolve.store.ts';

const testing = testDatabase(import.meta.url);

test('mail without an owner is assigned however much of it has gathered', async () => {
  const { scope, tenantId, locationId, ...ground } = await aGround(testing.database);
  const resourceId = await aResource(
    testing.database,
    { scope, tenantId, locationId, ...ground },
    { kind: 'journal', workload: 'journal' },
  );
  const receiverId = ids.uuid();
  const reports = Array.from({ length: 40_000 }, (_, at) => ({ graphId: 'ann', reportKey: `report ${at}`, addresses: ['ann@x.example'] }));
  await testing.database.within(scope, async (tx) => {
    await tx
      .insertInto('receivers')
      .values({
        receiver_id: receiverId,
        tenant_id: tenantId,
        location_id: locationId,
        resource_id: resourceId,
        name: 'Journal',
        is_enabled: true,
        sealed_address: Buffer.alloc(1),
        networks: [],
        max_bytes: 1,
        silence_minutes: 0,
        business_days: [],
        business_from: '08:00',
        business_to: '18:00',
        created_at: new Date(),
        creator: 'ann@x.example',
        watched_since: new Date(),
      })
      .execute();
    await addPending(tx, receiverId, reports);
  });
  expect(await testing.asSuperuser('select count(*)::int as mails from receiver_pending')).toEqual([{ mails: reports.length }]);
});
