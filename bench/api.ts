/**
 * How fast the API answers, beside two Fastify routes that do nothing, under the same load in the same run: one naked, one
 * with an id, security headers, a limit and a guard against overload, as every answer of ours has (competitors/bare-route.ts).
 * Each server is a process of its own; rounds take turns, so that a busy machine slows all of them.
 *
 *   node bench/api.ts [--json]     `--json` also writes bench/results/api.json
 *
 * The product runs in its own profile with every limit on. Its limit of 600 requests a minute for each token is why the load
 * comes with many of them; no two requests that are on their way have the same one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const root = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 3;
const SECONDS = 4;
const WARM_SECONDS = 2;
const CONNECTIONS = 32;
const SESSIONS = 8;
const TOKENS = 800;
/** What the kernel counts processor time in: a hundredth of a second. */
const TICK_MICROSECONDS = 10_000;
const owner = { email: 'bench@example.com', password: 'Bench-Password-2026!' };

interface Served {
  readonly address: string;
  readonly child: ChildProcess;
}

/** Starts a process and waits for the line that names its address. */
function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env });
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

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

async function ask(address: string, call: 'login' | 'refresh', body: object): Promise<Tokens> {
  const answer = await fetch(`${address}/apollo/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${call} answered ${answer.status}.`);
  return (await answer.json()) as Tokens;
}

/** One session after the other renews itself: each time a token of its own, and those before stay good until they expire. */
async function manyTokens(address: string): Promise<string[]> {
  const tokens: string[] = [];
  const one = async (): Promise<void> => {
    for (let last = await ask(address, 'login', owner); tokens.length < TOKENS;) {
      tokens.push(last.accessToken);
      last = await ask(address, 'refresh', { refreshToken: last.refreshToken });
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, one));
  return tokens;
}

/** Processor time of a process so far, user and system; 0 where the kernel does not tell. */
function cpuMicroseconds({ child }: Served): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
  readonly failed: number;
}

interface Load {
  readonly name: string;
  readonly served: Served;
  readonly path: string;
  /** Tokens that ask in turn; without any, nobody is signed in. */
  readonly tokens: readonly string[];
}

async function load({ served, path: at, tokens }: Load, seconds: number): Promise<Round> {
  let connection = 0;
  const before = cpuMicroseconds(served);
  const result = await autocannon({
    url: `${served.address}${at}`,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient(client) {
      const first = Math.floor((tokens.length * connection++) / CONNECTIONS);
      const turned = [...tokens.slice(first), ...tokens.slice(0, first)];
      if (turned.length > 0) client.setRequests(turned.map((token) => ({ headers: { authorization: `Bearer ${token}` } })));
    },
  });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuUs: Math.round((cpuMicroseconds(served) - before) / Math.max(1, result.requests.total)),
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
    cpuUs: median(rounds.map((round) => round.cpuUs)),
    failed: rounds.reduce((sum, round) => sum + round.failed, 0),
  };
}

/** Every load in turn, round by round. */
async function measure(loads: readonly Load[]): Promise<Map<string, Round>> {
  for (const one of loads) await load(one, WARM_SECONDS);
  const rounds = new Map<string, Round[]>(loads.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of loads) rounds.get(one.name)?.push(await load(one, SECONDS));
  }
  return new Map([...rounds].map(([name, all]) => [name, summary(all)]));
}

const NAKED = 'naked Fastify route';
const DRESSED = 'with id, headers, limit, guard';

function compared(measured: ReadonlyMap<string, Round>): Record<string, Round & { ofNaked: number; ofDressed: number }> {
  const share = (round: Round, of: string): number =>
    Math.round((round.perSecond / (measured.get(of)?.perSecond ?? Number.NaN)) * 100) / 100;
  return Object.fromEntries(
    [...measured].map(([name, round]) => [name, { ...round, ofNaked: share(round, NAKED), ofDressed: share(round, DRESSED) }]),
  );
}

async function run({ api, naked, dressed }: { api: Served; naked: Served; dressed: Served }): Promise<void> {
  const tokens = await manyTokens(api.address);
  const routes = compared(
    await measure([
      { name: NAKED, served: naked, path: '/', tokens },
      { name: DRESSED, served: dressed, path: '/', tokens },
      { name: 'anonymous read', served: api, path: '/apollo/identity/policy', tokens: [] },
      { name: 'authenticated trivial read', served: api, path: '/apollo/manage/info', tokens },
      { name: 'authenticated read of a table', served: api, path: '/apollo/api/Tenants', tokens },
    ]),
  );
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, ${CONNECTIONS} connections, ${TOKENS} tokens of ${SESSIONS} sessions, load on the same machine; its load average at the end ${loadavg()[0]?.toFixed(1) ?? ''}`;
  console.table(routes);
  console.log(machine);
  if (process.argv.includes('--json')) {
    writeFileSync(path.join(root, 'bench/results/api.json'), `${JSON.stringify({ machine, routes }, null, 2)}\n`);
  }
}

async function end({ child }: Served): Promise<void> {
  await new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', resolve);
    child.kill('SIGTERM');
  });
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-bench-api-'));
const served: Served[] = [];
const begin = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Served> => {
  const one = await serve(args, { ...process.env, ...env });
  served.push(one);
  return one;
};
try {
  await run({
    api: await begin(['apps/server/src/main.ts', 'all'], {
      HOLDFAST_DATA_DIR: path.join(dataDir, 'data'),
      HOLDFAST_PORT: '0',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
    }),
    naked: await begin(['bench/competitors/bare-route.ts', 'naked']),
    dressed: await begin(['bench/competitors/bare-route.ts', 'dressed']),
  });
} finally {
  await Promise.all(served.map(end));
  rmSync(dataDir, { recursive: true, force: true });
}
