import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { aesKey } from '@holdfast/foundation/secrets';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { beforeEach, expect, test } from 'vitest';
import { createKeysStore } from '../../keys/keys.store.ts';
import { createMasterKeys } from '../../keys/master-keys.ts';
import { createSealing } from '../../keys/sealing.ts';
import type { Mail } from '../../mail/mail.ts';
import { createMailQueue } from '../../mail/mail-queue.ts';
import { aGround, aRunRow, testIds as ids, type Ground } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createNotifications } from './notifications.service.ts';
import { createNotificationsStore } from './notifications.store.ts';

const db = testDatabase(import.meta.url);
const { database } = db;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** 06:30 in Berlin, in winter. */
const MORNING_MS = Date.UTC(2026, 0, 10, 5, 30);

let clock = createFakeClock(MORNING_MS);
let ground: Ground;
let delivered: Mail[];
let told: ReturnType<typeof makeParts>;

function makeParts(scopes: readonly Scope[]) {
  const sealing = createSealing({
    masterKeys: createMasterKeys({ id: 'test', key: aesKey(Buffer.alloc(32, 1)) }, []),
    store: createKeysStore(database),
    ids,
  });
  const transport = { send: async (mail: Mail) => void delivered.push(mail) };
  const mail = createMailQueue({ database, sealing, transport, clock, ids, logger });
  const publicUrl = () => 'https://backup.example';
  const store = createNotificationsStore(database);
  const notifications = createNotifications({
    store,
    mail,
    audit: createAuditInbox({ clock, ids }),
    scopes: async () => scopes,
    publicUrl,
    clock,
    logger,
  });
  return { mail, notifications };
}

type Person = {
  readonly role: 'owner' | 'administrator' | 'operator';
  readonly language?: 'en' | 'de';
  readonly isConfirmed?: boolean;
  readonly isDisabled?: boolean;
  readonly wantsSummary?: boolean;
};

async function aPerson({ role, language = 'en', isConfirmed = true, isDisabled = false, wantsSummary = true }: Person): Promise<string> {
  const id = ids.uuid();
  const email = `${id}@example.com`;
  const at = new Date(MORNING_MS);
  await database.within(ground.scope, async (tx) => {
    await tx
      .insertInto('accounts')
      .values({
        id,
        email,
        normalised_email: email.toUpperCase(),
        user_name: email,
        password_hash: null,
        email_confirmed: isConfirmed,
        security_stamp: 'stamp',
        totp_key: null,
        recovery_salt: null,
        locked_until: null,
        language,
        summary_mails: wantsSummary,
        disabled_at: null,
        created_at: at,
        last_sign_in_at: null,
      })
      .execute();
    await tx
      .insertInto('memberships')
      .values({ account_id: id, role, joined_at: at, disabled_at: isDisabled ? at : null })
      .execute();
  });
  return email;
}

let runs = 0;
async function aRun(
  status: 'failed' | 'defective' | 'successful',
  endedAtMs = clock.nowMs(),
  jobId: string | null = null,
): Promise<string> {
  runs += 1;
  const runId = ids.uuid();
  const row = aRunRow(ground, {
    run_id: runId,
    number: runs,
    job_id: jobId,
    job_name: 'Mail <every> night',
    status,
    trigger: 'schedule',
    errors: 3,
    processed: 40,
    queued_at: new Date(endedAtMs),
    ended_at: new Date(endedAtMs),
    code: status === 'failed' ? 'graph.access-withdrawn' : null,
  });
  await database.within(ground.scope, (tx) => tx.insertInto('runs').values(row).execute());
  return runId;
}

async function aJob(timeZone: string): Promise<string> {
  const jobId = ids.uuid();
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('jobs')
      .values({
        job_id: jobId,
        tenant_id: ground.tenantId,
        name: ids.token(6),
        type: 'backup',
        workload: 'exchange',
        location_id: ground.locationId,
        body: '{}',
        schedule: JSON.stringify({ mode: 'daily', time: '22:00', timeZone }),
        creator: 'somebody',
        created_by: null,
        created_at: new Date(MORNING_MS),
        anchored_at: new Date(MORNING_MS),
      })
      .execute(),
  );
  return jobId;
}

