import type { Approval } from '@holdfast/contract/approvals';
import type { Job } from '@holdfast/contract/jobs';
import type { Location } from '@holdfast/contract/locations';
import type { OrganisationId } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '@holdfast/foundation/logger';
import type { Clock } from '@holdfast/foundation/clock';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createApproverReader } from '../organisations/index.ts';
import { createApprovals, type Approvals } from './approvals.service.ts';
import { createApprovalsStore } from './approvals.store.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;
let folder: string;

interface Place {
  readonly organisationId: OrganisationId;
  readonly tenantId: string;
  readonly owner: SignedIn;
  readonly location: Location;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-approvals-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask<T>(
  who: SignedIn,
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<{ status: number; body: T & { code?: string } }> {
  const answer = await server.send(path, { ...options, token: who.tokens.main });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

async function aPlace(): Promise<Place> {
  const owner = await server.owner();
  const { organisationId } = owner;
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId }))
      .execute(),
  );
  const place = path.join(folder, tenantId);
  const body = { kind: 'filesystem', name: 'Store', path: place, retainDays: 30 };
  const { body: location, status } = await ask<Location>(owner, `/apollo/api/${tenantId}/locations`, { body });
  expect(status).toBe(201);
  return { organisationId, tenantId, owner, location };
}

function deletionJob(place: Place, changes: Record<string, unknown> = {}) {
  return {
    type: 'deletion',
    name: 'Tidy up',
    workload: 'exchange',
    source: { everyone: true },
    locationId: place.location.locationId,
    retention: { mode: 'days', days: 30 },
    schedule: { mode: 'disabled' },
    ...changes,
  };
}

async function events(place: Place): Promise<{ event: string; mode: unknown }[]> {
  const { body } = await ask<{ items: { event: string; details: Record<string, unknown> }[] }>(
    place.owner,
    `/apollo/api/${place.tenantId}/audit?event=approvals&sort=sequence`,
  );
  return body.items.map(({ event, details }) => ({ event, mode: details['mode'] }));
}

const approvalsOf = async (place: Place, who = place.owner) =>
  (await ask<{ items: Approval[]; secondPersons: string[] }>(who, `/apollo/api/${place.tenantId}/approvals`)).body;
const act = (place: Place, who: SignedIn, id: string, verb: string) =>
  ask<Approval>(who, `/apollo/api/${place.tenantId}/approvals/${id}/${verb}`, { method: 'POST' });

test('a deletion job runs only after a second person has approved it, and anew after every change of what it deletes', async () => {
  const place = await aPlace();
  const second = await server.member(place.organisationId, 'administrator');
  const jobs = `/apollo/api/${place.tenantId}/jobs`;
  const { body: job } = await ask<Job>(place.owner, jobs, { body: deletionJob(place) });
  expect(job.approval).toBe('waiting');
  const refused = await ask(place.owner, `${jobs}/${job.jobId}/start`, { method: 'POST' });
  expect([refused.status, refused.body.code]).toEqual([409, 'jobs.approval-needed']);

  const seen = await approvalsOf(place);
  expect(seen.secondPersons).toEqual([second.email]);
  const [request] = seen.items;
  expect(request).toMatchObject({
    kind: 'deletionJob',
    mayApprove: false,
    mayRefuse: false,
    mayDelay: false,
    mayWithdraw: true,
    waitsFor: [second.email],
  });
  const id = request?.approvalId ?? '';
  expect(await act(place, place.owner, id, 'approve')).toMatchObject({ status: 403, body: { code: 'approvals.second-person-needed' } });
  expect(await act(place, place.owner, id, 'delay')).toMatchObject({ status: 409, body: { code: 'approvals.second-person-exists' } });
  expect(await act(place, second, id, 'withdraw')).toMatchObject({ status: 403, body: { code: 'approvals.not-yours' } });
  expect(await act(place, second, id, 'approve')).toMatchObject({
    status: 200,
    body: { status: 'approved', mode: 'secondPerson', decider: second.email },
  });
  expect(await act(place, second, id, 'refuse')).toMatchObject({ status: 409, body: { code: 'approvals.not-open' } });
  expect((await ask(place.owner, `${jobs}/${job.jobId}/start`, { method: 'POST' })).status).toBe(202);

  const renamed = await ask<Job>(place.owner, `${jobs}/${job.jobId}`, {
    method: 'PUT',
    body: deletionJob(place, { name: 'Tidy up more' }),
  });
  expect(renamed.body.approval).toBe('approved');
  const changed = await ask<Job>(place.owner, `${jobs}/${job.jobId}`, {
    method: 'PUT',
    body: deletionJob(place, { retention: { mode: 'days', days: 1 } }),
  });
  expect(changed.body.approval).toBe('waiting');
  expect(await events(place)).toEqual([
    { event: 'approvals.requested', mode: null },
    { event: 'approvals.approved', mode: 'secondPerson' },
    { event: 'approvals.requested', mode: null },
  ]);
});

