import { testDatabase } from '@holdfast/database/testing/test-database';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { act, everyone } from '../../testing/simulated-tenant.ts';
import { deletionGround, hashOf, mail, withAttachment, type DeletionGround } from './testing/deletion-ground.ts';

/** Runs that erase messages of archives that imports and backups have filled; what dies in between; and what stays erased. */
const testing = testDatabase(import.meta.url);
let ground: DeletionGround;

beforeAll(async () => {
  ground = await deletionGround(testing);
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

test('A24: a death at any step leaves each message wholly there or wholly gone, and the resumed run finishes', async () => {
  const shared = Buffer.alloc(60_000, 'a shared attachment ').toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
  const kept = withAttachment('Other owner', shared);
  await ground.imports(1, [kept]);
  const points = [
    'backup.before-packs',
    'backup.before-segment',
    'backup.before-catalog',
    'backup.after-catalog',
    'deletions.before-sweep',
    'deletions.before-report',
  ];
  for (const point of points) {
    const doomed = [withAttachment(`Doomed ${point}`, shared), mail(`Doomed too ${point}`)];
    await ground.imports(0, doomed);
    const draft = await ground.drafted(0, { messageIds: doomed.map(hashOf) });
    await ground.approved(draft);
    await ground.passQuarantine(draft);
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    await ground.startDue(draft);
    const failed = await ground.ended(draft);
    onCrashPoint(undefined);
    expect(failed.state, point).toBe('failed');
    const there = await ground.archived(0);
    const gone = new Set((await ground.tombstones(draft)).items.map(({ messageId }) => messageId));
    for (const key of doomed.map(hashOf)) expect(there.includes(key), `${point} ${key}`).toBe(!gone.has(key));
    expect((await ground.step('resume', draft)).status, point).toBe(200);
    expect(await ground.ended(draft), point).toMatchObject({ state: 'finished', erased: { messages: 2 }, gone: 0 });
    expect(
      (await ground.archived(0)).filter((key) => doomed.map(hashOf).includes(key)),
      point,
    ).toEqual([]);
    expect((await ground.tombstones(draft)).total, point).toBe(2);
    await ground.expectCounted(0);
  }
  expect(await ground.archived(1)).toContain(hashOf(kept));
  const verify = await ground.tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  expect(await ground.tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });
}, 480_000);

test('A25: what was erased stays erased when a backup, an archive job or an import finds it again, and is counted', async () => {
  const text = `From: ada@proseware.example\r\nTo: you@tiny.example\r\nSubject: Comes back\r\n\r\nBody\r\n`;
  const { id: user } = ground.person(1);
  act(ground.simulator, 'mail.deliver', { user, folder: 'inbox', mime: Buffer.from(text, 'latin1').toString('base64') });
  const only = { ...everyone, everyone: false, users: [ground.person(1)] };
  const backup = await ground.tenant.job({
    type: 'backup',
    name: 'Mail',
    source: { ...only, options: { calendars: false, contacts: false, tasks: false } },
  });
  await ground.tenant.finish(backup);
  const archive = await ground.tenant.job({ type: 'archive', name: 'Archive', source: only });
  await ground.tenant.finish(archive);
  const key = hashOf(text);
  expect(await ground.archived(1)).toContain(key);
  const done = await ground.executed(await ground.drafted(1, { messageIds: [key] }));
  expect(done).toMatchObject({ state: 'finished', erased: { messages: 1 } });
  // The certificate lists the account with what was deleted of it.
  const [account] = await testing.asSuperuser(
    `select account.items::int as items, account.bytes::int as bytes from run_accounts account join runs using (organisation_id, realm, run_id)
      where runs.type = 'erasure' order by account.ended_at desc limit 1`,
  );
  expect(account).toEqual({ items: 1, bytes: Buffer.byteLength(text, 'latin1') });
  // The backup still has it, and the report says so.
  expect(done.remains?.copies).toContainEqual({ place: 'backups', locationName: 'Vault', messages: 1, lockedDays: 0 });
  act(ground.simulator, 'mail.deliver', { user, folder: 'sentitems', mime: Buffer.from(text, 'latin1').toString('base64') });
  await ground.tenant.finish(backup);
  expect(await ground.tenant.finish(archive)).toMatchObject({ status: 'successful', added: 0, result: { erasedBefore: 1 } });
  const other = await ground.tenant.job({
    type: 'archive',
    name: 'Archive inbox too',
    source: { ...only, folders: { include: ['Inbox'] } },
  });
  await ground.tenant.finish(other);
  expect(await ground.archived(1)).not.toContain(key);
  expect(await ground.imports(1, [mail('Twice gone')])).toMatchObject({ status: 'successful' });
  await ground.executed(await ground.drafted(1, { messageIds: [hashOf(mail('Twice gone'))] }));
  expect(await ground.imports(1, [mail('Twice gone'), mail('New one')])).toMatchObject({
    status: 'successful',
    result: { seen: 2, added: 1, known: 0, erasedBefore: 1, failed: 0 },
  });
  expect(await ground.archived(1)).not.toContain(hashOf(mail('Twice gone')));
  // Another mailbox is another placement.
  expect(await ground.imports(0, [mail('Twice gone')])).toMatchObject({ result: { added: 1, erasedBefore: 0 } });
}, 480_000);

test('A25: a catalog that is made again from the journal lacks what was erased, and knows that it was', async () => {
  await ground.imports(1, [mail('Rebuilt away'), mail('Rebuilt')]);
  const gone = hashOf(mail('Rebuilt away'));
  await ground.executed(await ground.drafted(1, { messageIds: [gone] }));
  const before = await ground.archived(1);
  const [kept] = await testing.asSuperuser('select to_jsonb(t) as tombstone from tombstones t where message_id = $1', [gone]);
  await testing.asSuperuser('delete from catalog_sources where resource_id = $1', [await ground.archiveIdOf(1)]);
  await testing.asSuperuser('delete from tombstones where message_id = $1', [gone]);
  expect(await ground.archived(1)).toEqual([]);
  expect(await ground.imports(1, [mail('Rebuilt away'), mail('After the rebuild')])).toMatchObject({
    result: { added: 1, erasedBefore: 1 },
  });
  expect(await ground.archived(1)).toEqual([...before, hashOf(mail('After the rebuild'))].sort());
  const [again] = await testing.asSuperuser('select to_jsonb(t) as tombstone from tombstones t where message_id = $1', [gone]);
  expect(again).toEqual(kept);
  await ground.expectCounted(1);
}, 240_000);

test('A22: of 10,001 listed messages all go once, the 10,002nd stays, with two runs at once and a death in the middle', async () => {
  const due = Array.from({ length: 10_001 }, (_, at) => mail(`Due ${at}`));
  expect(await ground.imports(2, [...due, mail('Stays')])).toMatchObject({ status: 'successful', result: { added: 10_002 } });
  const draft = await ground.drafted(2, { subject: 'Due' });
  expect(draft.listed.messages).toBe(10_001);
  await ground.approved(draft);
  await ground.passQuarantine(draft);
  let batches = 0;
  onCrashPoint((passed) => {
    if (passed === 'backup.before-catalog' && (batches += 1) === 7) throw new Error('died in the middle');
  });
  await ground.startDue(draft);
  expect((await ground.ended(draft)).state).toBe('failed');
  onCrashPoint(undefined);
  const { total } = await ground.tombstones(draft);
  expect([total > 0, total < 10_001]).toEqual([true, true]);
  // A run that was thought dead works beside the one that takes its place.
  await ground.step('resume', draft);
  const { runId } = await ground.read(draft);
  const [first] = await testing.asSuperuser('select body, job_name from runs where run_id = $1', [runId]);
  const other = await testing.database.within(ground.scope, (tx) =>
    ground.runs.enqueue(tx, ground.scope, {
      tenantId: ground.tenant.tenantId,
      jobId: null,
      jobName: 'Beside',
      type: 'erasure',
      workload: null,
      locationId: null,
      body: first?.['body'] as never,
      trigger: 'manual',
      startedBy: ground.owner.email,
    }),
  );
  expect(await ground.ended(draft)).toMatchObject({ state: 'finished', erased: { messages: 10_001 }, gone: 0 });
  await ground.tenant.ended(other?.runId ?? '', 240_000);
  expect(await ground.read(draft)).toMatchObject({ state: 'finished', erased: { messages: 10_001 }, gone: 0 });
  expect((await ground.tombstones(draft)).total).toBe(10_001);
  const left = await ground.archived(2);
  expect(left).toContain(hashOf(mail('Stays')));
  expect(left.filter((key) => new Set(due.map(hashOf)).has(key))).toEqual([]);
  await ground.expectCounted(2);
}, 480_000);