async function mailsSent(): Promise<Mail[]> {
  delivered = [];
  await told.mail.sendDue();
  return delivered.toSorted((one, other) => one.to.localeCompare(other.to) || one.subject.localeCompare(other.subject));
}

beforeEach(async () => {
  clock = createFakeClock(MORNING_MS);
  ground = await aGround(database);
  told = makeParts([ground.scope, { ...ground.scope, realm: 'staging' }]);
});

test('a failed run is told to owners and administrators alone, each in their language, with the reason', async () => {
  const owner = await aPerson({ role: 'owner' });
  const administrator = await aPerson({ role: 'administrator', language: 'de' });
  await aPerson({ role: 'operator' });
  await aPerson({ role: 'owner', isConfirmed: false });
  await aPerson({ role: 'administrator', isDisabled: true });
  const runId = await aRun('failed');
  await told.notifications.runEnded(ground.scope, runId);
  const mails = await mailsSent();
  expect(mails.map((mail) => mail.to)).toEqual([owner, administrator].toSorted());
  const english = mails.find((mail) => mail.to === owner);
  expect(english?.subject).toMatch(/^Failed: Mail <every> night/u);
  expect(english?.text).toContain('The consent was withdrawn');
  expect(english?.text).toContain(`https://backup.example/backup-and-restore/job-monitor/${runId}`);
  expect(english?.html).toContain('Mail &lt;every&gt; night');
  expect(mails.find((mail) => mail.to === administrator)?.subject).toMatch(/^Fehlgeschlagen: /u);
});

test('a defective run is told once, by the worker or by the sweep, and a successful one never', async () => {
  await aPerson({ role: 'owner' });
  const runId = await aRun('defective');
  await aRun('successful');
  await Promise.all([told.notifications.runEnded(ground.scope, runId), told.notifications.runEnded(ground.scope, runId)]);
  await told.notifications.sweep();
  const mails = await mailsSent();
  expect(mails.map((mail) => mail.subject)).toEqual([expect.stringMatching(/^Partly successful: /u)]);
  expect(mails[0]?.text).toContain('Errors: 3, items: 40.');
});

test('a verification that found deviations is an alarm of its own, which names what deviates', async () => {
  const owner = await aPerson({ role: 'owner' });
  const administrator = await aPerson({ role: 'administrator', language: 'de' });
  const runId = await aRun('defective');
  const findings = [
    { code: 'vault.journal-missing', count: 2 },
    { code: 'vault.points-lost', count: 9 },
  ];
  await database.within(ground.scope, (tx) =>
    tx
      .updateTable('runs')
      .set({ type: 'verify', code: 'vault.journal-missing', result: JSON.stringify({ deviations: 11, findings }) })
      .where('run_id', '=', runId)
      .execute(),
  );
  await told.notifications.runEnded(ground.scope, runId);
  const mails = await mailsSent();
  const english = mails.find((mail) => mail.to === owner);
  expect(english?.subject).toMatch(/^The vault is not as it should be: /u);
  expect(english?.text).toMatch(/^- The journal of an account is missing: .* \(2\)$/mu);
  expect(english?.text).toMatch(/^- Restore points can no longer be restored\. \(9\)$/mu);
  const german = mails.find((mail) => mail.to === administrator);
  expect(german?.subject).toMatch(/^Der Tresor ist nicht, wie er sein soll: /u);
  expect(german?.text).toMatch(/^- Das Journal eines Kontos fehlt: .* \(2\)$/mu);
});

test('what a worker that died could not tell is told by the sweep, but not what is a day old', async () => {
  await aPerson({ role: 'owner' });
  await aRun('failed', MORNING_MS - 10 * MINUTE_MS);
  await aRun('failed', MORNING_MS - DAY_MS - MINUTE_MS);
  await told.notifications.sweep();
  expect(await mailsSent()).toHaveLength(1);
  await told.notifications.sweep();
  expect(await mailsSent()).toEqual([]);
});

test('staging tells nobody', async () => {
  await aPerson({ role: 'owner' });
  const runId = await aRun('failed');
  await told.notifications.runEnded({ ...ground.scope, realm: 'staging' }, runId);
  expect(await mailsSent()).toEqual([]);
});

