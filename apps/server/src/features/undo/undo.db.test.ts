import type { Source } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import type { ResponseOf } from '@holdfast/contract/route';
import type { restore } from '@holdfast/contract/restore';
import type { UndoPlan } from '@holdfast/contract/undo';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createHttpsClient, type HttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type RunRow, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Restores that are taken back, over HTTP and in the simulated Microsoft 365. */
const testing = testDatabase(import.meta.url);
const subject = 'Quicksand offer';
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let graph: HttpsClient;
let source: Source;
let messageId = '';

interface Message {
  readonly id: string;
  readonly subject: string;
  readonly isRead: boolean;
}

async function listed<One>(to: string): Promise<readonly One[]> {
  return (await graph.send('GET', to)).json['value'] as readonly One[];
}

const inbox = async (): Promise<readonly Message[]> =>
  (await listed<Message>(`/users/${source.graphId}/mailFolders/inbox/messages?$top=200`)).filter((one) => one.subject === subject);

const folders = async (): Promise<readonly string[]> =>
  (await listed<{ displayName: string }>(`/users/${source.graphId}/mailFolders?$top=200`)).map(({ displayName }) => displayName);

const backUp = async (): Promise<void> => {
  const mailboxes = await testing.asSuperuser("select job_id from jobs where type = 'backup'");
  expect((await tenant.finish(String(mailboxes[0]?.['job_id']))).status).toBe('successful');
};

/** The message in the inbox as the newest backup calls it; deleted copies are backed up as well. */
async function itemKey(): Promise<string> {
  const [row] = await testing.asSuperuser(
    `select item.item_key from catalog_items item join catalog_items folder on folder.source_id = item.source_id and folder.item_key = item.parent_key
     where item.source_id = $1 and item.name = $2 and item.kind = 'message' and folder.name in ('Inbox', 'Posteingang')
     order by item.to_point desc, item.from_point desc limit 1`,
    [source.sourceId, subject],
  );
  return String(row?.['item_key']);
}

let restores = 0;

/** Restores the message and answers the run. */
async function restored(settings: object = {}): Promise<RunRow> {
  restores += 1;
  const asked = { sourceId: source.sourceId, sourceName: source.name, items: [await itemKey()], target: { kind: 'original' }, ...settings };
  return tenant.finish(await tenant.job({ type: 'restore', name: `Restore ${restores}`, restore: asked }));
}

const planOf = ({ run_id: runId }: RunRow): Promise<UndoPlan> => tenant.call(`${tenant.tenantId}/monitoring/${runId}/undo`);

const asked = (runId: string, body: object, person: SignedIn = owner): Promise<Response> =>
  running.server.send(`/apollo/api/${tenant.tenantId}/monitoring/${runId}/undo`, { token: person.tokens.main, body });

/** Undoes the restore of a run, and answers the run that did with what became of each item. */
async function undone({ run_id: runId }: RunRow) {
  const { reportId } = await tenant.call<{ reportId: string }>(`${tenant.tenantId}/monitoring/${runId}/undo`, { reason: 'The wrong day' });
  const run = await tenant.ended(reportId);
  const { items } = await tenant.call<ResponseOf<typeof restore.report>>(`${tenant.tenantId}/monitoring/${reportId}/items?limit=200`);
  return { run, lines: items.map(({ kind, outcome, code }) => [kind, outcome, code]) };
}

async function refusal(runId: string): Promise<readonly unknown[]> {
  const before = await testing.asSuperuser("select run_id from runs where type = 'undo'");
  const answer = await asked(runId, { reason: 'The wrong day' });
  expect(await testing.asSuperuser("select run_id from runs where type = 'undo'")).toEqual(before);
  return [answer.status, ((await answer.json()) as { code: string }).code];
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  graph = await createHttpsClient(simulator);
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source: everyone }));
  const { items } = await tenant.call<Page<Source>>(`${tenant.tenantId}/discovery/${tenant.locationId}/sources?workload=exchange`);
  for (const one of items.filter(({ kind }) => kind === 'mailbox')) {
    const body = JSON.stringify({ subject, body: { contentType: 'text', content: 'Sand' }, isRead: false });
    const made = await graph.send('POST', `/users/${one.graphId}/mailFolders/inbox/messages`, { body });
    if (made.status !== 201) continue;
    source = one;
    messageId = String(made.json['id']);
    break;
  }
  await backUp();
}, 180_000);
afterAll(async () => {
  graph.close();
  await running.close();
});