test('who is alone may choose the delay: owners are told, nothing happens before, all of it after, and the log says how', async () => {
  const place = await aPlace();
  const locations = `/apollo/api/${place.tenantId}/locations/${place.location.locationId}`;
  const shorter = { name: 'Store', use: 'both', immutability: { mode: 'none', days: 0 }, retainDays: 7 };
  const saved = await ask<Location>(place.owner, locations, { method: 'PUT', body: shorter });
  expect(saved.body).toMatchObject({ retainDays: 30, pendingRetainDays: 7 });
  const [request] = (await approvalsOf(place)).items;
  expect(request).toMatchObject({ kind: 'shorterRetention', mayDelay: true, waitsFor: [], details: { from: 30, to: 7 } });
  const id = request?.approvalId ?? '';
  const mailsBefore = await mails();
  const delayed = await act(place, place.owner, id, 'delay');
  expect(delayed.body).toMatchObject({ status: 'delayed', mayDelay: false });
  const waits = new Date(delayed.body.effectiveAt ?? 0).getTime() - Date.now();
  expect(waits / 3_600_000).toBeGreaterThan(23.9);
  expect(await mails()).toBe(mailsBefore + 1);
  expect((await ask<Location>(place.owner, locations)).body.retainDays).toBe(30);

  const clock = createFakeClock(Date.now() + 23 * 3_600_000);
  const applied: unknown[] = [];
  const approvals = anEngine(clock, applied);
  expect(await approvals.sweep()).toBe(0);
  await clock.advance(2 * 3_600_000);
  expect(await approvals.sweep()).toBe(1);
  expect(await approvals.sweep()).toBe(0);
  expect(applied).toEqual([{ subjectId: place.location.locationId, details: { from: 30, to: 7 } }]);
  expect((await ask<Location>(place.owner, locations)).body.pendingRetainDays).toBeNull();
  expect((await events(place)).at(-1)).toEqual({ event: 'approvals.approved', mode: 'delay' });
});

test('refused, withdrawn and superseded requests change nothing; a longer retention needs nobody', async () => {
  const place = await aPlace();
  const second = await server.member(place.organisationId, 'owner');
  const locations = `/apollo/api/${place.tenantId}/locations/${place.location.locationId}`;
  const wish = (retainDays: number) =>
    ask<Location>(place.owner, locations, {
      method: 'PUT',
      body: { name: 'Store', use: 'both', immutability: { mode: 'none', days: 0 }, retainDays },
    });
  await wish(5);
  await wish(6);
  const items = (await approvalsOf(place, second)).items;
  expect(items.map(({ status, mayApprove }) => [status, mayApprove])).toEqual([
    ['waiting', true],
    ['superseded', false],
  ]);
  expect(await act(place, second, items[1]?.approvalId ?? '', 'approve')).toMatchObject({ status: 409 });
  await act(place, second, items[0]?.approvalId ?? '', 'refuse');
  expect((await ask<Location>(place.owner, locations)).body).toMatchObject({ retainDays: 30, pendingRetainDays: null });
  await wish(5);
  expect((await wish(40)).body).toMatchObject({ retainDays: 40, pendingRetainDays: null });

  const jobs = `/apollo/api/${place.tenantId}/jobs`;
  const { body: job } = await ask<Job>(place.owner, jobs, { body: deletionJob(place) });
  const open = (await approvalsOf(place)).items.find(({ subjectId }) => subjectId === job.jobId);
  await act(place, place.owner, open?.approvalId ?? '', 'withdraw');
  expect((await ask<Job>(place.owner, `${jobs}/${job.jobId}`)).body.approval).toBe('refused');
  expect(await ask(place.owner, `${jobs}/${job.jobId}/start`, { method: 'POST' })).toMatchObject({ status: 409 });
});

