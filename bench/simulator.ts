/**
 * How fast the simulator serves, beside a bare HTTPS route of Fastify under the same load in the same run, and what a
 * million messages cost. Each server is a process of its own on loopback; the same sockets, the same client.
 *
 *   node bench/simulator.ts [--json]     `--json` also writes bench/results/simulator.json
 *
 * The share is of requests a second. On a machine where other things run, the processor time that each server spent on a
 * request says more, so it stands beside.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONNECTIONS = 8;
const ROUNDS = 3;
const ROUND_MS = 1500;
const WARM_MS = 1000;
/** What the kernel counts processor time in: a hundredth of a second. */
const TICK_MICROSECONDS = 10_000;

interface Served {
  readonly base: string;
  readonly ca: string;
  readonly line: Record<string, unknown>;
  readonly residentBytes: () => number;
  /** Processor time so far, user and system. */
  readonly cpuMicroseconds: () => number;
  readonly stop: () => void;
}

/** Starts a server that prints one line of JSON when it is ready. */
async function serve(file: string, args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGTERM'));
  const line = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
  const parsed = JSON.parse(line) as Record<string, unknown>;
  const pid = child.pid ?? 0;
  return {
    base: String(parsed['graph']),
    ca: readFileSync(String(parsed['ca']), 'utf8'),
    line: parsed,
    residentBytes: () => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    cpuMicroseconds() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
    },
    stop: () => child.kill('SIGTERM'),
  };
}

interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
}

