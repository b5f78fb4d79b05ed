/**
 * How long a person at work waits while strangers flood the front door, beside the same person undisturbed in the same run.
 * Quiet and flooded spells alternate, and the middle one of each kind counts, so that what else the machine does slows both.
 *
 *   node bench/floods.ts [--json] [--only=KIND]     `--json` also writes bench/results/floods.json
 *
 * The product runs in its own profile with every limit on and trusts the address that all requests come from, so that each attacker
 * has an address of its own. The person asks for their account: each answer takes a sign-in check and a read of the database.
 */
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { owner, serveApi } from './product/serve-api.ts';

const kinds = ['slow clients', 'half bodies', 'requests', 'guesses'] as const;
type Kind = (typeof kinds)[number];
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length);
const chosen = kinds.filter((kind) => only === undefined || kind === only);

/** How many times as long as undisturbed the slowest hundredth of the answers may take. */
const BOUND = 2;
const ROUNDS = 9;
const SPELL_MS = 2_500;
/** A person who clicks as fast as they can in four windows, each within its limit of 600 requests a minute. */
const WINDOWS = 4;
const EVERY_MS = 110;
const SOCKETS = 1_000;
const REQUESTS_A_SECOND = 400;
const GUESSES_A_SECOND = 20;
/** Few enough requests from each address that its own limit does not end the attack. */
const ADDRESSES = 100;
const person = { 'x-forwarded-for': '192.0.2.1' };

const addressOf = (turn: number): string => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;

/** Holds connections open: request heads that arrive byte by byte, or bodies that never end. */
function hold(kind: Kind, port: number): void {
  const heads = Array.from(
    { length: SOCKETS },
    (_, turn) => `POST /apollo/login HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${addressOf(turn)}\r\n`,
  );
  const sockets: Socket[] = heads.map((head) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    if (kind === 'half bodies') socket.write(`${head}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{"email":"`);
    return socket;
  });
  let sent = 0;
  setInterval(() => {
    for (const [index, socket] of sockets.entries()) {
      if (socket.writable) socket.write(kind === 'half bodies' ? 'x' : (heads[index]?.[sent] ?? 'x'));
    }
    sent += 1;
  }, 500);
}

/** Sends requests with made-up credentials, or guesses passwords. */
function ask(kind: Kind, port: number): void {
  let turn = 0;
  const send = async (): Promise<void> => {
    turn += 1;
    const headers = { 'x-forwarded-for': addressOf(turn % ADDRESSES), 'content-type': 'application/json' };
    const body = JSON.stringify({ email: `nobody${turn}@example.com`, password: 'Wrong-Password-2026!' });
    const request =
      kind === 'guesses'
        ? fetch(`http://127.0.0.1:${port}/apollo/login`, { method: 'POST', headers, body })
        : fetch(`http://127.0.0.1:${port}/apollo/account`, { headers: { ...headers, authorization: `Bearer made-up-${turn}` } });
    await request.then((answer) => answer.text()).catch(() => undefined);
  };
  const perSecond = kind === 'guesses' ? GUESSES_A_SECOND : REQUESTS_A_SECOND;
  const burst = Math.max(1, Math.round(perSecond / 50));
  const next = (): void => {
    for (let one = 0; one < burst; one += 1) void send();
  };
  setInterval(next, (1_000 * burst) / perSecond);
}

async function tokensOf(address: string): Promise<string[]> {
  const signIn = async (): Promise<string> => {
    const answer = await fetch(`${address}/apollo/login`, {
      method: 'POST',
      headers: { ...person, 'content-type': 'application/json' },
      body: JSON.stringify(owner),
    });
    if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}.`);
    return ((await answer.json()) as { accessToken: string }).accessToken;
  };
  return Promise.all(Array.from({ length: WINDOWS }, signIn));
}

/** The time of each answer in milliseconds. Each window asks in its own rhythm, whether or not the last answer has arrived. */
async function work(address: string, tokens: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  const one = async (token: string): Promise<void> => {
    const start = performance.now();
    const answer = await fetch(`${address}/apollo/account`, { headers: { ...person, authorization: `Bearer ${token}` } });
    await answer.text();
    if (answer.status !== 200) throw new Error(`The person was answered ${answer.status}.`);
    times.push(performance.now() - start);
  };
  const window = async (token: string, index: number): Promise<void> => {
    await sleep((EVERY_MS / WINDOWS) * index);
    const pending: Promise<void>[] = [];
    for (const end = performance.now() + SPELL_MS; performance.now() < end; await sleep(EVERY_MS)) pending.push(one(token));
    await Promise.all(pending);
  };
  await Promise.all(tokens.map(window));
  return times;
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
/** The middle one of the spells: a spell in which the machine did something else moves it little. */
const ofSpells = (spells: readonly number[][], share: number): number =>
  at(
    spells.map((times) => at(times, share)),
    0.5,
  );
const figures = (spells: readonly number[][]) => ({
  asked: spells.flat().length,
  p50: ofSpells(spells, 0.5),
  p99: ofSpells(spells, 0.99),
});

/** Attackers run in a thread of their own: their work must not delay the person's clock. */
async function flooded(kind: Kind, address: string, tokens: readonly string[]): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { kind, port: Number(new URL(address).port) } });
  await sleep(500);
  try {
    return await work(address, tokens);
  } finally {
    await worker.terminate();
    await sleep(500);
  }
}

async function compare(kind: Kind, address: string, tokens: readonly string[]) {
  const [quiet, loud]: [number[][], number[][]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await work(address, tokens));
    loud.push(await flooded(kind, address, tokens));
  }
  const p99Ratio = ofSpells(loud, 0.99) / ofSpells(quiet, 0.99);
  return { quietMs: figures(quiet), floodedMs: figures(loud), p99Ratio, isWithin: p99Ratio <= BOUND };
}

async function measure(): Promise<void> {
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
  const { address, ...served } = await serveApi({ HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' });
  try {
    const tokens = await tokensOf(address);
    await work(address, tokens);
    const report: Record<string, unknown> = {};
    for (const kind of chosen) report[kind] = await compare(kind, address, tokens);
    const setting = { sockets: SOCKETS, requestsPerSecond: REQUESTS_A_SECOND, guessesPerSecond: GUESSES_A_SECOND, bound: BOUND };
    const text = JSON.stringify(
      { machine, ...setting, ...report },
      (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value),
      2,
    );
    console.log(text);
    if (process.argv.includes('--json')) writeFileSync(path.join(import.meta.dirname, 'results/floods.json'), `${text}\n`);
  } finally {
    await served.stop();
  }
}

if (isMainThread) await measure();
else {
  // The thread attacks until it is terminated.
  const { kind, port } = workerData as { kind: Kind; port: number };
  if (kind === 'slow clients' || kind === 'half bodies') hold(kind, port);
  else ask(kind, port);
}
