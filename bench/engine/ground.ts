import { spawn, type ChildProcess } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBackup, graphWorkloads, silentProgress, type Resource, type RunResult } from '@holdfast/engine';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type GraphClient } from '@holdfast/m365';
import { createFilesystemBlobStore, createMasterKeyRing, createVault, openVault, type Vault } from '@holdfast/vault';
import { createMemoryCatalog } from '../../packages/engine/testing/memory-catalog.ts';
import { createMemoryLease, createProblemList } from '../../packages/engine/testing/memory-ports.ts';

export const ids = createIds(systemClock, secureRandom);
export const READS_AT_A_TIME = 8;
const MAIL_ONLY = { mailbox: { calendars: false, contacts: false, tasks: false } };

/** Where a simulated Microsoft 365 answers, and how to sign in to it. */
export interface Service {
  readonly graph: string;
  readonly login: string;
  /** Calls of its administration, which no limit counts. */
  readonly admin: string;
  /** The certificate of its authority, PEM. */
  readonly caPem: string;
  readonly tenants: readonly { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string }[];
}

/** A simulator in a process of its own, so that its work is not counted as ours. */
export async function startService(options: {
  readonly mailboxes: number;
  readonly messages: number;
  readonly limits: 'real' | 'off';
}): Promise<{ readonly service: Service; readonly stop: () => void }> {
  const main = fileURLToPath(new URL('../../packages/m365-simulator/src/main.ts', import.meta.url));
  const size = ['--users', String(options.mailboxes), '--messages-per-user', String(options.messages)];
  const child: ChildProcess = spawn(process.execPath, [main, '--recipe', 'million', '--limits', options.limits, ...size], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill('SIGTERM'));
  let text = '';
  for await (const data of child.stdout ?? []) {
    text += String(data);
    if (text.includes('\n')) break;
  }
  const line = JSON.parse(text.slice(0, text.indexOf('\n'))) as Omit<Service, 'caPem'> & { readonly ca: string };
  return { service: { ...line, caPem: readFileSync(line.ca, 'utf8') }, stop: () => child.kill('SIGTERM') };
}

/** The product's client of a service; `clock` is that of the service when its time is not ours. */
export function clientOf(service: Service, clock: Clock = systemClock): GraphClient {
  const [access] = service.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  return createGraphClient({
    tenantId: access.tenantId,
    credential: { kind: 'secret', clientId: access.clientId, clientSecret: new Secret(access.clientSecret) },
    endpoints: { loginUrl: service.login, graphUrl: service.graph, ca: service.caPem },
    budgets: createMemoryBudgets({ clock, ids }),
    clock,
    random: secureRandom,
    ids,
    logger: silentLogger,
    userAgentVersion: '0.0.0',
    licenceCount: 100_000,
    userCount: 1_000,
  });
}

/** The ids of the first so many members. */
export async function membersOf(graph: GraphClient, count: number): Promise<string[]> {
  const users: string[] = [];
  for await (const user of graph.directory.users()) {
    if (user.userType === 'Member' && users.length < count) users.push(user.id);
  }
  return users;
}

export const mailboxOf = (userId: string): Resource => ({ id: ids.uuid(), kind: 'mailbox', graphId: userId, name: userId });

/** A vault on this disk and an engine over it. */
export interface Workshop {
  readonly folder: string;
  readonly vault: Vault;
  readonly catalog: ReturnType<typeof createMemoryCatalog>;
  backUp(resource: Resource): Promise<RunResult>;
  close(): Promise<void>;
}

/** An engine as a worker has one; the catalog is in memory: `bench/catalog` measures that of the product. */
export async function openWorkshop(graph: GraphClient, clock: Clock = systemClock): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-engine-'));
  const store = createFilesystemBlobStore({ root: folder });
  const keyRing = createMasterKeyRing({ current: 'bench', keys: { bench: createSecretKey(randomBytes(32)) } });
  await createVault({ store, keyRing, organisationId: ids.uuid(), clock, ids });
  const vault = await openVault({ store, keyRing, clock, ids, logger: silentLogger });
  const catalog = createMemoryCatalog();
  const parts = {
    vault,
    workloadOf: graphWorkloads(graph),
    catalog,
    progress: silentProgress,
    problems: createProblemList(),
    lease: createMemoryLease(),
  };
  const backup = createBackup({ ...parts, clock, logger: silentLogger });
  return {
    folder,
    vault,
    catalog,
    async backUp(resource) {
      const result = await backup.run({ runId: ids.uuid(), resource, selections: [MAIL_ONLY], signal: new AbortController().signal });
      if (result.status !== 'successful') throw new Error(`${resource.graphId} ended ${result.status} ${result.code ?? ''}`);
      return result;
    },
    async close() {
      await vault.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the service was asked since `forgetRequests`: `GET /users/{id} 200` → how often. */
export async function requestsBySort({ admin }: Service): Promise<Readonly<Record<string, number>>> {
  return ((await (await fetch(`${admin}/requests`)).json()) as { readonly counts: Readonly<Record<string, number>> }).counts;
}

export async function forgetRequests({ admin }: Service): Promise<void> {
  await fetch(`${admin}/requests`, { method: 'DELETE' });
}
