import { expect, test } from 'vitest';
import { hardenedSuite, password } from '../features/identity/testing/hardened-suite.ts';
import type { IdentityApp, Received } from '../features/identity/testing/identity-app.ts';
import { limitRequests } from './rate-limits.ts';

/** Two applications over one database stand for two processes: what they count together is in PostgreSQL. */
const suite = hardenedSuite(import.meta.url);

async function limited(): Promise<IdentityApp> {
  return await suite.app({ prepare: (app, { identity }) => limitRequests(app, suite.db.database, identity.devices) });
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

test('whoever shares a network with a stranger gets in with a device that is known, and has limits of their own', async () => {
  const made = await limited();
  const email = await suite.owner(made);
  const from = '203.0.113.50';
  const portal = (secret: string, cookie?: string): Promise<Received> =>
    made.send(
      '/api/auth/signin',
      { body: { email, password: secret, audiences: ['main', 'legacy'] }, ...(cookie ? { cookie } : {}) },
      from,
    );
  const first = await portal(password);
  const cookie = first.cookies.find((one) => one.startsWith('holdfast-device='))?.split(';')[0] ?? '';
  for (let turn = 0; turn < 20; turn += 1) await signIn(made, `guess${turn}@example.com`, 'Wrong-Guess-1!', from);
  expect((await portal(password)).status).toBe(429);
  expect((await portal(password, cookie)).status).toBe(200);
  expect((await made.send('/apollo/login', { body: { email: 'guess30@example.com', password }, cookie }, from)).status).toBe(429);
  const statuses: number[] = [];
  for (let turn = 0; turn < 11; turn += 1) statuses.push((await portal('Wrong-Guess-1!', cookie)).status);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([401, 429]);
});

test('an account invites 60 people and founds 10 organisations an hour, with whatever session, and another account its own', async () => {
  const [one, other] = [await limited(), await limited()];
  const email = await suite.owner(one);
  const bearerOf = async (made: IdentityApp, address: string) =>
    (await made.send('/apollo/login', { body: { email: address, password } })).json['accessToken'] as string;
  const [first, second] = [await bearerOf(one, email), await bearerOf(other, email)];
  const turnOf = (turn: number) => (turn % 2 === 0 ? { made: one, bearer: first } : { made: other, bearer: second });
  const count = async (many: number, ask: (made: IdentityApp, bearer: string, turn: number) => Promise<Received>) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < many; turn += 1) {
      const { made, bearer } = turnOf(turn);
      statuses.push((await ask(made, bearer, turn)).status);
    }
    return statuses;
  };
  const invite = (made: IdentityApp, bearer: string, turn: number) =>
    made.send('/apollo/api/members', { body: { email: `invited${suite.next()}-${turn}@example.com`, role: 'reader' }, bearer });
  const found = (made: IdentityApp, bearer: string) =>
    made.send('/apollo/api/organisations', { body: { name: `Founded ${suite.next()}` }, bearer });
  expect(await count(61, invite)).toEqual([...Array.from({ length: 60 }, () => 201), 429]);
  expect(await count(11, found)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  const neighbour = await bearerOf(one, await suite.owner(one));
  expect([(await invite(one, neighbour, 0)).status, (await found(one, neighbour)).status]).toEqual([201, 201]);
});
