import type { RunProblem } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  type SimulatedPerson,
  truthOf,
  unscheduled,
  type RunRow,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** A deletion of restore points beside an archive job over the same mailbox. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let second: SignedIn;
let person: SimulatedPerson;
let backup: string;
let archive: string;
let deletion: string;

const chosen = () => ({ ...everyone, everyone: false, users: [person] });
const deletionBody = () => ({
  type: 'deletion',
  workload: 'exchange',
  name: 'Newest alone',
  source: everyone,
  retention: { mode: 'count', count: 1 },
  locationId: tenant.locationId,
  schedule: unscheduled,
});

async function approve(jobId: string): Promise<void> {
  const approvals = `/apollo/api/${tenant.tenantId}/approvals`;
  const token = second.tokens.main;
  const { items } = (await (await running.server.send(approvals, { token })).json()) as {
    items: { approvalId: string; subjectId: string }[];
  };
  const request = items.find(({ subjectId }) => subjectId === jobId);
  expect((await running.server.send(`${approvals}/${request?.approvalId}/approve`, { method: 'POST', token })).status).toBe(200);
}

const hashOf = (mime: string): string => sha256Hex(Buffer.from(mime));

/** A mail that only points of the past have: it comes, is backed up, is purged, and the mailbox is backed up again. */
async function passing(name: string): Promise<string> {
  const mime = `From: news@proseware.example\nSubject: ${name}\nMessage-ID: <${name}@proseware.example>\n\n${name}\n`;
  act(running.simulator, 'mail.deliver', { user: person.id, folder: 'inbox', mime: Buffer.from(mime).toString('base64') });
  const there = (await truthOf(running.simulator, 'mail', person.id)).find(({ sha256 }) => sha256 === hashOf(mime));
  expect((await tenant.finish(backup)).status).toBe('successful');
  act(running.simulator, 'mail.purge', { user: person.id, id: there?.id });
  expect((await tenant.finish(backup)).status).toBe('successful');
  return hashOf(mime);
}

/** How many versions of a mail the catalog has of the mailbox or of its archive. */
async function versions(kind: 'mailbox' | 'archive', hash: string): Promise<number> {
  const [row] = await testing.asSuperuser(
    `select count(*)::int as found from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id)
     where resources.kind = $1 and graph_id = $2 and detail::text like $3`,
    [kind, person.id, `%${hash}%`],
  );
  return Number(row?.['found']);
}

async function pointCount(): Promise<number> {
  const [row] = await testing.asSuperuser(
    `select count(*)::int as found from catalog_points join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id) where kind = 'mailbox' and graph_id = $1`,
    [person.id],
  );
  return Number(row?.['found']);
}

async function problemsOf(run: RunRow): Promise<readonly RunProblem[]> {
  return (await tenant.call<Page<RunProblem>>(`${tenant.tenantId}/monitoring/${run.run_id}/problems?limit=200`)).items;
}

const preview = () =>
  tenant.call<{ pointsToDelete: number; pointsAwaited: number; awaitedBy: string[] }>(`${tenant.tenantId}/jobs/preview`, deletionBody());

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  second = await server.member(owner.organisationId, 'owner');
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [user] = peopleOf(simulator);
  if (!user) throw new Error('Nobody has a mailbox.');
  person = user;
  const options = { calendars: false, contacts: false, tasks: false };
  backup = await tenant.job({ type: 'backup', name: 'Mail', source: { ...chosen(), options } });
  await tenant.finish(backup);
  archive = await tenant.job({ type: 'archive', name: 'Archive', source: chosen() });
  deletion = await tenant.job(deletionBody());
  await approve(deletion);
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => running.close());