test('a day is summed up once, at seven of the zone of most schedules', async () => {
  await aPerson({ role: 'owner', language: 'de' });
  for (const zone of ['Europe/Berlin', 'Europe/Berlin', 'Asia/Tokyo']) await aJob(zone);
  await aRun('successful', MORNING_MS - MINUTE_MS);
  await told.notifications.runEnded(ground.scope, await aRun('failed', MORNING_MS - MINUTE_MS));
  await mailsSent();
  await told.notifications.sweep();
  expect(await mailsSent()).toEqual([]);
  await clock.advance(30 * MINUTE_MS);
  await told.notifications.sweep();
  const [summary, ...others] = await mailsSent();
  expect(others).toEqual([]);
  expect(summary?.subject).toBe('Zusammenfassung vom 10. Januar 2026: 1 fehlgeschlagen, 0 teilweise erfolgreich');
  expect(summary?.text).toContain('Läufe der letzten 24 Stunden: 1 erfolgreich, 0 teilweise erfolgreich, 1 fehlgeschlagen');
  expect(summary?.text).toContain('- Mail <every> night');
  await clock.advance(30 * MINUTE_MS);
  await told.notifications.sweep();
  expect(await mailsSent()).toEqual([]);
  await clock.advance(DAY_MS);
  await told.notifications.sweep();
  expect((await mailsSent()).map((mail) => mail.subject)).toEqual([
    'Zusammenfassung vom 11. Januar 2026: 0 fehlgeschlagen, 0 teilweise erfolgreich',
  ]);
});

test('two schedulers that wake at the same time tell each run and each day once', async () => {
  const owner = await aPerson({ role: 'owner' });
  await aJob('Europe/Berlin');
  await aRun('failed', MORNING_MS - MINUTE_MS);
  await clock.advance(30 * MINUTE_MS);
  const schedulers = [told, makeParts([ground.scope]), makeParts([ground.scope])];
  await Promise.all(schedulers.map(({ notifications }) => notifications.sweep()));
  expect((await mailsSent()).map(({ to, subject }) => [to, subject])).toEqual([
    [owner, expect.stringMatching(/^Failed: /u)],
    [owner, 'Summary of 10 January 2026: 1 failed, 0 partly successful'],
  ]);
});

test('who does without the summary still hears of failed runs', async () => {
  const spared = await aPerson({ role: 'administrator', wantsSummary: false });
  const owner = await aPerson({ role: 'owner' });
  await aJob('Europe/Berlin');
  await told.notifications.runEnded(ground.scope, await aRun('failed', MORNING_MS - MINUTE_MS));
  expect((await mailsSent()).map((mail) => mail.to).sort()).toEqual([spared, owner].sort());
  await clock.advance(30 * MINUTE_MS);
  await told.notifications.sweep();
  expect((await mailsSent()).map((mail) => mail.to)).toEqual([owner]);
});

test('new hits of a saved search are sent to its owner, and to the owners of the organisation once that person may no longer search', async () => {
  const owner = await aPerson({ role: 'owner' });
  const administrator = await aPerson({ role: 'administrator', language: 'de' });
  const operator = await aPerson({ role: 'operator' });
  await aPerson({ role: 'administrator' });
  const tellOf = async (email: string) => {
    const found = { searchId: ids.uuid(), name: 'Falcon', ownerId: email.replace('@example.com', ''), hits: 12 };
    await database.within(ground.scope, (tx) => told.notifications.searchFound(tx, ground.scope, found));
    return { searchId: found.searchId, mails: await mailsSent() };
  };
  const { searchId, mails } = await tellOf(administrator);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[administrator, 'Neue Treffer: Falcon']]);
  expect(mails[0]?.text).toContain('Anzahl neuer Elemente: 12.');
  expect(mails[0]?.text).toContain(`https://backup.example/search?saved=${searchId}`);
  expect((await tellOf(operator)).mails.map(({ to }) => to)).toEqual([owner]);
});

test('without a job there is no summary', async () => {
  await aPerson({ role: 'owner' });
  await clock.advance(60 * MINUTE_MS);
  await told.notifications.sweep();
  expect(await mailsSent()).toEqual([]);
});

