import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { hardenedSuite } from './testing/hardened-suite.ts';
import type { IdentityApp } from './testing/identity-app.ts';
import { linkIn } from './testing/reading.ts';

/** Addresses with an account, without one and with one that gets no mail cannot be told apart, by the answer or by the work behind it. */
const { app, db, next, owner } = hardenedSuite(import.meta.url);

const CALLS = ['/apollo/forgotPassword', '/api/auth/forgot-password', '/apollo/resendConfirmationMail'] as const;

/** An address of each kind. */
async function addresses(made: IdentityApp) {
  const [confirmed, unconfirmed, disabled] = [await owner(made), await owner(made), await owner(made)];
  await db.asSuperuser('update accounts set email_confirmed = false where email = $1', [unconfirmed]);
  await db.asSuperuser('update accounts set disabled_at = now() where email = $1', [disabled]);
  return { confirmed, unconfirmed, disabled, unknown: `nobody${next()}@example.com` };
}

/** The statements that a request makes PostgreSQL run. */
async function statementsOf(work: () => Promise<{ readonly status: number }>): Promise<string[]> {
  const seen = vi.spyOn(pg.Client.prototype, 'query');
  try {
    expect((await work()).status).toBe(200);
    return seen.mock.calls.map(([query]) => {
      const asked: unknown = query;
      return typeof asked === 'string' ? asked : (asked as { readonly text: string }).text;
    });
  } finally {
    seen.mockRestore();
  }
}

test.each(CALLS)('%s runs the same statements for every address', async (call) => {
  const made = await app();
  const { confirmed, unconfirmed, disabled, unknown } = await addresses(made);
  const ask = (email: string) => statementsOf(() => made.send(call, { body: { email } }));
  // The first request of a process reads keys.
  await ask(confirmed);
  const wanted = await ask(confirmed);
  expect(wanted.length).toBeGreaterThan(5);
  for (const email of [unconfirmed, disabled, unknown]) expect(await ask(email)).toEqual(wanted);
});

test('only the addresses that may be mailed are', async () => {
  const made = await app();
  const { confirmed, unconfirmed, disabled, unknown } = await addresses(made);
  const { length: before } = await made.mails();
  for (const email of [confirmed, unconfirmed, disabled, unknown]) for (const call of CALLS) await made.send(call, { body: { email } });
  const to = (await made.mails())
    .slice(before)
    .map((mail) => mail.to)
    .toSorted();
  expect(to).toEqual([confirmed, confirmed, unconfirmed].toSorted());
  expect(await db.asSuperuser(`select 1 from mails where sent_at is null`)).toEqual([]);
});

test('a link that confirms an address works once', async () => {
  const made = await app();
  const { unconfirmed } = await addresses(made);
  await made.send('/apollo/resendConfirmationMail', { body: { email: unconfirmed } });
  const { pathname, search } = new URL(linkIn((await made.mails()).at(-1)));
  expect((await made.send(`${pathname}${search}`)).status).toBe(200);
  expect((await made.send(`${pathname}${search}`)).status).toBe(401);
});
