import type { BackupConfig } from '@holdfast/contract/configuration';
import type { AttentionEntry, Overview } from '@holdfast/contract/dashboard';
import type { Preview } from '@holdfast/contract/content';
import type { Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import type { Location } from '@holdfast/contract/locations';
import type { Tenant } from '@holdfast/contract/tenants';
import type { Client, Worker } from '@holdfast/contract/workers';
import { restoreSettings } from '@holdfast/contract/restore';
import { jobSource, type Job } from '@holdfast/contract/jobs';
import type { Run, RunDetails } from '@holdfast/contract/monitoring';
import type { ChosenWorker } from '../api/worker-choice.ts';

/** Things of a small organisation, each valid without an argument. */
export const now = '2026-11-21T09:30:00.000Z';
const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const sampleIds = {
  user: idOf(1),
  organisation: idOf(2),
  worker: idOf(3),
  tenant: idOf(4),
  location: idOf(5),
  job: idOf(6),
  run: idOf(7),
  source: idOf(8),
};

export function aWorker(given: Partial<Worker> = {}): Worker {
  return {
    workerId: sampleIds.worker,
    name: 'Worker 1',
    ip: '10.0.0.11',
    indexIp: '10.0.0.12',
    organizationId: sampleIds.organisation,
    tenant_id: sampleIds.tenant,
    stagingtenant_id: null,
    version: '0.1.0',
    isReachable: true,
    lastSeenAt: now,
    load: 0.1,
    runningRuns: 0,
    isLocal: false,
    ...given,
  };
}

export function aClient(given: Partial<Client> = {}): Client {
  return {
    clientId: sampleIds.organisation,
    name: 'Contoso',
    abbr: 'contoso',
    role: 'owner',
    types: ['exchange', 'onedrive', 'sharepoint', 'teams'],
    workers: [aWorker()],
    ...given,
  };
}

export function aChoice(given: Partial<ChosenWorker> = {}): ChosenWorker {
  const client = aClient();
  return {
    userId: sampleIds.user,
    clientId: client.clientId,
    clientName: client.name,
    abbr: client.abbr,
    role: client.role,
    types: client.types,
    worker: aWorker(),
    productionTenantId: sampleIds.tenant,
    ...given,
  };
}

const backedUp = { enabled: true, protectNewResources: true };

/** The settings of a tenant, with the version by which they are saved. */
export function aConfiguration(
  given: Partial<BackupConfig & { readonly version: number }> = {},
): BackupConfig & { readonly version: number } {
  return {
    tenantId: sampleIds.tenant,
    tenantName: 'Contoso',
    settings: {
      exchange: { ...backedUp, includeRecoverableItems: true },
      onedrive: { ...backedUp, versions: 10 },
      sharepoint: { ...backedUp, includePermissions: true, versions: 10 },
      teams: { ...backedUp, includeChats: true, includePrivateChannels: true },
      excludedFolders: [],
    },
    connection: null,
    users: 25,
    groups: 3,
    usersSynchronisedAt: null,
    version: 1,
    ...given,
  };
}

export function aTenant(given: Partial<Tenant> = {}): Tenant {
  return {
    tenantId: sampleIds.tenant,
    organisationId: sampleIds.organisation,
    name: 'Contoso',
    displayName: 'Contoso Ltd',
    status: 'provisioned',
    active: true,
    clientId: '11111111-1111-4111-8111-111111111111',
    microsoftTenantId: '22222222-2222-4222-8222-222222222222',
    objectId: '',
    appId: '',
    redirectUri: '',
    credential: 'secret',
    clientSecretSet: true,
    certificateSet: false,
    thumbprintEnd: null,
    credentialExpiresAt: null,
    lastCheckedAt: now,
    lastError: null,
    microsoft: { state: 'reachable', code: null, at: now },
    taskId: null,
    version: 1,
    createdAt: now,
    ...given,
  };
}

type JobOf<Type extends Job['type']> = Extract<Job, { type: Type }>;

export function aJob(given: Partial<JobOf<'backup'>> = {}): JobOf<'backup'> {
  return {
    jobId: sampleIds.job,
    name: 'Mail every night',
    type: 'backup',
    workload: 'exchange',
    source: jobSource.parse({ everyone: true }),
    sourceCount: null,
    locationId: sampleIds.location,
    locationName: 'Vault on this machine',
    schedule: { mode: 'daily', time: '22:00', timeZone: 'Europe/Berlin' },
    creator: 'admin@contoso.example',
    createdAt: now,
    lastRun: { runId: sampleIds.run, status: 'successful', startedAt: '2026-11-20T21:00:00.000Z', endedAt: '2026-11-20T21:12:00.000Z' },
    lastResults: ['successful', 'failed', 'defective', 'successful'],
    nextRun: '2026-11-21T21:00:00.000Z',
    status: 'successful',
    progress: 0,
    stage: '',
    processed: 0,
    errors: 0,
    restorePoints: 60,
    approval: 'notNeeded',
    version: 3,
    ...given,
  };
}

export function aDeletionJob(given: Partial<JobOf<'deletion'>> = {}): JobOf<'deletion'> {
  return { ...aJob(), type: 'deletion', retention: { mode: 'all' }, ...given };
}

export function aRestoreJob(given: Partial<JobOf<'restore'>> = {}): JobOf<'restore'> {
  const { source: _source, sourceCount: _sourceCount, ...job } = aJob();
  const restore = restoreSettings.parse({ sourceId: sampleIds.source, items: 'all', target: { kind: 'original' } });
  return { ...job, type: 'restore', restore, ...given };
}

export function aLocation(given: Partial<Location> = {}): Location {
  return {
    locationId: sampleIds.location,
    name: 'Vault on this machine',
    kind: 'filesystem',
    use: 'both',
    path: '/var/lib/holdfast/vaults',
    endpoint: null,
    region: null,
    bucket: null,
    prefix: null,
    forcePathStyle: false,
    keysSet: false,
    immutability: { mode: 'none', days: 0 },
    retainDays: 0,
    pendingRetainDays: null,
    inUse: true,
    restorePoints: 60,
    lastTest: null,
    version: 1,
    createdAt: now,
    ...given,
  };
}

export function aRun(given: Partial<Run> = {}): Run {
  return {
    reportId: sampleIds.run,
    reportNumber: 7,
    jobId: sampleIds.job,
    jobName: 'Mail every night',
    type: 'backup',
    workload: 'exchange',
    status: 'successful',
    trigger: 'schedule',
    startedBy: null,
    stage: 'finished',
    waiting: null,
    progress: 100,
    processed: 1_204,
    total: 1_204,
    bytes: 52_428_800,
    itemsPerSecond: 0,
    bytesPerSecond: 0,
    remainingSeconds: null,
    errors: 0,
    excluded: 0,
    accounts: 25,
    queuedAt: '2026-11-20T21:00:00.000Z',
    startedAt: '2026-11-20T21:00:01.000Z',
    endedAt: '2026-11-20T21:12:00.000Z',
    code: null,
    restore: null,
    ...given,
  };
}

export function aRunDetails(given: Partial<RunDetails> = {}): RunDetails {
  return {
    ...aRun(),
    stages: [{ stage: 'reading', startedAt: '2026-11-20T21:00:01.000Z', endedAt: '2026-11-20T21:12:00.000Z' }],
    waited: { microsoft: 0, storage: 0, database: 0 },
    counts: { added: 12, changed: 3, removed: 1, unchanged: 1_188, gone: 0 },
    newBytes: 4_096,
    storedBytes: 2_048,
    worker: 'Worker 1',
    download: false,
    ...given,
  };
}

/** A mailbox that the location holds. */
export function aSource(given: Partial<Source> = {}): Source {
  return {
    sourceId: sampleIds.source,
    resourceId: sampleIds.source,
    graphId: 'adele',
    name: 'Adele Vance',
    address: 'adele@contoso.example',
    kind: 'mailbox',
    workload: 'exchange',
    points: 3,
    oldestPointAt: '2026-11-01T21:00:00.000Z',
    newestPointAt: '2026-11-20T21:00:00.000Z',
    items: 1_204,
    bytes: 52_428_800,
    deletedAt: null,
    isHeld: false,
    ...given,
  };
}

export function aPoint(given: Partial<RestorePoint> = {}): RestorePoint {
  return { sequence: 1, at: '2026-11-20T21:00:00.000Z', status: 'successful', added: 2, changed: 1, removed: 0, ...given };
}

/** A message of the mailbox. */
export function aNode(given: Partial<Node> = {}): Node {
  return {
    nodeId: 'item-1',
    parentId: null,
    kind: 'message',
    isContainer: false,
    name: 'Minutes of the board',
    path: given.name ?? 'Minutes of the board',
    sizeBytes: 4_096,
    createdAt: '2026-11-01T08:00:00.000Z',
    modifiedAt: '2026-11-02T08:00:00.000Z',
    author: 'Adele Vance',
    versions: 1,
    itemCount: null,
    facts: null,
    lastSeenAt: null,
    lastSequence: null,
    ...given,
  };
}

/** A file with an earlier version. */
export function aPreview(given: Partial<Preview> = {}): Preview {
  return {
    kind: 'file',
    title: 'Budget.xlsx',
    from: null,
    to: [],
    cc: [],
    at: '2026-11-02T08:00:00.000Z',
    text: null,
    frame: null,
    gone: [],
    attachments: [],
    properties: [],
    versions: [
      { label: '2.0', at: '2026-11-02T08:00:00.000Z', sizeBytes: 4_096 },
      { label: '1.0', at: '2026-11-01T08:00:00.000Z', sizeBytes: 2_048 },
    ],
    ...given,
  };
}

/** Something that needs attention: a run that failed. */
export function anAttentionEntry(given: Partial<AttentionEntry> = {}): AttentionEntry {
  return {
    kind: 'run',
    code: 'runs.failed',
    name: 'Mail every night',
    link: '/',
    isRisk: true,
    since: '2026-11-20T21:00:00.000Z',
    jobId: sampleIds.job,
    ...given,
  };
}

/** All is well: one workload, nothing that needs attention. */
export function anOverview(given: Partial<Overview> = {}): Overview {
  return {
    workloads: [
      {
        workload: 'exchange',
        protected: 25,
        partly: 0,
        unprotected: 0,
        excluded: 2,
        runs: 30,
        successful: 30,
        defective: 0,
        failed: 0,
        items: 1_204,
        bytes: 52_428_800,
        lastRun: aRun(),
        lastSuccessAt: '2026-11-20T21:12:00.000Z',
        oldestPointAt: '2026-11-01T21:00:00.000Z',
        newestPointAt: '2026-11-20T21:12:00.000Z',
        restorePoints: 60,
        days: [{ date: '2026-11-20', successful: 1, defective: 0, failed: 0, skipped: 0, items: 12, bytes: 4_096 }],
      },
    ],
    storage: [
      { locationId: sampleIds.location, locationName: 'Vault on this machine', sourceBytes: 200, storedBytes: 50, freeBytes: 1_000 },
    ],
    attention: [],
    notProtected: { total: 0, items: [] },
    lastVerification: null,
    lastDrill: null,
    lastAuditVerification: null,
    nextRuns: [aJob()],
    recentRuns: [aRun()],
    setUp: { tenantConnected: true, locationAdded: true, firstBackup: true },
    ...given,
  };
}

/** One page that holds everything. */
export function onePage<Item>(items: Item[]): { items: Item[]; nextCursor: string | null; total: number } {
  return { items, nextCursor: null, total: items.length };
}
