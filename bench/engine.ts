/**
 * A backup beside a bare downloader with the same client, in one run: both list every folder and read every message;
 * the downloader throws the bytes away, the backup stores them in a vault on this disk. Then a run without changes:
 * what it asks for and what it writes. The simulator is a process of its own, limits off.
 *
 *   node bench/engine.ts [mailboxes] [messages a mailbox] [--json]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBackup, silentProgress, type Resource } from '@holdfast/engine';
import { systemClock } from '@holdfast/foundation/clock';
import { forEachConcurrent, mapConcurrent } from '@holdfast/foundation/concurrency';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type GraphClient } from '@holdfast/m365';
import { createFilesystemBlobStore, createMasterKeyRing, createVault, openVault } from '@holdfast/vault';
import { createMemoryCatalog } from '../packages/engine/testing/memory-catalog.ts';
import { createMemoryLease, createProblemList } from '../packages/engine/testing/memory-ports.ts';

const numbers = process.argv.slice(2).filter((argument) => /^\d+$/u.test(argument));
const mailboxes = Number(numbers[0] ?? 50);
const messages = Number(numbers[1] ?? 2_000);
const MAILBOXES_AT_A_TIME = 4;
const READS_AT_A_TIME = 8;
const MAIL_ONLY = { mailbox: { calendars: false, contacts: false, tasks: false } };
const ids = createIds(systemClock, secureRandom);

interface Started {
  readonly child: ChildProcess;
  readonly line: { graph: string; login: string; ca: string; tenants: { tenantId: string; clientId: string; clientSecret: string }[] };
}

async function startService(): Promise<Started> {
  const main = fileURLToPath(new URL('../packages/m365-simulator/src/main.ts', import.meta.url));
  const size = ['--users', String(mailboxes), '--messages-per-user', String(messages)];
  const child = spawn(process.execPath, [main, '--recipe', 'million', '--limits', 'off', ...size], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const data of child.stdout) {
    text += String(data);
    if (text.includes('\n')) break;
  }
  return { child, line: JSON.parse(text.slice(0, text.indexOf('\n'))) as Started['line'] };
}

function client({ line }: Started): GraphClient {
  const [access] = line.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  return createGraphClient({
    tenantId: access.tenantId,
    credential: { kind: 'secret', clientId: access.clientId, clientSecret: new Secret(access.clientSecret) },
    endpoints: { loginUrl: line.login, graphUrl: line.graph, ca: readFileSync(line.ca, 'utf8') },
    budgets: createMemoryBudgets({ clock: systemClock, ids }),
    clock: systemClock,
    random: secureRandom,
    ids,
    logger: silentLogger,
    userAgentVersion: '0.0.0',
    licenceCount: 100_000,
    userCount: 1_000,
  });
}

/** Lists every folder and reads every message, and keeps nothing. */
async function download(graph: GraphClient, userId: string): Promise<{ messages: number; bytes: number }> {
  const { mail } = graph.exchange;
  let count = 0;
  let bytes = 0;
  for await (const step of mail.folderDelta({ userId })) {
    if (step.kind === 'reset') continue;
    for (const folder of step.entries) {
      for await (const page of mail.messageDelta({ userId, folderId: folder.id })) {
        if (page.kind === 'reset') continue;
        const read = async (entry: { readonly id: string }): Promise<number> => {
          let size = 0;
          for await (const part of mail.mime({ userId, messageId: entry.id }).bytes) size += part.byteLength;
          return size;
        };
        for await (const size of mapConcurrent(page.entries, READS_AT_A_TIME, read)) {
          count += 1;
          bytes += size;
        }
      }
    }
  }
  return { messages: count, bytes };
}

interface Measured {
  readonly name: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly messages: number;
  readonly megabytes: number;
  readonly requests: number;
}