function fetchOnce(
  agent: Agent,
  target: Target,
  collectBody: boolean,
): Promise<{ readonly status: number; readonly bytes: number; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(target.url, { agent, headers: target.headers }, (response) => {
      let bytes = 0;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        bytes += part.byteLength;
        if (collectBody) parts.push(part);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

interface Round {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly cpuMicroseconds: number;
  readonly times: readonly number[];
}

/** Sends as fast as `CONNECTIONS` sockets can for `forMs`. */
async function round(agent: Agent, served: Served, next: () => Target, forMs: number): Promise<Round> {
  const times: number[] = [];
  let bytes = 0;
  const start = performance.now();
  const cpuBefore = served.cpuMicroseconds();
  async function worker(): Promise<void> {
    while (performance.now() < start + forMs) {
      const sent = performance.now();
      const answer = await fetchOnce(agent, next(), false);
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      times.push(performance.now() - sent);
      bytes += answer.bytes;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, () => worker()));
  const seconds = (performance.now() - start) / 1000;
  return { requests: times.length, bytes, seconds, cpuMicroseconds: served.cpuMicroseconds() - cpuBefore, times };
}

interface Load {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly p99Ms: number;
}

function loadOf(rounds: readonly Round[]): Load {
  const sum = (value: (one: Round) => number): number => rounds.reduce((total, one) => total + value(one), 0);
  const times = rounds.flatMap((one) => one.times).sort((a, b) => a - b);
  return {
    requestsPerSecond: sum((one) => one.requests) / sum((one) => one.seconds),
    bytesPerSecond: sum((one) => one.bytes) / sum((one) => one.seconds),
    cpuMicroseconds:
      sum((one) => one.cpuMicroseconds) /
      Math.max(
        1,
        sum((one) => one.requests),
      ),
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

interface Access {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

async function bearer(served: Served, agent: Agent): Promise<string> {
  const [access] = served.line['tenants'] as Access[];
  if (!access) throw new Error('no tenant');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: access.clientId,
    client_secret: access.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
  }).toString();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
    const sent = request(`${served.base}/${access.tenantId}/oauth2/v2.0/token`, { agent, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve((JSON.parse(text) as { readonly access_token: string }).access_token));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function rounded(result: Load): Record<string, number> {
  return {
    requestsPerSecond: Math.round(result.requestsPerSecond),
    megabytesPerSecond: Math.round(result.bytesPerSecond / 1e6),
    p99Ms: Number(result.p99Ms.toFixed(1)),
    cpuMicroseconds: Math.round(result.cpuMicroseconds),
  };
}

interface Row {
  readonly name: string;
  readonly simulator: Load;
  readonly bare: Load;
}

/** Messages of about 30 KB. */
function isTypical(size: number): boolean {
  return size > 15_000 && size < 90_000;
}

interface Setting {
  readonly simulator: Served;
  readonly bare: Served;
  readonly agent: Agent;
  readonly headers: Record<string, string>;
  readonly users: readonly string[];
}

async function getJson({ simulator, agent, headers }: Omit<Setting, 'users'>, path: string): Promise<Record<string, unknown>> {
  const answer = await fetchOnce(agent, { url: `${simulator.base}/v1.0${path}`, headers }, true);
  return JSON.parse(answer.body.toString()) as Record<string, unknown>;
}

function idsOf(page: Record<string, unknown>): string[] {
  return (page['value'] as { readonly id: string }[]).map(({ id }) => id);
}

/** Both sides in turns, so that what else the machine does falls on both. */
async function compare(setting: Setting, name: string, next: () => Target, sizeBytes: number): Promise<Row> {
  const { agent, simulator, bare } = setting;
  const bareNext = (): Target => ({ url: `${bare.base}/${sizeBytes}`, headers: {} });
  await round(agent, simulator, next, WARM_MS);
  await round(agent, bare, bareNext, WARM_MS);
  const ours: Round[] = [];
  const theirs: Round[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    ours.push(await round(agent, simulator, next, ROUND_MS));
    theirs.push(await round(agent, bare, bareNext, ROUND_MS));
  }
  return { name, simulator: loadOf(ours), bare: loadOf(theirs) };
}

function inTurn(addresses: readonly string[], headers: Record<string, string>): () => Target {
  let turn = 0;
  return () => ({ url: addresses[turn++ % addresses.length] ?? '', headers });
}

async function smallGets(setting: Setting): Promise<Row> {
  const addresses = setting.users.map((user) => `${setting.simulator.base}/v1.0/users/${user}`);
  return compare(setting, 'small GET', inTurn(addresses, setting.headers), 400);
}

async function messages(setting: Setting): Promise<Row> {
  const { agent, headers, simulator, users } = setting;
  const ids = idsOf(await getJson(setting, `/users/${users[0]}/mailFolders/inbox/messages?$top=600&$select=id`));
  const addresses = ids.map((id) => `${simulator.base}/v1.0/users/${users[0]}/messages/${id}/$value`);
  const sizes: number[] = [];
  for (const url of addresses) sizes.push((await fetchOnce(agent, { url, headers }, false)).bytes);
  const typical = addresses.filter((_url, index) => isTypical(sizes[index] ?? 0));
  const meanBytes = Math.round(sizes.filter((size) => isTypical(size)).reduce((sum, size) => sum + size, 0) / typical.length);
  return compare(setting, `message $value, ${meanBytes} bytes`, inTurn(typical, headers), meanBytes);
}

const SELECT = 'id,changeKey,isRead,flag,categories,parentFolderId,receivedDateTime,internetMessageId,hasAttachments';

/** Pages of 500: a few that the simulator has kept, and so many that it has kept none. */
async function deltaPages(setting: Setting): Promise<Row[]> {
  const { agent, simulator, users } = setting;
  const headers = { ...setting.headers, prefer: 'odata.maxpagesize=500, IdType="ImmutableId"' };
  const first = users.map((user) => `${simulator.base}/v1.0/users/${user}/mailFolders/inbox/messages/delta?$select=${SELECT}`);
  const page = await fetchOnce(agent, { url: first[0] ?? '', headers }, true);
  const entries = (JSON.parse(page.body.toString()) as { readonly value: unknown[] }).value.length;
  if (entries !== 500) throw new Error(`The page has ${entries} entries.`);
  const sizeBytes = page.body.byteLength;
  const again = await compare(setting, 'delta page of 500, asked for again', inTurn(first.slice(0, 20), headers), sizeBytes);
  // More pages than are kept: by the time one comes again it was thrown away.
  return [again, await compare(setting, 'delta page of 500, made anew', inTurn(first, headers), sizeBytes)];
}

async function downloads(setting: Setting): Promise<Row> {
  const drive = (await getJson(setting, `/users/${setting.users[0]}/drive`))['id'] as string;
  const items = (await getJson(setting, `/drives/${drive}/root/delta?$top=500`))['value'] as {
    readonly size?: number;
    readonly '@microsoft.graph.downloadUrl'?: string;
  }[];
  const file = items.filter((item) => item['@microsoft.graph.downloadUrl']).sort((a, b) => (b.size ?? 0) - (a.size ?? 0))[0];
  const url = file?.['@microsoft.graph.downloadUrl'] ?? '';
  return compare(setting, `download of ${file?.size} bytes`, () => ({ url, headers: {} }), file?.size ?? 0);
}

async function measure(): Promise<Row[]> {
  const size = ['--recipe', 'million', '--seed', '42', '--users', '300', '--messages-per-user', '3000'];
  const simulator = await serve('packages/m365-simulator/src/main.ts', [...size, '--limits', 'off']);
  const bare = await serve('bench/competitors/bare-https.ts', []);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: [simulator.ca, bare.ca] });
  try {
    const headers = { authorization: `Bearer ${await bearer(simulator, agent)}` };
    const users = idsOf(await getJson({ simulator, bare, agent, headers }, '/users?$top=300'));
    const setting: Setting = { simulator, bare, agent, headers, users };
    return [await smallGets(setting), await messages(setting), ...(await deltaPages(setting)), await downloads(setting)];
  } finally {
    simulator.stop();
    bare.stop();
    agent.destroy();
  }
}

async function million(): Promise<Record<string, number>> {
  const started = performance.now();
  const simulator = await serve('packages/m365-simulator/src/main.ts', ['--recipe', 'million', '--seed', '42', '--limits', 'off']);
  const readyMs = performance.now() - started;
  const agent = new Agent({ keepAlive: true, ca: simulator.ca });
  const headers = { authorization: `Bearer ${await bearer(simulator, agent)}`, prefer: 'odata.maxpagesize=500' };
  const read = async (url: string): Promise<Record<string, unknown>> =>
    JSON.parse((await fetchOnce(agent, { url, headers }, true)).body.toString()) as Record<string, unknown>;
  const atStart = simulator.residentBytes();
  let peak = atStart;
  let entries = 0;
  const begin = performance.now();
  let users: string | undefined = `${simulator.base}/v1.0/users?$top=999&$select=id`;
  while (users) {
    const page = await read(users);
    for (const { id } of page['value'] as { readonly id: string }[]) {
      const folders = (await read(`${simulator.base}/v1.0/users/${id}/mailFolders/delta?$select=id`))['value'] as { readonly id: string }[];
      for (const folder of folders) {
        let next: string | undefined = `${simulator.base}/v1.0/users/${id}/mailFolders/${folder.id}/messages/delta?$select=isRead`;
        while (next) {
          const part = await read(next);
          entries += (part['value'] as unknown[]).length;
          next = part['@odata.nextLink'] as string | undefined;
        }
      }
      peak = Math.max(peak, simulator.residentBytes());
    }
    users = page['@odata.nextLink'] as string | undefined;
  }
  const elapsed = (performance.now() - begin) / 1000;
  simulator.stop();
  agent.destroy();
  return {
    readyMs: Math.round(readyMs),
    entries,
    entriesPerSecond: Math.round(entries / elapsed),
    startMegabytes: Math.round(atStart / 2 ** 20),
    peakMegabytes: Math.round(peak / 2 ** 20),
  };
}

const rows = await measure();
const lines = rows.map((row) => ({
  what: row.name,
  simulator: rounded(row.simulator),
  bare: rounded(row.bare),
  share: Number((row.simulator.requestsPerSecond / row.bare.requestsPerSecond).toFixed(2)),
  shareOfProcessorTime: Number((row.bare.cpuMicroseconds / row.simulator.cpuMicroseconds).toFixed(2)),
}));
for (const line of lines) console.log(JSON.stringify(line));
const large = await million();
console.log(JSON.stringify({ what: 'a million messages by delta', ...large }));
if (process.argv.includes('--json')) {
  const load = loadavg().map((value) => Number(value.toFixed(1)));
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length, load };
  writeFileSync(`${root}bench/results/simulator.json`, `${JSON.stringify({ machine, rows: lines, million: large }, null, 2)}\n`);
}
