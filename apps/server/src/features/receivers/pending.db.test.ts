import { testDatabase } from '@holdfast/database/testing/test-database';
import { expect, test } from 'vitest';
import { aGround, aReceiver, testIds as ids } from '../../testing/rows.ts';
import { addPending, resolveUnassigned } from './resolve.store.ts';

const testing = testDatabase(import.meta.url);

test('mail without an owner is assigned however much of it has gathered', async () => {
  const ground = await aGround(testing.database);
  const receiverId = await aReceiver(testing.database, ground);
  const reports = Array.from({ length: 40_000 }, (_, at) => ({ graphId: 'ann', reportKey: `report ${at}`, addresses: ['ann@x.example'] }));
  await testing.database.within(ground.scope, (tx) => addPending(tx, receiverId, reports));
  expect(await testing.asSuperuser('select count(*)::int as mails from receiver_pending where receiver_id = $1', [receiverId])).toEqual([
    { mails: reports.length },
  ]);
});

test('mail without an owner is placed once the directory knows its address, however the domain is written', async () => {
  const ground = await aGround(testing.database);
  const { scope, tenantId: tenant_id } = ground;
  const receiver_id = await aReceiver(testing.database, ground);
  const mails = [
    ['in letters', 'анна@пример.example'],
    ['encoded', 'борис@xn--e1afmkfd.example'],
    ['the same', 'carla@contoso.example'],
    ['nobody', 'вера@пример.example'],
  ] as const;
  const people = ['анна@xn--e1afmkfd.example', 'борис@пример.example', 'carla@contoso.example'];
  const resolved = async () => {
    await testing.database.within(scope, (tx) => resolveUnassigned(tx, { receiver_id, tenant_id }));
    const found = await testing.asSuperuser('select report_key, graph_id from receiver_pending where receiver_id = $1', [receiver_id]);
    return Object.fromEntries(found.map((row) => [row['report_key'], row['graph_id']]));
  };
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('receiver_unassigned')
      .values(
        mails.map(([report_key, address]) => ({ receiver_id, report_key, addresses: [address], arrived_at: new Date(), size_bytes: 1 })),
      )
      .execute(),
  );
  expect(await resolved()).toEqual({});
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('receiver_addresses')
      .values(
        people.map((address) => ({
          tenant_id,
          address,
          graph_id: ids.uuid(),
          name: address,
          mailbox_address: address,
          seen_at: new Date(),
        })),
      )
      .execute(),
  );
  const owners = await testing.asSuperuser('select address, graph_id from receiver_addresses where tenant_id = $1', [tenant_id]);
  const ownerOf = (address: string | undefined) => owners.find((row) => row['address'] === address)?.['graph_id'];
  expect(await resolved()).toEqual({ 'in letters': ownerOf(people[0]), encoded: ownerOf(people[1]), 'the same': ownerOf(people[2]) });
  const left = await testing.asSuperuser('select report_key from receiver_unassigned where receiver_id = $1', [receiver_id]);
  expect(left).toEqual([{ report_key: 'nobody' }]);
});
