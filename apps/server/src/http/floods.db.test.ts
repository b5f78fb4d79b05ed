import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../testing/test-server.ts';

/** Strangers who flood the running server, and a person who works meanwhile: who is answered what is counted, not timed. */
const testing = testDatabase(import.meta.url);
const owner = { email: 'owner@example.com', password: 'Sturdy-Heron-Wanders-47' };
const PERSON = '192.0.2.1';
const ASKED = 60;
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await testServer(testing, {
    settings: {
      HOLDFAST_IDENTITY_PROFILE: 'hardened',
      HOLDFAST_SECOND_FACTOR: 'optional',
      HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
    },
  });
  token = ((await (await login(PERSON, owner)).json()) as { accessToken: string }).accessToken;
});
afterAll(() => server.close());

const asks = (from: string, bearer: string): Promise<Response> =>
  fetch(`${server.address}/apollo/account`, { headers: { 'x-forwarded-for': from, authorization: `Bearer ${bearer}` } });

const login = (from: string, body: object): Promise<Response> =>
  fetch(`${server.address}/apollo/login`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

/** So many requests, a few at a time. How many of them were answered what. */
async function counted(count: number, one: (turn: number) => Promise<Response>, atOnce = 20): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const status = await statusOf(one(next));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  return counts;
}

/** What somebody who is signed in gets while the others are at it. */
const working = (): Promise<Record<number, number>> => counted(ASKED, () => asks(PERSON, token), 4);

/** Connections that send so much of a request and then nothing more. */
async function held(count: number, text: (turn: number) => string): Promise<{ readonly sockets: Socket[]; readonly said: () => string }> {
  let said = '';
  const sockets = Array.from({ length: count }, (_, turn) => {
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1').setEncoding('utf8');
    socket.on('data', (part: string) => (said += part)).on('error', () => undefined);
    socket.once('connect', () => socket.write(text(turn)));
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return { sockets, said: () => said };
}

const head = (turn: number): string => `POST /apollo/login HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.${turn % 250}\r\n`;

test.each([
  ['a head that stops half way', (turn: number) => head(turn)],
  ['a body that stops half way', (turn: number) => `${head(turn)}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{"email":"`],
])('500 connections with %s get nothing and begin nothing; the person is answered every time', async (_what, text) => {
  const attempts = (): Promise<number> =>
    testing.database
      .installation((tx) =>
        tx
          .selectFrom('sign_in_failures')
          .select((row) => row.fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow(),
      )
      .then(({ count }) => Number(count));
  const before = await attempts();
  const { sockets, said } = await held(500, text);
  expect(await working()).toEqual({ 200: ASKED });
  expect([said(), await attempts()]).toEqual(['', before]);
  for (const socket of sockets) socket.destroy();
  expect(await working()).toEqual({ 200: ASKED });
});

test('of 1,000 made-up credentials from one address 300 are looked at and 700 refused, and the person is answered every time', async () => {
  const flood = counted(1_000, (turn) => asks('198.51.100.40', `made-up-${turn}`));
  expect(await working()).toEqual({ 200: ASKED });
  expect(await flood).toEqual({ 401: 300, 429: 700 });
});

test('of 40 guesses from each of five addresses 20 are looked at, and the person works on and signs in', async () => {
  const flood = counted(200, (turn) =>
    login(`198.51.100.${50 + (turn % 5)}`, { email: `guess${turn}@example.com`, password: 'Wrong-Guess-1!' }),
  );
  const [worked, signedIn] = await Promise.all([working(), counted(5, () => login(PERSON, owner), 1)]);
  expect([worked, signedIn]).toEqual([{ 200: ASKED }, { 200: 5 }]);
  expect(await flood).toEqual({ 401: 100, 429: 100 });
});
