/**
 * What the client of Microsoft Graph costs beside the HTTP library under it: the same messages from the same simulator
 * by `@holdfast/m365`, with sign-in, budgets, retries and checks, and by undici alone, over as many connections, in turns.
 *
 *   node bench/client.ts [--json]     `--json` also writes bench/results/client.json
 *
 * Requests are spread over so many mailboxes that no budget is ever reached.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { collect } from '@holdfast/foundation/streams';
import { createGraphClient, createMemoryBudgets, type GraphClient } from '@holdfast/m365';
import { createBareUndici } from '../packages/m365/testing/bare-undici.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAILBOXES = 200;
const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_MS = 2_000;

interface Line {
  readonly graph: string;
  readonly login: string;
  readonly ca: string;
  readonly tenants: readonly { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string }[];
}

interface Place {
  readonly userId: string;
  readonly messageId: string;
}

interface Side {
  readonly name: string;
  readonly read: (place: Place) => Promise<number>;
}

interface Figures {
  requests: number;
  bytes: number;
  seconds: number;
  cpuMicroseconds: number;
}

const size = ['--recipe', 'million', '--users', String(MAILBOXES), '--messages-per-user', '200', '--limits', 'off'];
const simulator = spawn(process.execPath, ['packages/m365-simulator/src/main.ts', ...size], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'ignore'],
});
process.once('exit', () => simulator.kill('SIGTERM'));
const line = await new Promise<Line>((resolve) => {
  createInterface(simulator.stdout).once('line', (text) => resolve(JSON.parse(text) as Line));
});
const [access] = line.tenants;
if (!access) throw new Error('The simulator has no tenant.');
const ca = readFileSync(line.ca, 'utf8');
const ids = createIds(systemClock, secureRandom);
const client: GraphClient = createGraphClient({
  tenantId: access.tenantId,
  credential: { kind: 'secret', clientId: access.clientId, clientSecret: new Secret(access.clientSecret) },
  endpoints: { loginUrl: line.login, graphUrl: line.graph, ca },
  budgets: createMemoryBudgets({ clock: systemClock, ids }),
  clock: systemClock,
  random: secureRandom,
  ids,
  logger: silentLogger,
  userAgentVersion: '0.0.0',
});
const bare = createBareUndici({ ca, connections: CONNECTIONS });

async function bearer(): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: access?.clientId ?? '',
    client_secret: access?.clientSecret ?? '',
    scope: 'https://graph.microsoft.com/.default',
  });
  const answer = await bare.postForm(line.login, `/${access?.tenantId ?? ''}/oauth2/v2.0/token`, form);
  return (answer as { readonly access_token: string }).access_token;
}

const authorization = `Bearer ${await bearer()}`;
const sides: readonly Side[] = [
  {
    name: 'undici alone',
    async read({ userId, messageId }) {
      return (await bare.get(line.graph, `/v1.0/users/${userId}/messages/${messageId}/$value`, authorization)).byteLength;
    },
  },
  {
    name: '@holdfast/m365',
    read: async (place) => (await collect(client.exchange.mail.mime(place).bytes, 64 * 1024 * 1024)).byteLength,
  },
];

async function somePlaces(): Promise<Place[]> {
  const places: Place[] = [];
  for await (const user of client.directory.users()) {
    if (places.length >= MAILBOXES * 3) break;
    let count = 0;
    for await (const message of client.exchange.mail.messages({ userId: user.id, folderId: 'inbox' })) {
      places.push({ userId: user.id, messageId: message.id });
      count += 1;
      if (count === 3) break;
    }
  }
  return places.sort((a, b) => (a.messageId.slice(-8) < b.messageId.slice(-8) ? -1 : 1));
}

async function round(side: Side, places: readonly Place[], into: Figures): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  async function worker(first: number): Promise<void> {
    for (let turn = first; performance.now() < start + ROUND_MS; turn += CONNECTIONS) {
      const sizeBytes = await side.read(places[turn % places.length] as Place);
      into.bytes += sizeBytes;
      into.requests += 1;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => worker(index)));
  const used = process.cpuUsage(before);
  into.seconds += (performance.now() - start) / 1000;
  into.cpuMicroseconds += used.user + used.system;
}

const places = await somePlaces();
const figures = sides.map((): Figures => ({ requests: 0, bytes: 0, seconds: 0, cpuMicroseconds: 0 }));
for (const side of sides) await round(side, places, { requests: 0, bytes: 0, seconds: 0, cpuMicroseconds: 0 });
for (let turn = 0; turn < ROUNDS; turn += 1) {
  for (const [index, side] of sides.entries()) await round(side, places, figures[index] as Figures);
}
const rows = sides.map(({ name }, index) => {
  const { requests, bytes, seconds, cpuMicroseconds } = figures[index] as Figures;
  return {
    what: name,
    requestsPerSecond: Math.round(requests / seconds),
    megabytesPerSecond: Math.round(bytes / seconds / 1e6),
    cpuMicroseconds: Math.round(cpuMicroseconds / requests),
  };
});
for (const row of rows) console.log(JSON.stringify(row));
const [alone, ours] = rows;
const share = Number(((ours?.requestsPerSecond ?? 0) / (alone?.requestsPerSecond ?? 1)).toFixed(2));
const shareOfProcessorTime = Number(((alone?.cpuMicroseconds ?? 0) / (ours?.cpuMicroseconds ?? 1)).toFixed(2));
console.log(
  JSON.stringify({ what: 'the client beside undici alone', share, shareOfProcessorTime, waitedMs: client.statistics().waitedMs }),
);
if (process.argv.includes('--json')) {
  const load = loadavg().map((value) => Number(value.toFixed(1)));
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length, load };
  writeFileSync(`${root}bench/results/client.json`, `${JSON.stringify({ machine, rows, share, shareOfProcessorTime }, null, 2)}\n`);
}
await client.close();
await bare.close();
process.exit(0);
