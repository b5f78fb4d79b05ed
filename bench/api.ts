/**
 * How fast the API answers an authenticated trivial read, beside a bare Fastify route under the same load in the same
 * run. Each server is a process of its own; rounds take turns, so that a busy machine slows both.
 *
 *   node bench/api.ts [--json]     `--json` also writes bench/results/api.json
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const root = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 32;
const owner = { email: 'bench@example.com', password: 'Bench-Password-2026!' };

const bare = `
import Fastify from 'fastify';
const server = Fastify();
server.get('/', async () => ({ items: [] }));
console.log(JSON.stringify({ address: await server.listen({ port: 0, host: '127.0.0.1' }) }));
`;

interface Served {
  readonly address: string;
  readonly child: ChildProcess;
}

/** Starts a process and waits for the line that names its address. */
function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, [...args], { cwd: path.join(root, 'apps/server'), stdio: ['ignore', 'pipe', 'inherit'], env });
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`The server ended: ${text.slice(-500)}`)));
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      const address = /"address":"(http[^"]+)"/.exec(text)?.[1];
      if (address !== undefined) resolve({ address, child });
    });
  });
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...owner, audiences: ['main'] }),
  });
  const { sessions } = (await answer.json()) as { sessions: { main: { token: string } } };
  return sessions.main.token;
}

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

async function load(url: string, headers: Record<string, string>): Promise<Round> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function summary(rounds: readonly Round[]): Round {
  return {
    perSecond: Math.round(median(rounds.map((round) => round.perSecond))),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    failed: rounds.reduce((sum, round) => sum + round.failed, 0),
  };
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-bench-api-'));
const api = await serve(['src/main.ts', 'all'], {
  ...process.env,
  HOLDFAST_DATA_DIR: path.join(dataDir, 'data'),
  HOLDFAST_PORT: '0',
  HOLDFAST_OWNER_EMAIL: owner.email,
  HOLDFAST_OWNER_PASSWORD: owner.password,
  // Rate limits are what a load test would measure otherwise; this profile has none, on loopback only.
  HOLDFAST_IDENTITY_PROFILE: 'conformance',
});
const plain = await serve(['--input-type=module', '-e', bare], process.env);
try {
  const headers = { authorization: `Bearer ${await signIn(api.address)}` };
  const read = `${api.address}/apollo/api/workers`;
  await Promise.all([load(read, headers), load(plain.address, {})]);
  const rounds: { api: Round[]; bare: Round[] } = { api: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.bare.push(await load(plain.address, {}));
    rounds.api.push(await load(`${api.address}/apollo/identity/policy`, headers));
    rounds.api.push(await load(`${api.address}/apollo/sessions`, headers));
  }
  const policy = summary(rounds.api.filter((_, index) => index % 2 === 0));
  const sessions = summary(rounds.api.filter((_, index) => index % 2 === 1));
  const bareRoute = summary(rounds.bare);
  const ratio = (round: Round): number => Math.round((round.perSecond / bareRoute.perSecond) * 100) / 100;
  const result = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, ${CONNECTIONS} connections, load on the same machine`,
    bareRoute,
    policy: { ...policy, ratio: ratio(policy) },
    sessions: { ...sessions, ratio: ratio(sessions) },
  };
  console.table({
    'bare Fastify route': { ...bareRoute, ratio: 1 },
    'anonymous read': result.policy,
    'authenticated read': result.sessions,
  });
  console.log(result.machine);
  if (process.argv.includes('--json')) writeFileSync(path.join(root, 'bench/results/api.json'), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  plain.child.kill('SIGTERM');
  await new Promise((resolve) => {
    api.child.removeAllListeners('exit').once('exit', resolve);
    api.child.kill('SIGTERM');
  });
  rmSync(dataDir, { recursive: true, force: true });
}
