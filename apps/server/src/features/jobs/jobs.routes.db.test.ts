import type { Job } from '@holdfast/contract/jobs';
import type { Location } from '@holdfast/contract/locations';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aResource, aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;
let folder: string;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let jobs: string;
let tenantId: string;
let locationId: string;

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: Job & {
    readonly code?: string;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
    readonly items: readonly Job[];
  };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-jobs-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const here = await server.owner();
  owner = here;
  tenantId = testIds.uuid();
  await testing.database.within({ organisationId: here.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId }))
      .execute(),
  );
  jobs = `/apollo/api/${tenantId}/jobs`;
  const place = { kind: 'filesystem', name: 'Store', path: path.join(folder, tenantId), retainDays: 30 };
  const location = await server.send(`/apollo/api/${tenantId}/locations`, { body: place, token: owner.tokens.main });
  ({ locationId } = (await location.json()) as Location);
});

async function ask(to: string, options: { method?: string; body?: unknown; headers?: Record<string, string> } = {}): Promise<Answer> {
  const answer = await server.send(to, { ...options, token: owner.tokens.main });
  const text = await answer.text();
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] };
}

/** The code of a refusal, and the fields that it names. */
async function refusal(to: string, method: string, body: unknown): Promise<unknown[]> {
  const answer = await ask(to, { method, body });
  return [answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})];
}

function aBackup(changes: Record<string, unknown> = {}) {
  const schedule = { mode: 'disabled' };
  return { type: 'backup', name: 'Mail every night', workload: 'exchange', source: { everyone: true }, locationId, schedule, ...changes };
}

/** A mailbox with one restore point, by the id of its source. */
async function aSource(): Promise<string> {
  const { database } = testing;
  const scope = { organisationId: owner.organisationId, realm: 'production' } as const;
  const resourceId = await aResource(database, { scope, tenantId, locationId });
  const point = { sequence: 1, hash: 'h', runId: testIds.uuid(), committedAt: new Date().toISOString(), point: true, cursor: '' };
  const nothing = { put: [], removed: [], newBytes: 0, storedBytes: 0 };
  await createCatalog({ database, scope, locationId, ids: testIds }).apply({ resourceId, ...point, ...nothing });
  const [source] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [resourceId]);
  return String(source?.['source_id']);
}

function aRestore(sourceId: string, target: Record<string, unknown> = { kind: 'original' }, reason = '') {
  const restore = { sourceId, items: 'all', target, reason };
  return { type: 'restore', name: 'Give it to Ada', workload: 'exchange', locationId, schedule: { mode: 'disabled' }, restore };
}

const dated = (date: string) => ({ mode: 'date', date, time: '09:30', timeZone: 'Europe/Berlin' });

test('a job that can not be saved says which field is wrong, wherever it is sent, and nothing is written', async () => {
  const saved = await ask(jobs, { body: aBackup() });
  expect(saved.status).toBe(201);
  const own = `${jobs}/${saved.body.jobId}`;
  const wrong = [
    [aBackup({ schedule: { mode: 'daily', time: '09:30', timeZone: 'Europe/Nowhere' } }), 'jobs.time-zone-unknown', 'schedule.timeZone'],
    [aBackup({ schedule: dated('2020-02-29') }), 'jobs.date-in-past', 'schedule.date'],
  ] as const;
  for (const [body, code, field] of wrong) {
    for (const [to, method] of [
      [jobs, 'POST'],
      [`${jobs}/preview`, 'POST'],
      [own, 'PUT'],
    ] as const) {
      expect(await refusal(to, method, { ...body, name: 'Another' })).toEqual([400, code, [field]]);
    }
  }
  expect(await refusal(jobs, 'POST', aBackup({ name: 'mail EVERY night' }))).toEqual([409, 'jobs.name-taken', ['name']]);
  expect(await refusal(jobs, 'POST', aBackup({ name: 'Another', locationId: testIds.uuid() }))).toEqual([
    400,
    'jobs.location-unknown',
    ['locationId'],
  ]);
  expect((await ask(`${jobs}/preview`, { body: aBackup({ locationId: testIds.uuid() }) })).body.code).toBe('jobs.location-unknown');
  expect(await refusal(own, 'PUT', { ...aBackup(), type: 'verify', budgetPercent: 5 })).toEqual([409, 'jobs.type-fixed', ['type']]);
  expect((await ask(jobs)).body.items).toEqual([saved.body]);
});

