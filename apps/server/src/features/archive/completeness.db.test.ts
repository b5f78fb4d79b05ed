import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { ArchivedDay, MissingMessage } from '@holdfast/contract/archive-completeness';
import type { Page } from '@holdfast/contract/paging';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  type SimulatedPerson,
  truthOf,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';
import { testIds } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createCompleteness, type MissingNews } from './completeness.service.ts';

/** Archives beside the backups that fill them: what is taken away from either is named. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let scope: Scope;
let person: SimulatedPerson;
let backup: string;
let archive: string;
let mailboxId: string;

const chosen = () => ({ ...everyone, everyone: false, users: [person] });
const HERE = 'to_point = 9007199254740991';
const archiveSource = `(select source_id from catalog_sources join resources using (organisation_id, realm, resource_id) where kind = 'archive'
  and location_id = (select location_id from locations where name = 'Vault'))`;

function deliver(name: string, received = '2026-11-02T10:00:00Z'): string {
  const mime = `From: news@proseware.example\nSubject: ${name}\nMessage-ID: <${name}@proseware.example>\nDate: ${received}\n\n${name}\n`;
  act(running.simulator, 'mail.deliver', { user: person.id, folder: 'inbox', mime: Buffer.from(mime).toString('base64') });
  return sha256Hex(Buffer.from(mime));
}

const call = <Answer>(to: string, body?: object): Promise<Answer> =>
  tenant.call<Answer>(`${tenant.tenantId}/archive/mailboxes/${mailboxId}${to}`, body);
const compare = () => call<{ missing: number | null; comparedAt: string | null }>('/compare', {});
const days = async (query = ''): Promise<readonly ArchivedDay[]> => (await call<Page<ArchivedDay>>(`/days?limit=200${query}`)).items;
const missing = async (query = ''): Promise<readonly MissingMessage[]> =>
  (await call<Page<MissingMessage>>(`/missing?limit=200${query}`)).items;
const mailbox = () => call<ArchivedMailbox>('');

type Figure = Exclude<keyof ArchivedDay, 'date'>;
async function sum(figure: Figure): Promise<number> {
  await compare();
  return (await days()).reduce((total, day) => total + day[figure], 0);
}

/** The hashes of what the mailbox has, by day of receipt, as the simulator itself says. */
async function truthByDay(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { kind, sha256 = '', metadata } of await truthOf(running.simulator, 'mail', person.id)) {
    if (kind !== 'message') continue;
    const date = (metadata['receivedDateTime'] as string).slice(0, 10);
    found.set(date, (found.get(date) ?? new Set<string>()).add(sha256));
  }
  return found;
}