test('a deletion keeps what an archive job has yet to take in, names it, and lets it go afterwards', async () => {
  const before = await passing('before the first archive');
  expect(await preview()).toMatchObject({ pointsToDelete: 1, pointsAwaited: 1, awaitedBy: ['Archive'] });
  const first = await tenant.finish(deletion);
  expect(first).toMatchObject({ status: 'successful', removed: 1, result: { removed: 1, awaited: 1 } });
  expect((await problemsOf(first)).map(({ code, path: by, accountName, advice }) => [code, by, accountName, advice])).toEqual([
    ['archive.awaited', 'Archive', person.name, 'runArchiveJob'],
  ]);
  expect(await pointCount()).toBe(2);
  expect((await tenant.finish(archive)).status).toBe('successful');
  expect(await versions('archive', before)).toBe(1);

  const after = await passing('after the first archive');
  expect(await preview()).toMatchObject({ pointsToDelete: 2, pointsAwaited: 1 });
  expect(await tenant.finish(deletion)).toMatchObject({ removed: 2, result: { awaited: 1 } });
  expect((await tenant.finish(archive)).status).toBe('successful');
  expect(await versions('archive', after)).toBe(1);

  expect(await preview()).toMatchObject({ pointsToDelete: 1, pointsAwaited: 0, awaitedBy: [] });
  const last = await tenant.finish(deletion);
  expect(last).toMatchObject({ status: 'successful', removed: 1, result: { awaited: 0 } });
  expect(await problemsOf(last)).toEqual([]);
  expect([await pointCount(), await versions('mailbox', before), await versions('mailbox', after)]).toEqual([1, 0, 0]);
}, 240_000);

test('mail that only waits in the newest point keeps no older one', async () => {
  const mime = Buffer.from('Subject: still there\n\nstill there\n').toString('base64');
  act(running.simulator, 'mail.deliver', { user: person.id, folder: 'inbox', mime });
  await tenant.finish(backup);
  expect(await tenant.finish(deletion)).toMatchObject({ removed: 1, result: { awaited: 0 } });
}, 120_000);

test('a death at any step of an archive or of a deletion loses no mail that was to be archived', async () => {
  const ofArchive = ['backup.before-packs', 'backup.before-segment', 'backup.before-catalog', 'backup.after-catalog'];
  const ofDeletion = ['retention.before-forget', 'retention.before-prune'];
  for (const point of [...ofArchive, ...ofDeletion]) {
    const hash = await passing(point);
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    expect((await tenant.finish(ofArchive.includes(point) ? archive : deletion)).status, point).not.toBe('successful');
    onCrashPoint(undefined);
    expect((await tenant.finish(deletion)).status, point).toBe('successful');
    expect((await versions('mailbox', hash)) + (await versions('archive', hash)), point).toBeGreaterThan(0);
    expect((await tenant.finish(archive)).status, point).toBe('successful');
    expect(await versions('archive', hash), point).toBe(1);
  }
  const verify = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  expect(await tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}, 300_000);

test('an archive job that changes its folders waits for everything again, and one that exempts the mailbox for nothing', async () => {
  await tenant.finish(deletion);
  const hash = await passing('selection');
  await tenant.finish(archive);
  const body = { type: 'archive', workload: 'exchange', name: 'Archive', locationId: tenant.locationId, schedule: unscheduled };
  const change = (changes: object) =>
    running.server.send(`/apollo/api/${tenant.tenantId}/jobs/${archive}`, {
      method: 'PUT',
      token: owner.tokens.main,
      body: { ...body, source: chosen(), ...changes },
    });
  expect((await change({ source: { ...chosen(), excludeFolders: ['Nowhere'] } })).status).toBe(200);
  expect(await preview()).toMatchObject({ pointsToDelete: 1, pointsAwaited: 1 });
  expect((await change({ exempt: [person] })).status).toBe(200);
  expect(await preview()).toMatchObject({ pointsToDelete: 2, pointsAwaited: 0 });
  expect(await tenant.finish(deletion)).toMatchObject({ removed: 2, result: { awaited: 0 } });
  expect([await versions('mailbox', hash), await versions('archive', hash)]).toEqual([0, 1]);
}, 240_000);
