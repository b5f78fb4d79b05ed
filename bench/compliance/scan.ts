/** A worker's scan in a process of its own, so that its memory is nobody else's: prints seconds and the peak as JSON. */
import { openDatabase } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { readFileSync } from 'node:fs';
import {
  createAbsentOwnersStore,
  createScanKind,
  createScanReportStore,
  createScanSourcesStore,
  createTrimmedVersionsStore,
} from '../../apps/server/src/features/compliance/index.ts';
import { createRunAccountsStore, createRunsStore } from '../../apps/server/src/runs/index.ts';
import { createRunWorker } from '../../apps/server/src/runs/run-worker.ts';
import { scopeOf, TENANT } from './fill.ts';

const [url = '', seed = '11'] = process.argv.slice(2);
const database = openDatabase({ url, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
const stores = { database, clock: systemClock, ids: createIds(systemClock, createSeededRandom(Number(seed))) };
const runs = createRunsStore({ ...stores, queue: { send: () => Promise.resolve(true) } });
const accounts = createRunAccountsStore(stores);
const reading = { sources: createScanSourcesStore(database), reports: createScanReportStore(database) };
/** Microsoft 365 cannot be asked for owners. */
const nobody = { use: () => Promise.reject(new AppError('tenants.deprovisioned')) };
const outside = {
  trimmed: createTrimmedVersionsStore(database),
  owners: createAbsentOwnersStore(database),
  graph: nobody,
  duePoints: () => Promise.resolve(null),
};
const kind = createScanKind({ ...reading, ...outside, accounts, clock: systemClock });
const work = createRunWorker({
  runs,
  accounts,
  handlers: { scan: (context) => kind.handle(context) },
  worker: 'bench',
  clock: systemClock,
  logger: silentLogger,
});

const body = { type: 'scan', name: 'Scan', schedule: { mode: 'disabled' } } as const;
const plan = { tenantId: TENANT, jobId: null, jobName: 'Scan', type: 'scan', workload: null, locationId: null, body } as const;
const queued = await database.within(scopeOf, (tx) => runs.enqueue(tx, scopeOf, { ...plan, trigger: 'manual', startedBy: null }));
const at = performance.now();
await work({ scope: scopeOf, payload: { runId: queued?.runId ?? '' }, signal: new AbortController().signal } as never);
const scanSeconds = Number(((performance.now() - at) / 1_000).toFixed(1));
const kilobytes = Number(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0);
await database.close();
console.log(JSON.stringify({ scanSeconds, scanPeakMB: Math.round(kilobytes / 1024) }));
