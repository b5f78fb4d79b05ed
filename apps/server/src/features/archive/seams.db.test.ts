import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { ArchivedDay, MissingMessage } from '@holdfast/contract/archive-completeness';
import type { Page } from '@holdfast/contract/paging';
import type { Receiver } from '@holdfast/contract/receivers';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** 10,000 messages that journal, backups and index all know, and one that is taken away at each seam. Each test builds on those before it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let mailboxId: string;
let archiveId: string;
let backupId: string;

const MANY = 10_000;
const byName = (a: string, b: string): number => a.localeCompare(b);
const keyOf = (number: number): string => sha256Hex(Buffer.from(`message ${number}`));

const call = <Answer>(to: string, body?: object): Promise<Answer> =>
  tenant.call<Answer>(`${tenant.tenantId}/archive/mailboxes/${mailboxId}${to}`, body);
async function compared() {
  await call('/compare', {});
  const { items } = await call<Page<MissingMessage>>('/missing?limit=200');
  const days = (await call<Page<ArchivedDay>>('/days?limit=200')).items;
  const sum = (figure: 'notJournaled' | 'notCaptured') => days.reduce((total, day) => total + day[figure], 0);
  const { unmatched } = await call<ArchivedMailbox>('');
  return {
    unmatched,
    named: items.map(({ messageKey, reason }) => `${messageKey} ${reason}`).toSorted(byName),
    notJournaled: sum('notJournaled'),
    notCaptured: sum('notCaptured'),
  };
}
const named = (...gaps: readonly (readonly [number, MissingMessage['reason']])[]) =>
  gaps.map(([number, reason]) => `${keyOf(number)} ${reason}`).toSorted(byName);

async function sourceOf(kind: string): Promise<string> {
  const [row] = await testing.asSuperuser(
    `select source_id from catalog_sources join resources using (organisation_id, realm, resource_id) where kind = $1`,
    [kind],
  );
  return String(row?.['source_id']);
}

/** What alarms have said, the newest last. */
async function alarms(): Promise<unknown[]> {
  const rows = await testing.asSuperuser(
    `select payload from (select event, payload::text, at from audit_inbox union all select event, payload, at from audit_events) recorded
     where event = 'alarms.archive-incomplete' order by at`,
  );
  return rows.map(({ payload }) => (JSON.parse(String(payload)) as { readonly details: unknown }).details);
}

const KEY = `encode(sha256(convert_to('message ' || number, 'UTF8')), 'hex')`;
const ID = `'<' || number || '@proseware.example>'`;
/** Spread over the days before yesterday. */
const AT = `date_trunc('hour', now()) - interval '2 days' - number * interval '1 minute'`;