/** Another location of the tenant, for this use alone. */
async function aLocationFor(use: Location['use']): Promise<string> {
  const place = { kind: 'filesystem', name: `For ${use}`, path: path.join(folder, `${tenantId}-${use}`), use };
  const answer = await server.send(`/apollo/api/${tenantId}/locations`, { body: place, token: owner.tokens.main });
  return ((await answer.json()) as Location).locationId;
}

test('a backup goes to locations for backups alone, wherever it is sent; a saved job keeps the one that was its own', async () => {
  const forArchives = await aLocationFor('archive');
  const { body: saved } = await ask(jobs, { body: aBackup() });
  const own = `${jobs}/${saved.jobId}`;
  for (const [to, method] of [
    [jobs, 'POST'],
    [`${jobs}/preview`, 'POST'],
    [own, 'PUT'],
  ] as const) {
    const body = aBackup({ name: 'Elsewhere', locationId: forArchives });
    expect(await refusal(to, method, body)).toEqual([400, 'jobs.location-use', ['locationId']]);
  }
  expect((await ask(jobs)).body.items).toEqual([saved]);
  expect((await ask(own, { method: 'PUT', body: aBackup({ locationId: await aLocationFor('backup') }) })).status).toBe(200);
  await testing.asSuperuser(`update locations set use = 'archive' where tenant_id = $1`, [tenantId]);
  const { locationId: kept } = (await ask(own)).body as { locationId?: string };
  expect((await ask(own, { method: 'PUT', body: aBackup({ name: 'Renamed', locationId: kept }) })).status).toBe(200);
  const verify = { type: 'verify', name: 'Verify it', workload: 'exchange', locationId: kept, schedule: { mode: 'disabled' } };
  expect((await ask(jobs, { body: verify })).status, 'what stores nothing new goes anywhere').toBe(201);
});

test('an archive goes to locations for archives or for both, and is of mail', async () => {
  const anArchive = (changes: object) => aBackup({ type: 'archive', ...changes });
  const forBackups = await aLocationFor('backup');
  for (const to of [jobs, `${jobs}/preview`])
    expect(await refusal(to, 'POST', anArchive({ locationId: forBackups }))).toEqual([400, 'jobs.location-use', ['locationId']]);
  const locationId = await aLocationFor('both');
  expect(await refusal(jobs, 'POST', anArchive({ locationId, workload: 'teams' }))).toEqual([400, 'request.invalid', ['workload']]);
  expect((await ask(jobs)).body.items).toEqual([]);
  const exempt = [{ id: 'council', name: 'Works council', address: 'council@contoso.com' }];
  const made = await ask(jobs, { body: anArchive({ locationId, exempt }) });
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ type: 'archive', exempt })]);
  expect((await ask(jobs, { body: anArchive({ name: 'Other', locationId: await aLocationFor('archive') }) })).status).toBe(201);
});

test('an upgrade gives what was called an archive job the name of what it does, and its runs too', async () => {
  const { body: saved } = await ask(jobs, { body: aBackup({ schedule: { mode: 'afterCreation' } }) });
  for (const table of ['jobs', 'runs']) {
    const asArchive = `update ${table} set type = 'archive', body = body || '{"type": "archive"}' where job_id = $1`;
    await testing.asSuperuser(asArchive, [saved.jobId]);
  }
  const file = path.join(import.meta.dirname, '../../../../../packages/database/migrations/0136-archive-jobs-are-backups.sql');
  for (const statement of (await readFile(file, 'utf8')).split(';').filter((part) => part.trim() !== '')) {
    await testing.asSuperuser(statement);
  }
  for (const table of ['jobs', 'runs']) {
    const rows = await testing.asSuperuser(`select type, body ->> 'type' as body from ${table} where job_id = $1`, [saved.jobId]);
    expect(rows, table).toEqual([{ type: 'backup', body: 'backup' }]);
  }
  expect((await ask(`${jobs}/${saved.jobId}`)).body).toMatchObject({ type: 'backup', source: { everyone: true } });
});