test('what nobody decides within a week lapses: nothing changes, the one who asked is told, and it can be asked for again', async () => {
  const place = await aPlace();
  const second = await server.member(place.organisationId, 'owner');
  const jobs = `/apollo/api/${place.tenantId}/jobs`;
  const { body: job } = await ask<Job>(place.owner, jobs, { body: deletionJob(place) });
  const [open] = (await approvalsOf(place)).items;
  const days = (new Date(open?.lapsesAt ?? 0).getTime() - new Date(open?.requestedAt ?? 0).getTime()) / 86_400_000;
  expect(days).toBe(7);
  const age = (hours: number) =>
    testing.asSuperuser(`update approvals set requested_at = now() - interval '${hours} hours' where approval_id = '${open?.approvalId}'`);
  const told: string[] = [];
  const dropped: unknown[] = [];
  const approvals = anEngine(createFakeClock(Date.now() + 60_000), [], { told, dropped });
  await age(7 * 24 - 1);
  expect(await approvals.sweep()).toBe(0);
  expect((await approvalsOf(place)).items[0]).toMatchObject({ status: 'waiting' });
  await age(7 * 24);
  // Too late, whether or not the sweep has come by.
  expect(await act(place, second, open?.approvalId ?? '', 'approve')).toMatchObject({ status: 409, body: { code: 'approvals.not-open' } });
  expect([await approvals.sweep(), await approvals.sweep()]).toEqual([1, 0]);
  expect([told, dropped]).toEqual([[place.owner.email], [job.jobId]]);
  expect((await approvalsOf(place)).items[0]).toMatchObject({
    status: 'expired',
    lapsesAt: null,
    mayApprove: false,
    mayRefuse: false,
    mayWithdraw: false,
  });
  expect((await events(place)).map(({ event }) => event)).toEqual(['approvals.requested', 'approvals.expired']);
  await ask(place.owner, `${jobs}/${job.jobId}`, { method: 'PUT', body: deletionJob(place, { retention: { mode: 'days', days: 31 } }) });
  expect((await approvalsOf(place)).items[0]).toMatchObject({ status: 'waiting', mayWithdraw: true });
});

/** What the scheduler of another process runs, by a clock of its own. */
function anEngine(clock: Clock, applied: unknown[], seen: { told: string[]; dropped: unknown[] } = { told: [], dropped: [] }): Approvals {
  const letters = {
    asked: () => Promise.resolve(),
    delayed: () => Promise.resolve(),
    expired: async (_tx: unknown, to: readonly { readonly email: string }[]) => void seen.told.push(...to.map(({ email }) => email)),
  };
  const store = createApprovalsStore(testing.database);
  const audit = createAuditInbox({ clock, ids: testIds });
  const approvals = createApprovals({
    store,
    approvers: createApproverReader(7),
    letters,
    audit,
    clock,
    ids: testIds,
    logger: silentLogger,
  });
  approvals.on('shorterRetention', {
    apply: async (_tx, { subjectId, details }) => applied.push({ subjectId, details }) > 0,
    drop: () => Promise.resolve(),
  });
  approvals.on('deletionJob', {
    apply: () => Promise.resolve(true),
    drop: async (_tx, { subjectId }) => void seen.dropped.push(subjectId),
  });
  return approvals;
}

async function mails(): Promise<number> {
  const [row] = await testing.asSuperuser('select count(*)::int as count from mails');
  return Number(row?.['count']);
}