/** Puts messages into the archive that backups and journaling brought; into the backups, and into the index. */
async function fill(): Promise<void> {
  const columns = 'organisation_id, realm, source_id, item_key, from_point, parent_key, kind, is_container, name, sort_name, size_bytes';
  const insert = (source: string, key: string, detail: string) => `
    insert into catalog_items (${columns}, modified_at, detail)
    select organisation_id, realm, source_id, ${key}, from_point, parent_key, kind, is_container, name, sort_name, size_bytes, ${AT}, ${detail}
    from (select * from catalog_items where source_id = '${source}' and kind = 'message' order by from_point, item_key limit 1) one
    cross join generate_series(1, ${MANY}) number`;
  const common = `jsonb_set(jsonb_set(detail::jsonb, '{contents}', jsonb_build_array(jsonb_set(detail::jsonb #> '{contents,0}', '{ref,sha256}', to_jsonb(${KEY})))),
    '{properties,internetMessageId}', to_jsonb(${ID}))`;
  const placed = `jsonb_set(${common}, '{properties,placements}',
    jsonb_build_array(jsonb_build_object('folder', 'Inbox', 'providerId', 'p' || number), jsonb_build_object('folder', 'Journal', 'source', 'journal')))`;
  await testing.asSuperuser(insert(backupId, `'p' || number`, `(${common})::json`));
  await testing.asSuperuser(insert(archiveId, KEY, `(${placed})::json`));
  const [row] = await testing.asSuperuser(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_name = 'search_items'
       and column_name not in ('item_no', 'item_key', 'from_point', 'slices') and is_generated = 'NEVER'`,
  );
  const names = String(row?.['names']);
  await testing.asSuperuser(`insert into search_items (item_key, from_point, slices, ${names})
    select ${KEY}, (select min(from_point) from catalog_items where source_id = '${archiveId}' and kind = 'message'), 0, ${names}
    from (select * from search_items where source_id = '${archiveId}' limit 1) one cross join generate_series(1, ${MANY}) number`);
}

/** Takes away the placement by which one side brought a message. */
const withoutPlacement = (at: number, number: number) =>
  testing.asSuperuser(
    `update catalog_items set detail = (detail::jsonb #- '{properties,placements,${at}}')::json where source_id = $1 and item_key = $2`,
    [archiveId, keyOf(number)],
  );

beforeAll(async () => {
  running = await startSimulatedServer(testing, { HOLDFAST_RECEIVER_PORT: '0', HOLDFAST_RECEIVER_DNS: 'none' });
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  await testing.asSuperuser('update accounts set email_confirmed = true where id = $1', [owner.accountId]);
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const found = (directory?.users() ?? []).find((one) => one.hasMailbox && one.kind === 'member');
  const source = { ...everyone, everyone: false, users: [{ id: found?.id, name: found?.displayName, address: found?.mail }] };
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await tenant.finish(await tenant.job({ type: 'archive', name: 'Archive', source }));
  mailboxId = (await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes`)).items[0]?.mailboxId ?? '';
  [archiveId, backupId] = [await sourceOf('archive'), await sourceOf('mailbox')];
  await vi.waitFor(
    async () => {
      const read = await testing.asSuperuser(
        `select from search_sources known join catalog_sources source using (organisation_id, realm, source_id)
         where source.source_id = $1 and known.read_through >= source.head_sequence`,
        [archiveId],
      );
      if (read.length === 0) throw new Error('The archive is not in the index yet.');
    },
    { timeout: 60_000, interval: 200 },
  );
  // What the simulator put into the mailbox is older than any journaling.
  await testing.asSuperuser("update catalog_items set modified_at = now() - interval '2 years' where source_id = $1", [archiveId]);
  // The nightly comparison of the index would have what is filled in here read from a vault that does not have it.
  await testing.asSuperuser(
    `insert into search_comparisons (organisation_id, realm, compared_at, lost)
       select organisation_id, realm, now() + interval '1 day', 0 from catalog_sources limit 1
     on conflict (organisation_id, realm) do update set compared_at = excluded.compared_at`,
  );
  await fill();
  await testing.asSuperuser('analyze');
  // The mailbox was backed up for the first time long before, so that the backups must have everything since.
  await testing.asSuperuser(
    `update catalog_points set committed_at = now() - interval '30 days' where source_id = $1 and sequence =
    (select min(sequence) from catalog_points where source_id = $1)`,
    [backupId],
  );
}, 240_000);
afterAll(() => running.close());

test('10,000 messages that everybody knows are missing nowhere', async () => {
  expect(await compared()).toEqual({ unmatched: 0, named: [], notJournaled: 0, notCaptured: 0 });
  expect(await alarms()).toEqual([]);
});

test('one of 10,000 that journaling dropped is named on its day, and reported once', async () => {
  await withoutPlacement(1, 5_000);
  expect(await compared()).toEqual({ unmatched: 1, named: named([5_000, 'notJournaled']), notJournaled: 1, notCaptured: 0 });
  await compared();
  expect(await alarms()).toEqual([{ missing: 0, notJournaled: 1, notCaptured: 0, notSearchable: 0 }]);
  const { items } = await call<Page<ArchivedDay>>('/days?incomplete=true');
  expect(items.map(({ notJournaled }) => notJournaled)).toEqual([1]);
});

test('one of 10,000 that backups dropped is named, and reported once', async () => {
  await withoutPlacement(0, 6_000);
  expect(await compared(), 'the backup has it').toMatchObject({ unmatched: 1 });
  await testing.asSuperuser(`delete from catalog_items where source_id = $1 and item_key = 'p6000'`, [backupId]);
  const gaps = named([5_000, 'notJournaled'], [6_000, 'notCaptured']);
  expect(await compared()).toEqual({ unmatched: 2, named: gaps, notJournaled: 1, notCaptured: 1 });
  expect((await alarms()).at(-1)).toEqual({ missing: 0, notJournaled: 0, notCaptured: 1, notSearchable: 0 });
});

test('one of 10,000 that the index dropped is named, and reported once; one that it has yet to read is not', async () => {
  const before = await compared();
  // Past the trigger that has a source read again: damage asks nobody.
  await testing.asSuperuser(
    `set session_replication_role = replica; delete from search_items where source_id = '${archiveId}' and item_key = '${keyOf(7_000)}'`,
  );
  const gaps = named([5_000, 'notJournaled'], [6_000, 'notCaptured'], [7_000, 'notSearchable']);
  expect(await compared()).toEqual({ unmatched: 3, named: gaps, notJournaled: 1, notCaptured: 1 });
  expect((await alarms()).at(-1)).toEqual({ missing: 0, notJournaled: 0, notCaptured: 0, notSearchable: 1 });
  expect(await alarms()).toHaveLength(3);
  // It reads the archive again, and has the message back whenever it gets there.
  await testing.asSuperuser('update search_sources set read_through = 0 where source_id = $1', [archiveId]);
  expect(await compared()).toEqual(before);
}, 60_000);

test('nobody expects in the journal what is a draft, what came before journaling, or what it has with other bytes', async () => {
  const before = await compared();
  await withoutPlacement(1, 1_000);
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{properties,placements,0,isDraft}', 'true')::json
    where source_id = $1 and item_key = $2`,
    [archiveId, keyOf(1_000)],
  );
  expect(await compared(), 'a draft').toEqual(before);
  await withoutPlacement(1, MANY);
  expect(await compared(), 'older than anything that was journaled').toEqual(before);
  await withoutPlacement(1, 1_001);
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{properties,internetMessageId}', '"<1002@proseware.example>"')::json
    where source_id = $1 and item_key = $2`,
    [archiveId, keyOf(1_001)],
  );
  expect(await compared(), 'journaled with other headers').toEqual(before);
});

test('the newest message is expected in the journal as long as a receiver is on', async () => {
  const before = await compared();
  await withoutPlacement(1, 1);
  expect(await compared(), 'journaling may have ended').toEqual(before);
  await tenant.call<Receiver>(`${tenant.tenantId}/archive/receivers`, {
    name: 'Journal',
    locationId: tenant.locationId,
    networks: ['127.0.0.1'],
  });
  const gaps = [...before.named, ...named([1, 'notJournaled'])].toSorted(byName);
  expect(await compared()).toMatchObject({ named: gaps, notJournaled: 2 });
});