test('a restore to another place has a reason, when it is made, looked at beforehand, and changed', async () => {
  const elsewhere = { kind: 'elsewhere', graphId: 'ada', name: 'Ada' };
  const sourceId = await aSource();
  const { body: kept } = await ask(jobs, { body: aRestore(sourceId) });
  for (const [to, method] of [
    [jobs, 'POST'],
    [`${jobs}/preview`, 'POST'],
    [`${jobs}/${kept.jobId}`, 'PUT'],
  ] as const) {
    expect(await refusal(to, method, aRestore(sourceId, elsewhere))).toEqual([400, 'restore.reason-required', ['restore.reason']]);
  }
  const changed = await ask(`${jobs}/${kept.jobId}`, { method: 'PUT', body: aRestore(sourceId, elsewhere, 'She is on leave') });
  expect([changed.status, changed.body]).toMatchObject([200, { type: 'restore', restore: { reason: 'She is on leave' } }]);
});

test('a restore of what is not there is refused at its field, when it is made, looked at beforehand, and changed', async () => {
  const sourceId = await aSource();
  const { body: kept } = await ask(jobs, { body: aRestore(sourceId) });
  const own = `${jobs}/${kept.jobId}`;
  const pointed = aRestore(sourceId);
  const wrong = [
    [aRestore(testIds.uuid()), 'restore.source-unknown', 'restore.sourceId'],
    [{ ...aRestore(sourceId), workload: 'onedrive' }, 'restore.source-unknown', 'restore.sourceId'],
    [{ ...pointed, restore: { ...pointed.restore, sequence: 2 } }, 'restore.point-unknown', 'restore.sequence'],
  ] as const;
  for (const [body, code, field] of wrong) {
    for (const [to, method] of [
      [jobs, 'POST'],
      [`${jobs}/preview`, 'POST'],
      [own, 'PUT'],
    ] as const) {
      expect(await refusal(to, method, { ...body, name: 'Another' })).toEqual([404, code, [field]]);
    }
  }
  expect((await ask(jobs)).body.items).toEqual([kept]);
  // What is gone since does not keep the job from another name.
  await testing.asSuperuser('delete from catalog_sources where source_id = $1', [sourceId]);
  expect((await ask(own, { method: 'PUT', body: { ...aRestore(sourceId), name: 'Given back' } })).status).toBe(200);
});

test('a job that was saved with a day of the week twice has it once', async () => {
  const weekly = { mode: 'weekly', time: '09:30', timeZone: 'Europe/Berlin', weekdays: [1, 5] };
  const { body: saved } = await ask(jobs, { body: aBackup({ schedule: weekly }) });
  await testing.asSuperuser(`update jobs set body = jsonb_set(body::jsonb, '{schedule,weekdays}', '[1, 5, 1]') where job_id = $1`, [
    saved.jobId,
  ]);
  expect((await ask(jobs)).body.items).toMatchObject([{ schedule: weekly }]);
  expect(await refusal(jobs, 'POST', aBackup({ name: 'Twice', schedule: { ...weekly, weekdays: [1, 1] } }))).toEqual([
    400,
    'request.invalid',
    ['schedule.weekdays'],
  ]);
});

test('a job whose date has passed can still be renamed, but not be given another date that has', async () => {
  const { body: saved } = await ask(jobs, { body: aBackup({ schedule: dated('2999-01-01') }) });
  await testing.asSuperuser(`update jobs set body = jsonb_set(body::jsonb, '{schedule,date}', '"2020-01-01"') where job_id = $1`, [
    saved.jobId,
  ]);
  const own = `${jobs}/${saved.jobId}`;
  const renamed = await ask(own, { method: 'PUT', body: aBackup({ name: 'Once', schedule: dated('2020-01-01') }) });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Once']);
  expect(await refusal(own, 'PUT', aBackup({ schedule: dated('2020-01-02') }))).toEqual([400, 'jobs.date-in-past', ['schedule.date']]);
});

test('a job runs once at a time, is not removed meanwhile, and stops only while it runs', async () => {
  const { body: saved } = await ask(jobs, { body: aBackup() });
  const own = `${jobs}/${saved.jobId}`;
  expect(await refusal(`${own}/stop`, 'POST', undefined)).toEqual([409, 'jobs.not-running', []]);
  expect((await ask(`${own}/start`, { method: 'POST' })).status).toBe(202);
  expect(await refusal(`${own}/start`, 'POST', undefined)).toEqual([409, 'jobs.already-running', []]);
  expect(await refusal(own, 'DELETE', undefined)).toEqual([409, 'jobs.already-running', []]);
  expect((await ask(`${own}/stop`, { method: 'POST' })).status).toBe(202);
});

