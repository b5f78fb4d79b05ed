import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { HoldNotice, NoticePerson } from '@holdfast/contract/hold-notices';
import type { Hold } from '@holdfast/contract/holds';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { secureRandom as random } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mail } from '../../mail/mail.ts';
import { createMailQueue } from '../../mail/mail-queue.ts';
import { aGround, aResource, aSealing, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createHoldNoticesFeature } from './index.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
const DAY_MS = 86_400_000;
const words = { subject: 'Please keep everything', message: 'Delete nothing about Falcon.\n\nThank you.', language: 'en', remindDays: 7 };

interface Listed {
  readonly isMailed: boolean;
  readonly untold: readonly NoticePerson[];
  readonly items: readonly HoldNotice[];
}
type Answer<T> = { readonly status: number; readonly body: T & { readonly code?: string; readonly errors?: unknown } };

let server: TestServer;
let owner: SignedIn;
let ground: Ground;
let mailbox = '';
let delivered: Mail[] = [];
let takes = true;

const sealing = aSealing(database);
const transport = {
  async send(mail: Mail): Promise<void> {
    if (!takes) throw new Error('the mail server does not answer');
    delivered.push(mail);
  },
};
const queueAt = (clock: typeof systemClock) => createMailQueue({ database, sealing, transport, clock, ids, logger });

/** The reminders of another process, at a time of the test's. */
function remindersAt(atMs: number) {
  const clock = createFakeClock(atMs);
  const audit = createAuditInbox({ clock, ids });
  const ports = { database, audit, mail: queueAt(clock), hasMailTransport: true, publicUrl: () => 'https://backup.example' };
  return { clock, reminders: createHoldNoticesFeature({ ...ports, clock, ids, random, logger }).reminders };
}

async function aMailbox(graphId: string, name: string): Promise<string> {
  const resourceId = await aResource(database, ground, { graphId, name });
  await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [`${graphId}@contoso.example`, resourceId]);
  return resourceId;
}