async function measure(name: string, graph: GraphClient, work: () => Promise<{ messages: number; bytes: number }>): Promise<Measured> {
  const requests = graph.statistics().requests;
  const cpu = process.cpuUsage();
  const at = performance.now();
  const done = await work();
  const seconds = (performance.now() - at) / 1_000;
  const used = process.cpuUsage(cpu);
  const cpuSeconds = (used.user + used.system) / 1e6;
  return {
    name,
    seconds,
    cpuSeconds,
    messages: done.messages,
    megabytes: done.bytes / 1e6,
    requests: graph.statistics().requests - requests,
  };
}

const service = await startService();
const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-engine-'));
try {
  const graph = client(service);
  const users: string[] = [];
  for await (const user of graph.directory.users()) if (user.userType === 'Member' && users.length < mailboxes) users.push(user.id);
  const store = createFilesystemBlobStore({ root: folder });
  const keyRing = createMasterKeyRing({ current: 'bench', keys: { bench: createSecretKey(randomBytes(32)) } });
  await createVault({ store, keyRing, organisationId: ids.uuid(), clock: systemClock, ids });
  const vault = await openVault({ store, keyRing, clock: systemClock, ids, logger: silentLogger });
  const resources: Resource[] = users.map((userId) => ({ id: ids.uuid(), kind: 'mailbox', graphId: userId, name: userId }));
  const parts = {
    vault,
    graph,
    catalog: createMemoryCatalog(),
    progress: silentProgress,
    problems: createProblemList(),
    lease: createMemoryLease(),
  };
  const backup = createBackup({ ...parts, clock: systemClock, logger: silentLogger, concurrency: READS_AT_A_TIME });

  let segments = 0;
  async function backUpAll(): Promise<{ messages: number; bytes: number }> {
    const total = { messages: 0, bytes: 0 };
    await forEachConcurrent(resources, MAILBOXES_AT_A_TIME, async (resource) => {
      const result = await backup.run({ runId: ids.uuid(), resource, selection: MAIL_ONLY, signal: new AbortController().signal });
      if (result.status !== 'successful') throw new Error(`${resource.graphId} ended ${result.status} ${result.code ?? ''}`);
      segments += result.segments;
      total.messages += result.counts.added;
      total.bytes += result.bytesRead;
    });
    return total;
  }

  async function downloadAll(): Promise<{ messages: number; bytes: number }> {
    const total = { messages: 0, bytes: 0 };
    await forEachConcurrent(users, MAILBOXES_AT_A_TIME, async (userId) => {
      const one = await download(graph, userId);
      total.messages += one.messages;
      total.bytes += one.bytes;
    });
    return total;
  }

  await download(graph, users[0] ?? '');
  const bare = await measure('bare downloader', graph, downloadAll);
  const first = await measure('first backup', graph, backUpAll);
  segments = 0;
  const again = await measure('run without changes', graph, backUpAll);
  const rows = [bare, first, again];
  const ratio = first.megabytes / first.seconds / (bare.megabytes / bare.seconds);
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, ratio, segmentsWithoutChanges: segments, peakMegabytes }));
  else {
    console.log(`${mailboxes} mailboxes, ${messages} messages each · Node ${process.version}, ${cpus().length} cores`);
    for (const row of rows) {
      const rate = `${(row.messages / row.seconds).toFixed(0)} messages/s, ${(row.megabytes / row.seconds).toFixed(1)} MB/s`;
      console.log(
        `${row.name.padEnd(22)} ${row.seconds.toFixed(1)} s (${row.cpuSeconds.toFixed(1)} CPU s) · ${rate} · ${row.requests} requests`,
      );
    }
    console.log(`backup against bare downloader: ${(ratio * 100).toFixed(0)} % (to reach: 70 %)`);
    console.log(
      `a run without changes: ${(again.requests / resources.length).toFixed(1)} requests a mailbox, ${again.megabytes} MB read, ${segments} segments written`,
    );
    console.log(`peak memory of this process ${peakMegabytes.toFixed(0)} MB (limit 600)`);
  }
  await vault.close();
  await graph.close();
} finally {
  service.child.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