test('a deviation of the audit log is told to owners and administrators once a night, with what was found', async () => {
  const owner = await aPerson({ role: 'owner' });
  const administrator = await aPerson({ role: 'administrator', language: 'de' });
  await aPerson({ role: 'operator' });
  const found = { night: '2026-01-10', problems: ['event 3: its details were changed'] };
  await told.notifications.auditDeviated(found);
  await told.notifications.auditDeviated(found);
  const mails = await mailsSent();
  expect(mails.map((mail) => mail.to)).toEqual([owner, administrator].toSorted());
  for (const mail of mails) expect(mail.text).toContain('- event 3: its details were changed');
  expect(mails.find((mail) => mail.to === administrator)?.subject).toContain('Überwachungsprotokoll');
  await told.notifications.auditDeviated({ ...found, night: '2026-01-11' });
  expect(await mailsSent()).toHaveLength(2);
});

test('the owner of a mailbox is told who opened it and why, once a day and reader, and only where the organisation wants it', async () => {
  const resourceId = ids.uuid();
  const address = `${resourceId}@contoso.example`;
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('resources')
      .values({
        resource_id: resourceId,
        tenant_id: ground.tenantId,
        workload: 'exchange',
        kind: 'mailbox',
        graph_id: ids.uuid(),
        name: 'Adele Vance',
        address,
        last_code: null,
        last_status: null,
      })
      .execute(),
  );
  const reader = { accountId: ids.uuid(), email: 'reader@contoso.example' };
  const open = (by = reader) =>
    database.within(ground.scope, (tx) =>
      told.notifications.contentOpened(tx, ground.scope, {
        content: { by: 'resource', value: resourceId },
        reader: by,
        reason: 'She asked for it',
      }),
    );
  await open();
  expect(await mailsSent()).toEqual([]);
  await database.within(ground.scope, (tx) => tx.updateTable('organisations').set({ notify_content_access: true }).execute());
  await open();
  await open();
  await open({ accountId: ids.uuid(), email: address });
  const [mail, ...others] = await mailsSent();
  expect([mail?.to, others]).toEqual([address, []]);
  expect(mail?.text).toContain('reader@contoso.example has opened content of Adele Vance');
  expect(mail?.text).toContain('She asked for it');
  await clock.advance(DAY_MS);
  await open();
  expect(await mailsSent()).toHaveLength(1);
});

test('the day of an organisation is that of its own time zone, whatever its schedules say', async () => {
  await aPerson({ role: 'owner' });
  await aJob('America/New_York');
  await told.notifications.sweep();
  expect(await mailsSent()).toEqual([]);
  await database.within(ground.scope, (tx) => tx.updateTable('organisations').set({ time_zone: 'Europe/Helsinki' }).execute());
  await told.notifications.sweep();
  expect(await mailsSent()).toHaveLength(1);
});

test('an alarm about a run is over when the next run of its job is successful, which is said once, and of no other run', async () => {
  const email = await aPerson({ role: 'owner' });
  const [job, other] = [await aJob('Europe/Berlin'), await aJob('Europe/Berlin')];
  const said = async (): Promise<string[]> => (await mailsSent()).map(({ to, subject }) => `${to} ${subject}`);
  const ended = async (status: 'failed' | 'successful', jobId: string): Promise<void> =>
    told.notifications.runEnded(ground.scope, await aRun(status, clock.nowMs(), jobId));
  await ended('successful', job);
  await ended('failed', job);
  await said();
  await ended('successful', other);
  expect(await said()).toEqual([]);
  await ended('successful', job);
  expect(await said()).toEqual([expect.stringContaining(`${email} Works again: Mail <every> night`)]);
  await ended('successful', job);
  await told.notifications.sweep();
  expect((await said()).filter((line) => line.includes('Works again'))).toEqual([]);
  const events = await db.asSuperuser(
    "select payload::jsonb->>'outcome' as outcome, event from audit_inbox where event like 'alarms.%' order by id desc",
  );
  expect(events.slice(0, 2).map(({ event }) => event)).toEqual(['alarms.run-over', 'alarms.run']);
});

test('the end of an alarm that could not be told at once is told by the sweep', async () => {
  await aPerson({ role: 'owner' });
  const job = await aJob('Europe/Berlin');
  await told.notifications.runEnded(ground.scope, await aRun('failed', clock.nowMs(), job));
  await mailsSent();
  await aRun('successful', clock.nowMs(), job);
  await told.notifications.sweep();
  expect((await mailsSent()).filter(({ subject }) => subject.startsWith('Works again'))).toHaveLength(1);
});