beforeAll(async () => {
  server = await testServer(testing, { settings: { HOLDFAST_SMTP_URL: 'smtp://127.0.0.1:9' } });
  ground = await aGround(database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  mailbox = await aMailbox('ann', 'Ann Ash');
}, 120_000);
beforeEach(async () => {
  // A hold of another test may be due as well: each test looks at its own mails.
  await testing.asSuperuser('update hold_notice_recipients set remind_at = null');
  await testing.asSuperuser('update mails set sent_at = now() where sent_at is null');
  delivered = [];
  takes = true;
});
afterAll(() => server.close());

async function send<T>(path: string, body?: unknown, who: SignedIn = owner): Promise<Answer<T>> {
  const to = `/apollo/api/${ground.tenantId}/${path}`;
  const answer = await server.send(to, { token: who.tokens.main, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: (await answer.json()) as Answer<T>['body'] };
}

async function aHold(resourceId = mailbox): Promise<string> {
  const placed = await send<Hold>('holds', { name: 'Falcon', reason: 'Court order', resourceId });
  expect(placed.status).toBe(201);
  return placed.body.holdId;
}

async function told(holdId: string, recipients: readonly string[], changes: object = {}): Promise<HoldNotice> {
  const sent = await send<HoldNotice>(`holds/${holdId}/notices`, { ...words, recipients, ...changes });
  expect(sent.status).toBe(201);
  return sent.body;
}

const list = async (holdId: string): Promise<Listed> => (await send<Listed>(`holds/${holdId}/notices`)).body;
const recipientsOf = async (holdId: string) => (await list(holdId)).items.flatMap(({ recipients }) => recipients);
const codeOf = (mail: Mail | undefined): string => /\/hold-notice\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';

/** What anybody without a session gets who has a link. */
async function byLink(verb: 'look' | 'acknowledge', code: string, base = 'apollo'): Promise<Answer<{ acknowledgedAt: string | null }>> {
  const answer = await server.send(`/${base}/api/hold-notices/${verb}`, { body: { code } });
  return { status: answer.status, body: (await answer.json()) as Answer<{ acknowledgedAt: string | null }>['body'] };
}

test('a notice goes to each recipient once, with a link of their own, and counts as sent only when the mail server has taken it', async () => {
  const holdId = await aHold();
  const notice = await told(holdId, ['ann@contoso.example', 'ANN@contoso.example', "pat.o'hara@fabrikam.example"]);
  expect(notice.recipients).toMatchObject([
    { address: 'ANN@contoso.example', name: 'Ann Ash', mail: 'waiting', sentAt: null },
    { address: "pat.o'hara@fabrikam.example", name: '', mail: 'waiting', sentAt: null },
  ]);
  takes = false;
  await queueAt(systemClock).sendDue();
  expect((await recipientsOf(holdId)).map(({ mail }) => mail)).toEqual(['waiting', 'waiting']);
  takes = true;
  await queueAt(createFakeClock(Date.now() + 60_000)).sendDue();
  const sent = await recipientsOf(holdId);
  expect(sent.map(({ mail, sentAt }) => [mail, sentAt !== null])).toEqual([
    ['sent', true],
    ['sent', true],
  ]);
  expect(delivered.map(({ to }) => to).toSorted()).toEqual(['ANN@contoso.example', "pat.o'hara@fabrikam.example"]);
  expect(new Set(delivered.map(codeOf)).size).toBe(2);
  expect(delivered[0]?.subject).toBe('Please keep everything');
  expect(delivered[0]?.text).toContain(words.message);
  expect(delivered[0]?.html).toContain('Delete nothing about Falcon.<br><br>Thank you.');
});

test('a mail that no mail server takes is given up and said to have failed', async () => {
  const holdId = await aHold();
  await told(holdId, ['ann@contoso.example']);
  takes = false;
  for (let attempt = 1; attempt <= 12; attempt += 1) await queueAt(createFakeClock(Date.now() + attempt * 7_200_000)).sendDue();
  expect(await recipientsOf(holdId)).toMatchObject([{ mail: 'failed', sentAt: null, acknowledgedAt: null }]);
});

test('without a mail server nothing is called sent', async () => {
  const without = await testServer(testing);
  const holdId = await aHold();
  const path = `/apollo/api/${ground.tenantId}/holds/${holdId}/notices`;
  await without.send(path, { token: owner.tokens.main, body: { ...words, recipients: ['ann@contoso.example'] } });
  await queueAt(systemClock).sendDue();
  const listed = (await (await without.send(path, { token: owner.tokens.main })).json()) as Listed;
  await without.close();
  expect(listed).toMatchObject({ isMailed: false, items: [{ recipients: [{ mail: 'filed', sentAt: null }] }] });
  expect((await list(holdId)).isMailed).toBe(true);
});

test('whoever has the link reads the notice and acknowledges it once, and the hold and the audit log say who and when', async () => {
  const holdId = await aHold();
  await told(holdId, ['ann@contoso.example', 'ben@contoso.example']);
  await queueAt(systemClock).sendDue();
  const code = codeOf(delivered.find(({ to }) => to === 'ann@contoso.example'));
  const looked = await byLink('look', code);
  expect(looked.status).toBe(200);
  expect(looked.body).toMatchObject({
    address: 'ann@contoso.example',
    organisationName: 'Contoso',
    sender: owner.email,
    acknowledgedAt: null,
  });
  expect(looked.body).toMatchObject({ subject: words.subject, message: words.message });
  expect(JSON.stringify(looked.body)).not.toMatch(/Falcon"|Court order|ben@contoso/);
  const [first, again] = await Promise.all([byLink('acknowledge', code), byLink('acknowledge', code)]);
  expect(first.body.acknowledgedAt).not.toBeNull();
  expect(again.body.acknowledgedAt).toBe(first.body.acknowledgedAt);
  expect((await byLink('look', code)).body.acknowledgedAt).toBe(first.body.acknowledgedAt);
  expect(await recipientsOf(holdId)).toMatchObject([
    { address: 'ann@contoso.example', acknowledgedAt: first.body.acknowledgedAt, nextReminderAt: null },
    { address: 'ben@contoso.example', acknowledgedAt: null },
  ]);
  const events = await testing.asSuperuser(
    "select event, payload from audit_inbox where subject_id = $1 and event like 'hold-notices.%' order by at",
    [holdId],
  );
  expect(events).toMatchObject([
    { event: 'hold-notices.sent', payload: { actor: owner.email } },
    { event: 'hold-notices.acknowledged', payload: { actorKind: 'anonymous', actor: 'ann@contoso.example' } },
  ]);
  expect(JSON.stringify(events)).not.toContain(code);
});

test('a link is no key to anything else, and a wrong one, an old one and one of an ended hold get the same answer', async () => {
  const holdId = await aHold();
  await told(holdId, ['ann@contoso.example', 'ben@contoso.example']);
  await queueAt(systemClock).sendDue();
  const [code = '', old = ''] = delivered.map(codeOf);
  const asToken = await server.send(`/apollo/api/${ground.tenantId}/holds`, { token: code });
  expect(asToken.status).toBe(401);
  expect((await server.send('/apollo/api/invitations/look', { body: { code } })).status).toBe(410);
  expect((await byLink('look', code)).status).toBe(200);
  await testing.asSuperuser("update hold_notice_mails set expires_at = now() - interval '1 second' where code_hash = sha256($1::bytea)", [
    Buffer.from(old),
  ]);
  const refused = [await byLink('look', 'x'.repeat(43)), await byLink('look', old), await byLink('acknowledge', old)];
  refused.push(await byLink('look', code, 'apollo-beta'));
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);
  refused.push(await byLink('look', code), await byLink('acknowledge', code));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([410]));
  expect(new Set(refused.map(({ body }) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1);
  expect((await recipientsOf(holdId)).map(({ acknowledgedAt }) => acknowledgedAt)).toEqual([null, null]);
});

test('custodians are proposed until they have been told, and a notice of one hold of a case is seen on its others and in its log', async () => {
  await aMailbox('cara', 'Cara Dunne');
  await aMailbox('dan', 'Dan Jump');
  const made = (await send<CaseDetails>('archive/cases', { matter: 'Falcon' })).body;
  const place = `archive/cases/${made.caseId}`;
  const people = (await send<Page<CasePerson>>(`${place}/people`)).body.items;
  const keys = people.filter(({ address }) => /^(cara|dan)@/.test(address)).map(({ key }) => key);
  await send(`${place}/custodians`, { keys });
  const { holds } = (await send<CaseDetails>(`${place}/holds`, { name: 'Falcon', reason: 'Court order' })).body;
  const [one = '', other = ''] = holds.map(({ holdId }) => holdId);
  expect((await list(one)).untold.map(({ name }) => name)).toEqual(['Cara Dunne', 'Dan Jump']);
  expect((await list(await aHold())).untold).toEqual([{ name: 'Ann Ash', address: 'ann@contoso.example' }]);
  await told(one, ['cara@contoso.example']);
  expect((await list(other)).untold.map(({ name }) => name)).toEqual(['Dan Jump']);
  expect((await list(other)).items).toMatchObject([{ recipients: [{ name: 'Cara Dunne' }] }]);
  await queueAt(systemClock).sendDue();
  // The hold that the notice was sent from ends; the matter goes on in the other one.
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [one]);
  expect((await byLink('acknowledge', codeOf(delivered[0]))).status).toBe(200);
  const log = (await send<Page<{ event: string; actor: string }>>(`${place}/log`)).body.items;
  expect(log).toContainEqual(expect.objectContaining({ event: 'hold-notices.acknowledged', actor: 'cara@contoso.example' }));
});

test('whoever has not acknowledged is reminded at the interval, once however many processes look, and five times at most', async () => {
  const holdId = await aHold();
  await told(holdId, ['ann@contoso.example', 'ben@contoso.example']);
  await queueAt(systemClock).sendDue();
  expect((await byLink('acknowledge', codeOf(delivered.find(({ to }) => to.startsWith('ann'))))).status).toBe(200);
  const { clock, reminders } = remindersAt(Date.now() + 6.9 * DAY_MS);
  expect(await reminders.sweep()).toBe(0);
  delivered = [];
  await clock.advance(DAY_MS);
  const beside = remindersAt(clock.nowMs()).reminders;
  expect((await Promise.all([reminders.sweep(), beside.sweep()])).toSorted()).toEqual([0, 1]);
  await queueAt(clock).sendDue();
  expect(delivered.map(({ to, subject }) => [to, subject])).toEqual([['ben@contoso.example', 'Reminder: Please keep everything']]);
  for (let week = 2; week <= 7; week += 1) {
    await clock.advance(7 * DAY_MS);
    await reminders.sweep();
    await queueAt(clock).sendDue();
  }
  expect(delivered).toHaveLength(5);
  expect(await recipientsOf(holdId)).toMatchObject([
    { address: 'ann@contoso.example', reminders: 0 },
    { address: 'ben@contoso.example', reminders: 5, nextReminderAt: null },
  ]);
  const events = await testing.asSuperuser("select 1 from audit_inbox where subject_id = $1 and event = 'hold-notices.reminded'", [holdId]);
  expect(events).toHaveLength(5);
});

test('nobody is reminded of a mail that still waits, of a hold that has ended, or where no reminder was wanted', async () => {
  const [waiting, ended, never] = [await aHold(), await aHold(), await aHold()];
  for (const holdId of [ended, never]) await told(holdId, ['ann@contoso.example'], holdId === never ? { remindDays: null } : {});
  await queueAt(systemClock).sendDue();
  await told(waiting, ['ann@contoso.example']);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [ended]);
  const { clock, reminders } = remindersAt(Date.now() + 8 * DAY_MS);
  expect(await reminders.sweep()).toBe(0);
  expect((await recipientsOf(ended))[0]?.nextReminderAt).toBeNull();
  await queueAt(clock).sendDue();
  await clock.advance(DAY_MS);
  expect(await reminders.sweep()).toBe(1);
  expect((await recipientsOf(waiting))[0]?.reminders).toBe(1);
});

test('only those who may manage deletions see and send notices, of holds of their own tenant that are in force, in production', async () => {
  const holdId = await aHold();
  const body = { ...words, recipients: ['ann@contoso.example'] };
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const who = await server.member(ground.scope.organisationId, role);
    expect((await send(`holds/${holdId}/notices`, undefined, who)).status).toBe(403);
    expect((await send(`holds/${holdId}/notices`, body, who)).status).toBe(403);
  }
  const elsewhere = await aGround(database);
  const stranger = await server.member(elsewhere.scope.organisationId, 'owner');
  const foreign = `/apollo/api/${elsewhere.tenantId}/holds/${holdId}/notices`;
  expect((await server.send(foreign, { token: stranger.tokens.main })).status).toBe(404);
  expect((await server.send(foreign, { token: stranger.tokens.main, body })).status).toBe(404);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);
  expect((await send(`holds/${holdId}/notices`, body)).body.code).toBe('hold-notices.hold-ended');
  expect((await list(holdId)).items).toEqual([]);
});