test('who changes what somebody else has changed meanwhile is told so, and changes nothing', async () => {
  const { body: saved } = await ask(jobs, { body: aBackup() });
  const own = `${jobs}/${saved.jobId}`;
  const { etag } = await ask(own);
  const headers = { 'if-match': etag };
  expect((await ask(own, { method: 'PUT', body: aBackup({ name: 'First' }), headers })).status).toBe(200);
  const late = await ask(own, { method: 'PUT', body: aBackup({ name: 'Second' }), headers });
  expect([late.status, late.body.code]).toEqual([412, 'request.precondition-failed']);
  expect((await ask(own)).body.name).toBe('First');
});

test('a disabled job that has run is disabled, and found as such; while it runs it is running', async () => {
  const { body } = await ask(jobs, { body: aBackup({ name: 'Switched off' }) });
  await ask(`${jobs}/${body.jobId}/start`, { method: 'POST' });
  const statusOf = async () => (await ask(`${jobs}/${body.jobId}`)).body.status;
  expect(await statusOf()).toBe('pending');
  await testing.asSuperuser("update runs set status = 'successful', ended_at = now() where job_id = $1", [body.jobId]);
  expect(await statusOf()).toBe('disabled');
  const found = async (status: string) => JSON.stringify((await ask(`${jobs}?type=backup&status=${status}`)).body.items);
  expect(await found('disabled')).toContain(body.jobId);
  expect(await found('successful')).not.toContain(body.jobId);
});

test('restore jobs are listed', async () => {
  const saved = await ask(jobs, { body: { ...aRestore(await aSource()), name: 'Given back to Ada' } });
  const listed = (await ask(`${jobs}?type=restore&search=Given back to Ada`)).body.items;
  expect(listed).toEqual([saved.body]);
});

test('jobs and runs of several kinds are listed together, without those of others, and an unknown kind is refused', async () => {
  const atOnce = { schedule: { mode: 'afterCreation' } };
  await ask(jobs, { body: aBackup(atOnce) });
  await ask(jobs, { body: { ...aRestore(await aSource()), ...atOnce } });
  await ask(jobs, { body: { type: 'verify', name: 'Read all of it', workload: 'exchange', locationId, ...atOnce } });
  for (const list of [jobs, `/apollo/api/${tenantId}/monitoring`]) {
    const kinds = async (asked: string) => (await ask(`${list}?type=${asked}`)).body.items.map(({ type }) => type).sort();
    expect(await kinds('backup,restore'), list).toEqual(['backup', 'restore']);
    expect(await kinds('verify,restore,drill'), list).toEqual(['restore', 'verify']);
    expect(await kinds('drill'), list).toEqual([]);
    expect(await refusal(`${list}?type=backup,none`, 'GET', undefined), list).toEqual([400, 'request.invalid', ['type']]);
  }
});

test('a restore to somebody else says in the audit log and in its run what, to whom and why', async () => {
  const sourceId = await aSource();
  const elsewhere = { kind: 'elsewhere', graphId: 'g', name: 'Ada Lovelace', folder: 'From Adele' };
  const restore = { ...aRestore(sourceId, elsewhere, 'She is on leave'), schedule: { mode: 'afterCreation' } };
  const made = await ask(jobs, { body: { ...restore, restore: { ...restore.restore, sourceName: 'Adele Vance' } } });
  expect(made.status).toBe(201);
  const facts = { source: 'Adele Vance', target: 'elsewhere', recipient: 'Ada Lovelace: From Adele' };
  const answer = await server.send(`/apollo/api/${tenantId}/audit?event=jobs.created`, { token: owner.tokens.main });
  const { items } = (await answer.json()) as { items: readonly object[] };
  expect(items[0]).toMatchObject({ reason: 'She is on leave', details: { type: 'restore', ...facts } });
  const runs = await server.send(`/apollo/api/${tenantId}/monitoring`, { token: owner.tokens.main });
  expect(((await runs.json()) as { items: readonly object[] }).items[0]).toMatchObject({
    restore: { ...facts, reason: 'She is on leave' },
  });
});
