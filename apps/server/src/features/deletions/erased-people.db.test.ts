import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { Selection } from '@holdfast/contract/selections';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { act, everyone } from '../../testing/simulated-tenant.ts';
import { deletionGround, mail, type DeletionGround } from './testing/deletion-ground.ts';

/** Erasure of everything of a person: mailbox, archive and OneDrive, in every restore point; and what stays erased. */
const testing = testDatabase(import.meta.url);
let ground: DeletionGround;

beforeAll(async () => {
  ground = await deletionGround(testing);
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

interface Kept {
  readonly kind: string;
  readonly item_key: string;
}

/** What restore points have of somebody, folders left out: by kind of resource, once however many versions there are. */
async function kept(at: number): Promise<readonly Kept[]> {
  return (await testing.asSuperuser(
    `select distinct resource.kind, item.item_key from resources resource join catalog_sources source using (resource_id)
     join catalog_items item using (source_id) where lower(resource.address) = lower($1) and not item.is_container order by 1, 2`,
    [ground.person(at).address],
  )) as unknown as Kept[];
}

async function resourceOf(at: number, kind: string): Promise<{ readonly resourceId: string; readonly graphId: string }> {
  const [row] = await testing.asSuperuser(
    `select resource_id as "resourceId", graph_id as "graphId" from resources where kind = $1 and lower(address) = lower($2)`,
    [kind, ground.person(at).address],
  );
  return row as never;
}

const only = (at: number) => ({ ...everyone, everyone: false, users: [ground.person(at)] });
const mailJob = (at: number, locationId?: string) =>
  ground.tenant.job({
    type: 'backup',
    name: `Mail ${at} ${locationId ?? ''}`.trim(),
    source: only(at),
    ...(locationId === undefined ? {} : { locationId }),
  });
const driveJob = (at: number, locationId?: string) =>
  ground.tenant.job({
    type: 'backup',
    name: `Drive ${at} ${locationId ?? ''}`.trim(),
    workload: 'onedrive',
    source: only(at),
    ...(locationId === undefined ? {} : { locationId }),
  });

function deliver(at: number, text: string): void {
  const mime = Buffer.from(text, 'latin1').toString('base64');
  act(ground.simulator, 'mail.deliver', { user: ground.person(at).id, folder: 'inbox', mime });
}

async function draftOf(at: number, kind = 'mailbox'): Promise<DeletionDetails> {
  const { resourceId } = await resourceOf(at, kind);
  const answer = await ground.send<DeletionDetails>('archive/deletions/people', { body: { resourceId, reason: 'Art. 17, ticket 815' } });
  expect(answer).toMatchObject({ status: 201, body: { state: 'draft', basis: 'erasure', isEverywhere: true } });
  return answer.body;
}

test('A25: everything of a person goes from every restore point but what is kept, and stays erased however it is found again', async () => {
  const text = `From: ada@proseware.example\r\nTo: you@tiny.example\r\nSubject: Known\r\n\r\nBody\r\n`;
  const late = text.replace('Known', 'Never archived');
  deliver(0, text);
  const jobs = { mail: await mailJob(0), drive: await driveJob(0) };
  const archive = await ground.tenant.job({ type: 'archive', name: 'Archive', source: only(0) });
  for (const job of [jobs.mail, jobs.drive, archive]) await ground.tenant.finish(job);
  await ground.imports(0, [mail('From a file')]);
  deliver(0, late);
  const { graphId: drive, resourceId: driveId } = await resourceOf(0, 'drive');
  act(ground.simulator, 'drives.createFile', { drive, name: 'Held.txt', content: 'Held' });
  act(ground.simulator, 'drives.createFile', { drive, name: 'Doomed.txt', content: 'Doomed' });
  for (const job of [jobs.mail, jobs.drive]) await ground.tenant.finish(job);
  const before = await kept(0);
  expect(new Set(before.map(({ kind }) => kind))).toEqual(new Set(['archive', 'drive', 'mailbox']));
  const named = async (name: string): Promise<string> => {
    const [row] = await testing.asSuperuser(
      `select item_key from catalog_items join catalog_sources using (source_id) where resource_id = $1 and name = $2`,
      [driveId, name],
    );
    return String(row?.['item_key']);
  };
  const held = await named('Held.txt');
  const hold = { name: 'Case 12', reason: 'A dispute', resourceId: driveId, items: [held], from: null, to: null };
  expect((await ground.send('holds', { body: hold })).status).toBe(201);

  const draft = await draftOf(0);
  expect(draft).toMatchObject({
    person: { name: ground.person(0).name, address: ground.person(0).address },
    listed: { messages: before.length },
    kept: { messages: 1 },
    keepers: [{ kind: 'hold', name: 'Case 12', until: null, messages: 1 }],
  });
  expect(draft.mailboxes.map(({ kind }) => kind).toSorted()).toEqual(['archive', 'drive', 'mailbox']);
  expect((await ground.send(`printed-reports/erasures/${draft.deletionId}`)).status).toBe(404);
  const done = await ground.executed(draft);
  expect(done).toMatchObject({ state: 'finished', erased: { messages: before.length - 1 }, kept: { messages: 1 }, gone: 0 });
  expect(await kept(0)).toEqual([{ kind: 'drive', item_key: held }]);
  expect((await ground.tombstones(draft)).total).toBe(before.length - 1);
  const letter = await ground.server.send(
    `/apollo/api/${ground.tenant.tenantId}/printed-reports/erasures/${draft.deletionId}?language=de`,
    {
      token: ground.owner.tokens.main,
    },
  );
  expect([letter.status, (await letter.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
  const [indexed] = await testing.asSuperuser(
    `select count(*)::int as items from search_items join catalog_sources using (source_id) join resources using (resource_id)
     where lower(address) = lower($1) and item_key <> $2`,
    [ground.person(0).address, held],
  );
  expect(indexed).toEqual({ items: 0 });

  // Folders count what is left in them, at every restore point.
  const wrong = await testing.asSuperuser(
    `select counted.* from (select source_id, parent_key, kind, sum(change)::int as items from catalog_folder_counts group by 1, 2, 3) counted
     join catalog_sources using (source_id) join resources using (resource_id)
     where lower(address) = lower($1) and counted.items <> (select count(*) from catalog_items item where item.source_id = counted.source_id
       and coalesce(item.parent_key, '') = counted.parent_key and item.kind = counted.kind and item.to_point = 9007199254740991)`,
    [ground.person(0).address],
  );
  expect(wrong).toEqual([]);

  // The source still has all of it. A change brings the file up again, another location asks for everything.
  act(ground.simulator, 'drives.edit', { drive, path: 'Doomed.txt', content: 'Doomed again' });
  expect(await ground.tenant.finish(jobs.drive)).toMatchObject({ status: 'successful', added: 0, result: { erasedBefore: 1 } });
  const vault = { kind: 'filesystem', name: 'Elsewhere', path: path.join(ground.folder, 'elsewhere') };
  const { locationId } = await ground.tenant.call<{ locationId: string }>(`${ground.tenant.tenantId}/locations`, vault);
  const erasedBefore = before.filter(({ kind }) => kind === 'mailbox').length;
  expect(await ground.tenant.finish(await mailJob(0, locationId))).toMatchObject({ status: 'successful', result: { erasedBefore } });
  await ground.tenant.finish(await driveJob(0, locationId));
  await ground.tenant.finish(archive);
  expect(await kept(0)).toEqual([{ kind: 'drive', item_key: held }]);
  // One was in the archive; the other only ever in the backup, under another name.
  for (const again of [mail('From a file'), late])
    expect(await ground.imports(0, [again])).toMatchObject({ result: { added: 0, erasedBefore: 1, failed: 0 } });
  expect(await ground.archived(0)).toEqual([]);
  const verify = await ground.tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  expect(await ground.tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}, 480_000);

/** Searches everything that the index has read, and keeps the hits with this name. */
async function chosen(query: string): Promise<Selection> {
  const answer = await ground.send<Selection>('archive/search/selections', { body: { query, reason: 'A request for erasure' } });
  expect(answer.status).toBe(201);
  return answer.body;
}

test('chosen files and messages go from backups only where that is asked for, and policies and holds keep theirs', async () => {
  const only2 = await driveJob(2);
  await ground.tenant.finish(only2);
  const { graphId: drive, resourceId } = await resourceOf(2, 'drive');
  for (const name of ['Ruled.txt', 'Free.txt', 'Twice.txt'])
    act(ground.simulator, 'drives.createFile', { drive, name, content: `Zebra ${name}` });
  await ground.tenant.finish(only2);
  act(ground.simulator, 'drives.delete', { drive, path: 'Twice.txt' });
  await ground.tenant.finish(only2);
  const rows = await testing.asSuperuser(
    `select item_key, name from catalog_items join catalog_sources using (source_id) where resource_id = $1 and name = any($2)`,
    [resourceId, ['Ruled.txt', 'Free.txt', 'Twice.txt']],
  );
  const keys = new Map(rows.map((row) => [String(row['name']), String(row['item_key'])]));
  const [policy] = await testing.asSuperuser(
    `insert into retention_policies (organisation_id, realm, policy_id, tenant_id, name, anchor, amount, unit, starts, fiscal_year_end,
       is_everything, about, created_by, creator, created_at, activated_at)
     values ($1, 'production', gen_random_uuid(), $2, 'Contracts', 'received', 60, 'years', 'day', 12, false, 'files', gen_random_uuid(), 'x', now(), now())
     returning policy_id`,
    [ground.owner.organisationId, ground.tenant.tenantId],
  );
  await testing.asSuperuser(
    `insert into retention_policy_places (organisation_id, realm, policy_id, resource_id, item_key, name, is_container)
     values ($1, 'production', $2, $3, $4, 'Ruled.txt', false)`,
    [ground.owner.organisationId, policy?.['policy_id'], resourceId, keys.get('Ruled.txt')],
  );
  await expect.poll(async () => (await chosen('Zebra')).items, { timeout: 60_000, interval: 500 }).toBe(3);
  const { selectionId } = await chosen('Zebra');
  const body = { selectionId, basis: 'mistake', reason: 'Saved by mistake' };
  expect((await ground.send('archive/deletions', { body })).body.code).toBe('deletions.nothing-archived');
  const draft = await ground.send<DeletionDetails>('archive/deletions', { body: { ...body, everywhere: true } });
  expect(draft).toMatchObject({
    status: 201,
    body: {
      isEverywhere: true,
      person: null,
      listed: { messages: 3 },
      kept: { messages: 1 },
      notArchived: 0,
      keepers: [{ kind: 'minimum', name: 'Contracts', messages: 1 }],
      mailboxes: [{ kind: 'drive' }],
    },
  });
  expect(Date.parse(draft.body.keepers[0]?.until ?? '')).toBeGreaterThan(Date.parse('2080-01-01'));
  expect(await ground.executed(draft.body)).toMatchObject({ state: 'finished', erased: { messages: 2 }, kept: { messages: 1 }, gone: 0 });
  const left = (await kept(2)).map(({ item_key: key }) => key);
  expect(left).toContain(keys.get('Ruled.txt'));
  for (const name of ['Free.txt', 'Twice.txt']) expect(left, name).not.toContain(keys.get(name));
  // A letter is for somebody whose everything was erased.
  expect((await ground.send(`printed-reports/erasures/${draft.body.deletionId}`)).status).toBe(404);
  await testing.asSuperuser('update retention_policies set ended_at = now()');
}, 480_000);

test('A24: a death at any step of the erasure of a person leaves each item wholly there or wholly gone, and the resumed run finishes', async () => {
  const shared = `From: ada@proseware.example\r\nSubject: Shared\r\n\r\n${'The same words. '.repeat(2_000)}\r\n`;
  const jobs = { mail: await mailJob(1), drive: await driveJob(1), other: await mailJob(2) };
  deliver(1, shared);
  deliver(2, shared);
  await ground.tenant.finish(jobs.other);
  const others = await kept(2);
  const points = [
    'backup.before-packs',
    'backup.before-segment',
    'backup.before-catalog',
    'backup.after-catalog',
    'deletions.before-sweep',
  ];
  for (const [turn, point] of points.entries()) {
    deliver(1, shared.replace('Shared', `Doomed ${turn}`));
    await ground.tenant.finish(jobs.mail);
    const { graphId: drive } = turn === 0 ? { graphId: '' } : await resourceOf(1, 'drive');
    if (turn > 0) act(ground.simulator, 'drives.createFile', { drive, name: `Doomed ${turn}.txt`, content: `Doomed ${turn}` });
    await ground.tenant.finish(jobs.drive);
    const before = await kept(1);
    expect(new Set(before.map(({ kind }) => kind)), point).toEqual(new Set(['drive', 'mailbox']));
    const draft = await draftOf(1, turn % 2 === 0 ? 'mailbox' : 'drive');
    await ground.approved(draft);
    await ground.passQuarantine(draft);
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    await ground.startDue(draft);
    expect((await ground.ended(draft)).state, point).toBe('failed');
    onCrashPoint(undefined);
    const there = new Set((await kept(1)).map(({ item_key: key }) => key));
    const gone = new Set((await ground.tombstones(draft)).items.map(({ messageId }) => messageId));
    for (const { item_key: key } of before) expect(there.has(key), `${point} ${key}`).toBe(!gone.has(key));
    expect((await ground.step('resume', draft)).status, point).toBe(200);
    expect(await ground.ended(draft), point).toMatchObject({ state: 'finished', erased: { messages: before.length }, gone: 0 });
    expect(await kept(1), point).toEqual([]);
  }
  expect(await kept(2)).toEqual(others);
  const verify = await ground.tenant.job({ type: 'verify', name: 'Verify again', budgetPercent: 100 });
  expect(await ground.tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}, 480_000);