test('staging rehearses holds and sends no notice of them', async () => {
  const realm = 'staging';
  const scope = { organisationId: ground.scope.organisationId, realm } as const;
  const tenantId = ids.uuid();
  const holdId = ids.uuid();
  await testing.asSuperuser(
    `insert into tenants select (jsonb_populate_record(tenant, jsonb_build_object('realm', 'staging', 'tenant_id', $1::text))).* from tenants tenant where tenant_id = $2`,
    [tenantId, ground.tenantId],
  );
  await database.within(scope, (tx) =>
    tx
      .insertInto('holds')
      .values({
        hold_id: holdId,
        tenant_id: tenantId,
        resource_id: null,
        case_id: null,
        search_id: null,
        search_name: null,
        search_query: null,
        name: 'Rehearsal',
        reason: 'Training',
        from_at: new Date(),
        placed_by: owner.accountId,
        placer: owner.email,
        placed_at: new Date(),
        release_reason: null,
      })
      .execute(),
  );
  const to = `/apollo-beta/api/${tenantId}/holds/${holdId}/notices`;
  const refused = await server.send(to, { token: owner.tokens.staging, body: { ...words, recipients: ['ann@contoso.example'] } });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'hold-notices.staging']);
  await queueAt(systemClock).sendDue();
  expect(delivered).toEqual([]);
});

