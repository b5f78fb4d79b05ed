import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** Two servers over one database stand for two processes: what one changes the other knows at the next request. */
const db = testDatabase(import.meta.url);
let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  [one, other] = [await testServer(db), await testServer(db)];
});
afterAll(async () => {
  await one.close();
  await other.close();
});

async function statusAt(server: TestServer, who: SignedIn, path = '/apollo/manage/info'): Promise<number> {
  const answer = await server.send(path, { token: who.tokens.main });
  await answer.body?.cancel();
  return answer.status;
}

/** Asks often enough that anything that could be remembered is. */
async function warm(who: SignedIn, path?: string): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) expect([await statusAt(one, who, path), await statusAt(other, who, path)]).toEqual([200, 200]);
}

test('who signs out at one process is out at the next request of every process', async () => {
  const who = await one.owner();
  await warm(who);
  const ended = await one.send('/apollo/sessions?includeCurrent=true', { method: 'DELETE', token: who.tokens.main });
  await ended.body?.cancel();
  expect(ended.ok).toBe(true);
  expect([await statusAt(other, who), await statusAt(one, who)]).toEqual([401, 401]);
});

test('an account that is disabled is out at the next request, without anybody being told', async () => {
  const who = await one.owner();
  await warm(who);
  await db.asSuperuser('update accounts set disabled_at = now() where id = $1', [who.accountId]);
  expect([await statusAt(other, who), await statusAt(one, who)]).toEqual([401, 401]);
});

test('a role that is taken away is gone at the next request, without anybody being told', async () => {
  const who = await one.owner();
  const path = '/apollo/api/members';
  await warm(who, path);
  await db.asSuperuser("update memberships set role = 'reader' where account_id = $1", [who.accountId]);
  expect([await statusAt(other, who, path), await statusAt(one, who, path)]).toEqual([403, 403]);
});

test('requests that come together are each answered for their own session', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => one.owner()));
  await db.asSuperuser('update accounts set disabled_at = now() where id = $1', [all[2]?.accountId]);
  const asked = Array.from({ length: 60 }, (_, index) => all[index % 6]).filter((who) => who !== undefined);
  const answers = await Promise.all(
    asked.map(async (who) => {
      const answer = await other.send('/apollo/manage/info', { token: who.tokens.main });
      const body = await answer.text();
      return answer.status === 200 ? (JSON.parse(body) as { email: string }).email : answer.status;
    }),
  );
  expect(answers).toEqual(asked.map((who) => (who === all[2] ? 401 : who.email)));
});