async function counted(statement: string): Promise<number> {
  return Number((await testing.asSuperuser(`select count(*)::int as found from ${statement}`))[0]?.['found']);
}
/** Those that wait for their number in the log, and those that have one. */
const alarms = () =>
  counted(`(select event from audit_inbox union all select event from audit_events) recorded where event = 'alarms.archive-incomplete'`);

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  scope = { organisationId: owner.organisationId, realm: 'production' };
  // Mails go to confirmed addresses alone.
  await testing.asSuperuser('update accounts set email_confirmed = true where id = $1', [owner.accountId]);
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [found] = peopleOf(simulator);
  if (!found) throw new Error('Nobody has a mailbox.');
  person = found;
  backup = await tenant.job({ type: 'backup', name: 'Mail', source: chosen() });
  archive = await tenant.job({ type: 'archive', name: 'Archive', source: chosen() });
  await tenant.finish(backup);
  await tenant.finish(archive);
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`);
  mailboxId = items[0]?.mailboxId ?? '';
}, 120_000);
afterAll(() => running.close());

test('nothing is said of an archive that nobody has compared yet', async () => {
  expect(await days()).toEqual([]);
  expect(await mailbox()).toMatchObject({ coverage: 'complete', missing: null, comparedAt: null });
});

test('on each day the archive has as many messages as the mailbox had, and the day is that of the receipt', async () => {
  expect(await compare()).toMatchObject({ missing: 0 });
  const truth = await truthByDay();
  expect(truth.size).toBeGreaterThan(3);
  const found = await days('&sort=date');
  expect(Object.fromEntries(found.map(({ date, inBackups }) => [date, inBackups]))).toEqual(
    Object.fromEntries([...truth].map(([date, hashes]) => [date, hashes.size])),
  );
  expect(found.map(({ date }) => date)).toEqual([...truth.keys()].sort());
  for (const day of found) expect(day).toMatchObject({ archived: day.inBackups, missing: 0, waiting: 0, withoutOriginal: 0, erased: 0 });
  expect(await days('&incomplete=true')).toEqual([]);
  expect(await mailbox()).toMatchObject({ coverage: 'complete', missing: 0 });
});

test('a message that came after the last run of the job waits, and is not missing', async () => {
  const hash = deliver('waits');
  await tenant.finish(backup);
  expect(await sum('waiting')).toBe(1);
  expect(await missing()).toEqual([]);
  await tenant.finish(archive);
  expect(await sum('waiting')).toBe(0);
  expect(await counted(`catalog_items where item_key = '${hash}' and source_id = ${archiveSource}`)).toBe(1);
  expect(await alarms()).toBe(0);
}, 60_000);

test('a message that is gone from the archive is named on its day and reported once; the next run takes it in', async () => {
  const before = (await days()).reduce((total, { archived }) => total + archived, 0);
  const [victim] = await testing.asSuperuser(
    `delete from catalog_items where ${HERE} and kind = 'message' and source_id = ${archiveSource}
       and item_key = (select min(item_key) from catalog_items where kind = 'message' and ${HERE} and source_id = ${archiveSource})
     returning item_key, to_char(modified_at at time zone 'UTC', 'YYYY-MM-DD') as day, size_bytes::int as bytes`,
  );
  const mails = await counted('mails');
  expect(await compare()).toMatchObject({ missing: 1 });
  const gap = { messageKey: victim?.['item_key'], date: victim?.['day'], reason: 'missing', sizeBytes: victim?.['bytes'] };
  expect(await missing()).toEqual([expect.objectContaining(gap)]);
  expect(await missing(`&date=${String(victim?.['day'])}`)).toHaveLength(1);
  expect(await missing('&date=1999-01-01')).toEqual([]);
  expect(await days('&incomplete=true')).toEqual([expect.objectContaining({ date: victim?.['day'], missing: 1 })]);
  expect(await mailbox()).toMatchObject({ coverage: 'partly', missing: 1 });
  await compare();
  expect(await alarms()).toBe(1);
  expect(await counted('mails')).toBe(mails + 1);
  expect(await tenant.finish(archive)).toMatchObject({ status: 'successful', added: 1 });
  expect(await compare()).toMatchObject({ missing: 0 });
  expect(await missing()).toEqual([]);
  expect(await sum('archived')).toBe(before);
  expect(await mailbox()).toMatchObject({ coverage: 'complete', missing: 0 });
  expect(await tenant.finish(archive)).toMatchObject({ added: 0, changed: 0 });
}, 60_000);

test('another message that goes while one is missing already is reported as well', async () => {
  const take = (order: 'asc' | 'desc') =>
    testing.asSuperuser(`delete from catalog_items where source_id = ${archiveSource} and ${HERE} and item_key = (select item_key from catalog_items
      where kind = 'message' and ${HERE} and source_id = ${archiveSource} order by item_key ${order} limit 1)`);
  await take('asc');
  expect(await compare()).toMatchObject({ missing: 1 });
  await take('desc');
  expect(await compare()).toMatchObject({ missing: 2 });
  expect(await alarms()).toBe(3);
  await tenant.finish(archive);
  expect(await compare()).toMatchObject({ missing: 0 });
}, 60_000);

test('a message of which a backup has no original is named by what Microsoft 365 calls it', async () => {
  const [victim] = await testing.asSuperuser(
    `update catalog_items item set detail = (detail::jsonb || '{"contents": []}')::json
     from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
     where resource.kind = 'mailbox' and source.source_id = item.source_id and item.kind = 'message' and item.${HERE}
       and item.name = 'waits' returning item.item_key, item.detail`,
  );
  expect(victim).toBeDefined();
  const had = await sum('inBackups');
  expect(await missing()).toEqual([expect.objectContaining({ messageKey: victim?.['item_key'], reason: 'withoutOriginal' })]);
  expect(await sum('withoutOriginal')).toBe(1);
  // The archive has its bytes from before: it has one message more than the backup.
  expect(await sum('archived')).toBe(had);
  await testing.asSuperuser(`delete from catalog_items where item_key = $1`, [victim?.['item_key']]);
  expect(await sum('archived')).toBe(had);
  expect(await sum('inBackups')).toBe(had - 1);
}, 60_000);

test('what was erased from the archive is told apart from what is missing', async () => {
  const hash = deliver('erased');
  await tenant.finish(backup);
  await tenant.finish(archive);
  await testing.asSuperuser(
    `insert into tombstones (organisation_id, realm, resource_id, location_id, message_id, deletion_id, size_bytes, erased_at, basis, reason,
       requester, approver, sequence, captured, segment_hash)
     select organisation_id, realm, resource_id, location_id, $1, gen_random_uuid(), 1, now(), 'b', 'r', 'a', 'b', 1, '{1}', 'h'
     from catalog_sources where source_id = ${archiveSource}`,
    [hash],
  );
  await testing.asSuperuser('delete from catalog_items where item_key = $1', [hash]);
  expect(await sum('erased')).toBe(1);
  expect(await sum('missing')).toBe(0);
}, 60_000);

test('what journaling brought and what the index has not read are counted among the archived', async () => {
  const one = `${HERE} and kind = 'message' and source_id = ${archiveSource} and item_key = (select max(item_key) from catalog_items
    where kind = 'message' and ${HERE} and source_id = ${archiveSource})`;
  await expect.poll(() => sum('notSearchable'), { timeout: 30_000 }).toBe(0);
  expect(await sum('journaled')).toBe(0);
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{properties,placements,0,source}', '"journal"')::json where ${one}`,
  );
  expect(await sum('journaled')).toBe(1);
  await testing.asSuperuser(
    `delete from search_items where source_id = ${archiveSource} and item_key = (select item_key from catalog_items where ${one})`,
  );
  expect(await sum('notSearchable')).toBe(1);
}, 60_000);