test('bad input names its field and sends nothing', async () => {
  const holdId = await aHold();
  const bad = [
    [{ recipients: [] }, 'recipients'],
    [{ recipients: ['ann@contoso.example\r\nbcc: all@contoso.example'] }, 'recipients.0'],
    [{ recipients: Array.from({ length: 201 }, (_, at) => `p${at}@contoso.example`) }, 'recipients'],
    [{ subject: 'Two\nlines' }, 'subject'],
    [{ message: ' ' }, 'message'],
    [{ remindDays: 31 }, 'remindDays'],
  ] as const;
  for (const [change, field] of bad) {
    const refused = await send(`holds/${holdId}/notices`, { ...words, recipients: ['ann@contoso.example'], ...change });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(`"${field}"`);
  }
  expect((await list(holdId)).items).toEqual([]);
});

test('an account sends 30 notices an hour, and another one its own', async () => {
  const holdId = await aHold();
  const [busy, other] = [
    await server.member(ground.scope.organisationId, 'owner'),
    await server.member(ground.scope.organisationId, 'administrator'),
  ];
  const limited = await testServer(testing, { settings: { HOLDFAST_IDENTITY_PROFILE: 'hardened' } });
  const path = `/apollo/api/${ground.tenantId}/holds/${holdId}/notices`;
  const empty = async (who: SignedIn): Promise<number> =>
    (await limited.send(path, { token: who.tokens.main, body: { ...words, recipients: [] } })).status;
  const answers = [];
  for (let turn = 0; turn < 31; turn += 1) answers.push(await empty(busy));
  const beside = await empty(other);
  await limited.close();
  expect(answers).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
  expect(beside).toBe(400);
});

test('what was sent and who acknowledged it stays when the hold has ended, and the application cannot remove it', async () => {
  const holdId = await aHold();
  await told(holdId, ['ann@contoso.example']);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);
  expect((await list(holdId)).items).toHaveLength(1);
  for (const table of ['hold_notices', 'hold_notice_recipients', 'hold_notice_mails'] as const) {
    await expect(database.within(ground.scope, (tx) => tx.deleteFrom(table).execute())).rejects.toThrow(/permission denied/);
  }
});