test('a restored message is removed again with its folder, once, for a reason that the audit log keeps', async () => {
  const run = await restored({ target: { kind: 'folder', folder: 'Brought back' } });
  expect(run.status).toBe('successful');
  expect(await folders()).toContain('Brought back');
  const before = await inbox();
  const plan = await planOf(run);
  expect(plan).toMatchObject({ refusal: null, toPutBack: 0, notKept: 0, stays: 0, last: null });
  expect(plan.toRemove).toBeGreaterThan(1);
  const without = await asked(run.run_id, { reason: ' ' });
  expect([without.status, Object.keys(((await without.json()) as { errors: object }).errors)]).toEqual([400, ['reason']]);

  const first = await undone(run);
  expect([first.run.status, first.run.removed]).toEqual(['successful', plan.toRemove]);
  expect(first.lines).toContainEqual(['message', 'removed', null]);
  expect(await folders()).not.toContain('Brought back');
  expect(await inbox()).toEqual(before);
  const [entry] = await testing.asSuperuser(
    `select payload::jsonb as payload from audit_events where event = 'restores.undone'
     union all select payload::jsonb from audit_inbox where event = 'restores.undone'`,
  );
  expect(entry?.['payload']).toMatchObject({ reason: 'The wrong day', actor: owner.email, details: { reportId: first.run.run_id } });

  const second = await undone(run);
  expect([second.run.status, second.run.removed]).toEqual(['successful', 0]);
  expect(second.lines.every(([, outcome]) => outcome === 'skipped')).toBe(true);
  expect((await planOf(run)).last?.reportId).toBe(second.run.run_id);
}, 120_000);

test('what a restore replaced comes back from the backup before it, and what somebody has changed since stays', async () => {
  await graph.send('PATCH', `/users/${source.graphId}/messages/${messageId}`, { body: JSON.stringify({ isRead: true }) });
  const first = await testing.asSuperuser('select max(sequence)::int as sequence from catalog_points where source_id = $1', [
    source.sourceId,
  ]);
  await backUp();
  const replacing = { sequence: first[0]?.['sequence'], collisions: 'replace' };
  const run = await restored(replacing);
  expect((await inbox()).map(({ isRead }) => isRead)).toEqual([false]);
  expect(await planOf(run)).toMatchObject({ refusal: null, toRemove: 0, toPutBack: 1, notKept: 0 });
  expect((await undone(run)).lines).toEqual([['message', 'putBack', null]]);
  const back = await inbox();
  expect(back.map(({ isRead }) => isRead)).toEqual([true]);

  await backUp();
  messageId = back[0]?.id ?? '';
  await graph.send('DELETE', `/users/${source.graphId}/messages/${messageId}`);
  const again = await restored();
  const [copy] = await inbox();
  await graph.send('PATCH', `/users/${source.graphId}/messages/${copy?.id ?? ''}`, { body: JSON.stringify({ isRead: false }) });
  expect((await undone(again)).lines).toEqual([['message', 'skipped', 'undo.changed']]);
  expect((await inbox()).map(({ id, isRead }) => [id, isRead])).toEqual([[copy?.id, false]]);
}, 120_000);

test('a restore is not undone after 30 days, while it is being undone, without notes, and when it wrote nothing', async () => {
  const run = await restored({ target: { kind: 'folder', folder: 'Too late' } });
  await testing.asSuperuser("update runs set ended_at = now() - interval '30 days 1 minute' where run_id = $1", [run.run_id]);
  expect((await planOf(run)).refusal).toBe('undo.too-late');
  expect(await refusal(run.run_id)).toEqual([409, 'undo.too-late']);
  await testing.asSuperuser('update runs set ended_at = now() where run_id = $1', [run.run_id]);
  const { run: undoing } = await undone(run);
  await testing.asSuperuser("update runs set status = 'running' where run_id = $1", [undoing.run_id]);
  expect(await refusal(run.run_id)).toEqual([409, 'undo.under-way']);
  await testing.asSuperuser("update runs set status = 'successful' where run_id = $1", [undoing.run_id]);
  await testing.asSuperuser('delete from restored_things where run_id = $1', [run.run_id]);
  expect(await refusal(run.run_id)).toEqual([409, 'undo.nothing-noted']);
  const download = await restored({ target: { kind: 'download', format: 'eml' }, reason: 'They asked for it.' });
  expect(await refusal(download.run_id)).toEqual([409, 'undo.not-a-restore']);
  const [backup] = await testing.asSuperuser("select run_id from runs where type = 'backup' limit 1");
  expect(await refusal(String(backup?.['run_id']))).toEqual([404, 'not-found']);
}, 120_000);

test('nobody undoes a restore who may not restore', async () => {
  const run = await restored({ target: { kind: 'folder', folder: 'Not theirs' } });
  const auditor = await running.server.member(owner.organisationId, 'auditor');
  expect((await asked(run.run_id, { reason: 'The wrong day' }, auditor)).status).toBe(403);
  expect(await folders()).toContain('Not theirs');
}, 60_000);
