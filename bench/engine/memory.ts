import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/foundation/clock';
import { createApi, type Api } from '../../tools/api-client.ts';
import { startService, type Service } from './ground.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const owner = { email: 'owner@example.com', password: 'Bench-Password-2026!' };
const EVERY_MS = 500;
const ENDED = new Set(['successful', 'defective', 'failed', 'cancelled', 'skipped']);

/** Resident now and at most, in megabytes, as the kernel counts them. */
function memoryOf({ pid }: ChildProcess): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`, 'u').exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** The whole product in one process, with a PostgreSQL that it keeps. */
async function startProduct(service: Service, folder: string): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const ca = path.join(folder, 'ca.pem');
  writeFileSync(ca, service.caPem);
  const settings = {
    HOLDFAST_DATA_DIR: path.join(folder, 'data'),
    HOLDFAST_PORT: '0',
    HOLDFAST_GRAPH_URL: service.graph,
    HOLDFAST_LOGIN_URL: service.login,
    HOLDFAST_GRAPH_CA_FILE: ca,
    HOLDFAST_LOCATION_ROOTS: folder,
    HOLDFAST_OWNER_EMAIL: owner.email,
    HOLDFAST_OWNER_PASSWORD: owner.password,
    HOLDFAST_OWNER_ORGANISATION: 'Contoso',
  };
  const child = spawn(process.execPath, [MAIN, 'all'], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGTERM'));
  let text = '';
  const address = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text = `${text}${part}`.slice(-10_000);
      const found = /"address":"(http[^"]+)"/u.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, address };
}

/** Connects the tenant as an owner would, and starts a backup of every mailbox. */
async function startBackup(api: Api, service: Service, folder: string): Promise<{ readonly tenantId: string; readonly runId: string }> {
  const [access] = service.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const { clientId, clientSecret, tenantId: microsoftTenantId } = access;
  const names = { name: 'Contoso', displayName: 'Contoso Ltd' };
  const { tenantId } = await api.post<{ tenantId: string }>('/apollo/api/Tenants', { ...names, clientId, microsoftTenantId, clientSecret });
  const to = `/apollo/api/${tenantId}`;
  const vault = { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'vault') };
  const { locationId } = await api.post<{ locationId: string }>(`${to}/locations`, vault);
  const source = { everyone: true, users: [], groups: [], sites: [], teams: [] };
  const job = { type: 'backup', name: 'Mail', workload: 'exchange', locationId, source, schedule: { mode: 'disabled' } };
  const { jobId } = await api.post<{ jobId: string }>(`${to}/jobs`, job);
  const { taskId } = await api.post<{ taskId: string }>(`${to}/jobs/${jobId}/start`, {});
  return { tenantId, runId: taskId };
}

/** Memory of the product, API and scheduler included, while mailboxes are backed up: at each quarter and at most. */
export async function benchMemory(mailboxes: number, messages: number) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-bench-memory-'));
  const { service, stop } = await startService({ mailboxes, messages, limits: 'off' });
  const { child, address } = await startProduct(service, folder);
  try {
    const idleMegabytes = memoryOf(child).now;
    const api = await createApi(address, owner);
    const { tenantId, runId } = await startBackup(api, service, folder);
    const at = performance.now();
    const samples: number[] = [];
    for (;;) {
      await systemClock.sleep(EVERY_MS);
      samples.push(memoryOf(child).now);
      const { items } = await api.get<{ items: readonly { reportId: string; status: string; processed: number }[] }>(
        `/apollo/api/${tenantId}/monitoring?limit=50`,
      );
      const run = items.find((one) => one.reportId === runId);
      if (!run || !ENDED.has(run.status)) continue;
      if (run.status !== 'successful') throw new Error(`The backup ended ${run.status}.`);
      const quarters = [0.25, 0.5, 0.75, 1].map((share) => Math.max(...samples.slice(0, Math.ceil(samples.length * share))));
      const seconds = Math.round((performance.now() - at) / 1_000);
      return { mailboxes, messages, processed: run.processed, seconds, idleMegabytes, quarters, peakMegabytes: memoryOf(child).most };
    }
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    stop();
    await rm(folder, { recursive: true, force: true });
  }
}
