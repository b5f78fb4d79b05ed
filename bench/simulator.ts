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
import { cpus } from 'node:os';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';

const seconds = 4;
const root = fileURLToPath(new URL('..', import.meta.url));
const CONNECTIONS = 8;
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

interface Load {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly p99Ms: number;
}

/** Sends as fast as `CONNECTIONS` sockets can for the time of a run, after a second of warming up. */
async function load(agent: Agent, served: Served, next: () => Target): Promise<Load> {
  const times: number[] = [];
  let bytes = 0;
  async function worker(until: number, isCounted: boolean): Promise<void> {
    while (performance.now() < until) {
      const start = performance.now();
      const answer = await fetchOnce(agent, next(), false);
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      if (!isCounted) continue;
      times.push(performance.now() - start);
      bytes += answer.bytes;
    }
  }
  const warm = performance.now() + 1000;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => worker(warm, false)));
  const start = performance.now();
  const cpuBefore = served.cpuMicroseconds();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => worker(start + seconds * 1000, true)));
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const cpuMicroseconds = (served.cpuMicroseconds() - cpuBefore) / Math.max(1, times.length);
  return {
    requestsPerSecond: times.length / elapsed,
    bytesPerSecond: bytes / elapsed,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    cpuMicroseconds,
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

async function measure(): Promise<Row[]> {
  const simulator = await serve('packages/m365-simulator/src/main.ts', ['--recipe', 'office', '--seed', '42', '--limits', 'off']);
  const bare = await serve('bench/competitors/bare-https.ts', []);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: [simulator.ca, bare.ca] });
  const headers = { authorization: `Bearer ${await bearer(simulator, agent)}` };
  const get = async (path: string): Promise<Record<string, unknown>> => {
    const url = path.startsWith('https://') ? path : `${simulator.base}/v1.0${path}`;
    return JSON.parse((await fetchOnce(agent, { url, headers }, true)).body.toString()) as Record<string, unknown>;
  };
  const users = ((await get('/users?$top=50'))['value'] as { readonly id: string }[]).map((user) => user.id);
  const user = users[0] ?? '';
  const messages = ((await get(`/users/${user}/mailFolders/inbox/messages?$top=600&$select=id`))['value'] as { readonly id: string }[]).map(
    (message) => message.id,
  );
  const sizes = await Promise.all(
    messages
      .slice(0, 100)
      .map(
        async (id) => (await fetchOnce(agent, { url: `${simulator.base}/v1.0/users/${user}/messages/${id}/$value`, headers }, false)).bytes,
      ),
  );
  const typical = messages.slice(0, 600).filter((_id, index) => isTypical(sizes[index] ?? 0));
  const meanBytes = Math.round(sizes.filter((size) => isTypical(size)).reduce((sum, size) => sum + size, 0) / typical.length);
  const deltaUrl = `${simulator.base}/v1.0/users/${user}/mailFolders/inbox/messages/delta?$select=id,changeKey,isRead,flag,categories,parentFolderId,receivedDateTime,internetMessageId,hasAttachments`;
  const deltaHeaders = { ...headers, prefer: 'odata.maxpagesize=500, IdType="ImmutableId"' };
  const firstPage = await fetchOnce(agent, { url: deltaUrl, headers: deltaHeaders }, true);
  const entries = ((JSON.parse(firstPage.body.toString()) as { readonly value: unknown[] }).value ?? []).length;
  const drive = (await get(`/users/${user}/drive`))['id'] as string;
  const items = (await get(`/drives/${drive}/root/delta?$top=500`))['value'] as {
    readonly size?: number;
    readonly '@microsoft.graph.downloadUrl'?: string;
  }[];
  const file = items.filter((item) => item['@microsoft.graph.downloadUrl']).sort((a, b) => (b.size ?? 0) - (a.size ?? 0))[0];
  let turn = 0;
  const each = (list: readonly string[]): string => list[turn++ % list.length] ?? '';
  const bareTarget = (sizeBytes: number) => () => ({ url: `${bare.base}/${sizeBytes}`, headers: {} });
  const rows: Row[] = [];
  const run = async (name: string, next: () => Target, sizeBytes: number): Promise<void> => {
    const result = await load(agent, simulator, next);
    rows.push({ name, simulator: result, bare: await load(agent, bare, bareTarget(sizeBytes)) });
  };
  await run('small GET', () => ({ url: `${simulator.base}/v1.0/users/${each(users)}`, headers }), 420);
  await run(
    `message $value, ${meanBytes} bytes`,
    () => ({ url: `${simulator.base}/v1.0/users/${user}/messages/${each(typical)}/$value`, headers }),
    meanBytes,
  );
  await run(`delta page of ${entries}`, () => ({ url: deltaUrl, headers: deltaHeaders }), firstPage.body.byteLength);
  if (file)
    await run(`download of ${file.size} bytes`, () => ({ url: String(file['@microsoft.graph.downloadUrl']), headers: {} }), file.size ?? 0);
  simulator.stop();
  bare.stop();
  agent.destroy();
  return rows;
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
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length };
  writeFileSync(`${root}bench/results/simulator.json`, `${JSON.stringify({ machine, rows: lines, million: large }, null, 2)}\n`);
}
