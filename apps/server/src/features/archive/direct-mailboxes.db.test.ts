import type { RunAccount } from '@holdfast/contract/monitoring';
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
  truthOf,
  type SimulatedPerson,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';

/** Archives of mailboxes that no backup covers. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let people: readonly SimulatedPerson[];
let archive: string;

const person = (at: number) => {
  const found = people[at];
  if (!found) throw new Error(`There is no person ${at}.`);
  return found;
};
const of = (...at: readonly number[]) => ({ ...everyone, everyone: false, users: at.map(person) });

function deliver(user: string, name: string, folder = 'inbox'): string {
  const mime = `From: news@proseware.example\nSubject: ${name}\nMessage-ID: <${name}@proseware.example>\n\n${name}\n`;
  act(running.simulator, 'mail.deliver', { user, folder, mime: Buffer.from(mime).toString('base64') });
  return sha256Hex(Buffer.from(mime));
}

async function truth(user: string): Promise<string[]> {
  const records = (await truthOf(running.simulator, 'mail', user)).filter(({ kind }) => kind === 'message');
  return [...new Set(records.map(({ sha256 = '' }) => sha256))].sort();
}

/** The hashes in the newest point of a mailbox's archive, or of the mailbox itself. */
async function stored(user: string, kind: 'archive' | 'mailbox', locationId = tenant.locationId): Promise<string[]> {
  const rows = await testing.asSuperuser(
    `select distinct detail #>> '{contents,0,ref,sha256}' as hash from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id)
     where catalog_items.kind = 'message' and to_point = 9007199254740991 and resources.kind = $1 and graph_id = $2 and location_id = $3 order by 1`,
    [kind, user, locationId],
  );
  return rows.map(({ hash }) => String(hash)).sort();
}

/** What the newest run of a job read itself in Microsoft 365, and how many items that brought. */
async function readDirectly(job: string): Promise<ReadonlyMap<string, number>> {
  const run = await tenant.finish(job);
  const { items } = await tenant.call<Page<RunAccount>>(`${tenant.tenantId}/monitoring/${run.run_id}/accounts?limit=200`);
  expect(items.filter(({ kind, readFrom }) => (kind === 'mailbox') !== (readFrom === 'microsoft365'))).toEqual([]);
  return new Map(items.filter(({ readFrom }) => readFrom === 'microsoft365').map((one) => [one.name, one.items]));
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing, vault: path.join(folder, 'vault') });
  people = peopleOf(simulator);
  const backup = await tenant.job({ type: 'backup', name: 'Mail of one', source: of(0) });
  await tenant.finish(backup);
  archive = await tenant.job({ type: 'archive', name: 'Archive', source: of(0, 1) });
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => running.close());

test('a mailbox that no backup covers is read from Microsoft 365 by the run that archives it, mail alone and byte for byte', async () => {
  const read = await readDirectly(archive);
  expect([...read.keys()]).toEqual([person(1).name]);
  for (const at of [0, 1]) expect(await stored(person(at).id, 'archive')).toEqual(await truth(person(at).id));
  const kinds = await testing.asSuperuser(
    `select distinct catalog_items.kind from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id) where resources.kind = 'mailbox' and graph_id = $1`,
    [person(1).id],
  );
  expect(kinds.map(({ kind }) => kind)).toContain('message');
  expect(kinds.map(({ kind }) => kind)).not.toContain('event');
  expect(kinds.map(({ kind }) => kind)).not.toContain('contact');
}, 120_000);

test('the next run goes on from where the last one read to, and reads what is new alone', async () => {
  expect([...(await readDirectly(archive))]).toEqual([[person(1).name, 0]]);
  const hash = deliver(person(1).id, 'new');
  expect([...(await readDirectly(archive))]).toEqual([[person(1).name, 1]]);
  expect(await stored(person(1).id, 'archive')).toContain(hash);
}, 120_000);

test('a death at any step of reading loses nothing and doubles nothing', async () => {
  for (const point of ['backup.before-packs', 'backup.before-segment', 'backup.before-catalog', 'backup.after-catalog']) {
    deliver(person(1).id, point);
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    expect((await tenant.finish(archive)).status, point).not.toBe('successful');
    onCrashPoint(undefined);
    expect((await tenant.finish(archive)).status, point).toBe('successful');
    expect(await stored(person(1).id, 'archive'), point).toEqual(await truth(person(1).id));
  }
}, 240_000);

test('what two archive jobs read of one mailbox into a location is what either of them takes', async () => {
  const sent = deliver(person(2).id, 'sent', 'sentitems');
  const inbox = deliver(person(2).id, 'inbox');
  const one = await tenant.job({ type: 'archive', name: 'Inboxes', source: { ...of(2), includeFolders: ['Inbox'] } });
  const other = await tenant.job({ type: 'archive', name: 'Sent', source: { ...of(2), includeFolders: ['Sent Items'] } });
  await tenant.finish(one);
  expect(await stored(person(2).id, 'mailbox')).not.toContain(sent);
  await tenant.finish(other);
  await tenant.finish(one);
  expect(await stored(person(2).id, 'mailbox')).toEqual(expect.arrayContaining([sent, inbox]));
  expect(await stored(person(2).id, 'archive')).toEqual(expect.arrayContaining([sent, inbox]));
}, 120_000);

test('a mailbox that a backup job covers is left to the backup, even before its first run', async () => {
  const backup = await tenant.job({ type: 'backup', name: 'Mail of others', source: of(1, 2) });
  const job = await tenant.job({ type: 'archive', name: 'Waits', source: of(1, 2) });
  const hashes = [1, 2].map((at) => deliver(person(at).id, `for the backup of ${at}`));
  expect([...(await readDirectly(job))]).toEqual([]);
  for (const [at, hash] of hashes.entries()) expect(await stored(person(at + 1).id, 'archive')).not.toContain(hash);
  await tenant.finish(backup);
  expect([...(await readDirectly(job))]).toEqual([]);
  for (const at of [1, 2]) expect(await stored(person(at).id, 'archive')).toEqual(await truth(person(at).id));
}, 120_000);
