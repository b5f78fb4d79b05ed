import { expect, test } from 'vitest';
import { hardenedSuite, password } from '../features/identity/testing/hardened-suite.ts';
import type { IdentityApp, Received } from '../features/identity/testing/identity-app.ts';
import { limitRequests } from './rate-limits.ts';

/** Two applications over one database stand for two processes: what they count together is in PostgreSQL. */
const suite = hardenedSuite(import.meta.url);

async function limited(): Promise<IdentityApp> {
  return await suite.app({ prepare: (app) => limitRequests(app, suite.db.database) });
}

function signIn(made: IdentityApp, email: string, secret: string, address?: string): Promise<Received> {
  return made.send('/apollo/login', { body: { email, password: secret } }, address);
}

test('ten guesses at an address, over two processes, and the eleventh waits', async () => {
  const [one, other] = [await limited(), await limited()];
  const answers: Received[] = [];
  for (let turn = 0; turn < 11; turn += 1) answers.push(await signIn(turn % 2 === 0 ? one : other, 'nobody@example.com', 'Wrong-Guess-1!'));
  expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect(answers.at(-1)?.json['code']).toBe('request.rate-limited');
  expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
});

test('the count is of an address in any spelling, and survives a restart', async () => {
  const first = await limited();
  for (let turn = 0; turn < 10; turn += 1) await signIn(first, 'Somebody@Example.com', 'Wrong-Guess-1!');
  const restarted = await limited();
  expect((await signIn(restarted, ' somebody@example.com', 'Wrong-Guess-1!')).status).toBe(429);
});

test('a sign-in that succeeds takes its count back: nobody is kept out by signing in often', async () => {
  const made = await limited();
  const email = await suite.owner(made);
  const statuses: number[] = [];
  for (let turn = 0; turn < 12; turn += 1) statuses.push((await signIn(made, email, password)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (let turn = 0; turn < 4; turn += 1) await signIn(made, email, 'Wrong-Guess-1!');
  expect((await signIn(made, email, password)).status).toBe(200);
});

test('twenty sign-in calls a minute from one network address, whoever they are for', async () => {
  const [one, other] = [await limited(), await limited()];
  const statuses: number[] = [];
  for (let turn = 0; turn < 21; turn += 1) {
    const answer = await signIn(turn % 2 === 0 ? one : other, `guess${turn}@example.com`, 'Wrong-Guess-1!', '203.0.113.7');
    statuses.push(answer.status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
  expect((await signIn(one, 'guess99@example.com', 'Wrong-Guess-1!', '203.0.113.8')).status).toBe(401);
});