test('folders that a job leaves out and people whom it exempts are expected by nobody', async () => {
  const second = await tenant.call<{ locationId: string }>(`${tenant.tenantId}/locations`, {
    kind: 'filesystem',
    name: 'Archives',
    path: path.join(running.folder, 'archives'),
    use: 'archive',
  });
  const all = await sum('inBackups');
  const source = { ...chosen(), excludeFolders: ['Inbox'] };
  const without = await tenant.job({ type: 'archive', name: 'Without inbox', source, locationId: second.locationId });
  await tenant.finish(without);
  // The location that captured last is the one that is shown.
  const some = await sum('inBackups');
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(all);
  expect(await sum('archived')).toBe(some);
  expect(await sum('missing')).toBe(0);
  const exempt = (people: readonly object[]) =>
    testing.asSuperuser(`update jobs set body = jsonb_set(body::jsonb, '{exempt}', $1::jsonb) where name = 'Without inbox'`, [
      JSON.stringify(people),
    ]);
  await exempt([person]);
  expect(await sum('inBackups')).toBe(0);
  await exempt([]);
  expect(await sum('inBackups')).toBe(some);
}, 60_000);

test('each archive is compared once a day, again after a capture while something is missing, and one that cannot be stops no other', async () => {
  const news: MissingNews[] = [];
  const completeness = createCompleteness({
    database: testing.database,
    audit: createAuditInbox({ clock: systemClock, ids: testIds }),
    clock: systemClock,
    logger: silentLogger,
    missing: (_tx, _scope, told) => Promise.resolve(void news.push(told)),
  });
  const overdue = () => testing.asSuperuser(`update archive_mailboxes set compared_at = now() - interval '25 hours'`);
  const stale = () => counted(`archive_mailboxes where compared_at < now() - interval '24 hours'`);
  await overdue();
  expect(await stale()).toBe(2);
  await testing.asSuperuser(`update catalog_sources set head_cursor = 'unreadable' where source_id in (select source_id from archive_mailboxes)
    and source_id <> ${archiveSource}`);
  await testing.asSuperuser(`delete from catalog_items where source_id = ${archiveSource} and ${HERE} and item_key = (select item_key from catalog_items
    where kind = 'message' and ${HERE} and source_id = ${archiveSource} order by item_key limit 1)`);
  await completeness.compareDue(scope);
  expect(await stale()).toBe(1);
  expect(news).toEqual([{ mailboxes: [person.name], missing: 1, notJournaled: 0, notCaptured: 0, notSearchable: 0 }]);
  // Nothing has changed, so nobody looks again before the day is over.
  const at = async () => (await testing.asSuperuser(`select compared_at from archive_mailboxes where source_id = ${archiveSource}`))[0];
  const first = await at();
  await completeness.compareDue(scope);
  expect(await at()).toEqual(first);
  await tenant.finish(archive);
  await completeness.compareDue(scope);
  expect(await at()).not.toEqual(first);
  expect(await counted(`archive_mailboxes where missing > 0`)).toBe(0);
  expect(news).toHaveLength(1);
}, 60_000);

test('the comparison is for those who run jobs, the figures are for every role, and neither for another organisation', async () => {
  const to = `/apollo/api/${tenant.tenantId}/archive/mailboxes/${mailboxId}`;
  const reader = await running.server.member(scope.organisationId, 'reader');
  const stranger = await running.server.owner();
  const status = async (at: string, token: string, method: 'GET' | 'POST') =>
    (await running.server.send(`${to}${at}`, { method, token })).status;
  expect(await status('/days', reader.tokens.main, 'GET')).toBe(200);
  expect(await status('/missing', reader.tokens.main, 'GET')).toBe(200);
  expect(await status('/compare', reader.tokens.main, 'POST')).toBe(403);
  for (const [at, method] of [
    ['/days', 'GET'],
    ['/missing', 'GET'],
    ['/compare', 'POST'],
  ] as const)
    expect(await status(at, stranger.tokens.main, method), at).toBe(404);
  const unknown = `/apollo/api/${tenant.tenantId}/archive/mailboxes/${testIds.uuid()}/days`;
  expect((await running.server.send(unknown, { token: reader.tokens.main })).status).toBe(404);
});
