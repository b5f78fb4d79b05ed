import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** Whoever must still set up a second factor is refused everything else, and did nothing that an auditor should read. */
const testing = testDatabase(import.meta.url);
let optional: TestServer;
let required: TestServer;

beforeAll(async () => {
  optional = await testServer(testing);
  required = await testServer(testing, { settings: { HOLDFAST_IDENTITY_PROFILE: 'hardened', HOLDFAST_SECOND_FACTOR: 'required' } });
});
afterAll(async () => {
  await required.close();
  await optional.close();
});

async function denials(): Promise<number> {
  const [row] = await testing.asSuperuser(
    `select (select count(*) from audit_events where event = 'access.denied')::int + (select count(*) from audit_inbox where event = 'access.denied')::int as denied`,
  );
  return Number(row?.['denied']);
}

async function statusOf(server: TestServer, path: string, token: string): Promise<number> {
  const answer = await server.send(path, { token });
  await answer.body?.cancel();
  return answer.status;
}

test('a session that owes its second factor is refused without a line in the audit log', async () => {
  const owner = await optional.owner();
  const token = owner.tokens.main;
  const tenantId = '11111111-1111-4111-8111-111111111111';
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await statusOf(required, `/apollo/api/${tenantId}/events`, token)).toBe(403);
    expect(await statusOf(required, '/apollo/api/members', token)).toBe(403);
  }
  expect(await denials()).toBe(0);
});

test('somebody whose role lacks a right is refused with a line each', async () => {
  const { organisationId } = await optional.owner();
  const reader = await optional.member(organisationId, 'reader');
  expect(await statusOf(optional, '/apollo/api/members', reader.tokens.main)).toBe(403);
  await expect.poll(denials).toBe(1);
});
