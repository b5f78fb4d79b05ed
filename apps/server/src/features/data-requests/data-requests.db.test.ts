import type { Overview } from '@holdfast/contract/dashboard';
import type { DataRequest, DataRequestDetails, DataRequestItem } from '@holdfast/contract/data-requests';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testIds as ids } from '../../testing/rows.ts';
import { everyone } from '../../testing/simulated-tenant.ts';
import { createExportGround, MAILS } from '../exports/testing/export-ground.ts';
import { createDataRequestsService, type DataRequestsParts } from './data-requests.service.ts';
import { lastDay } from './request-clock.ts';

/** Requests of people about their own data over HTTP, about somebody whose mail is really archived and backed up. */
const testing = testDatabase(import.meta.url);
const ground = createExportGround(testing);
const { send, told, codeOf, exported, ended, unpacked, verified, filesIn, imported, person } = ground;
const OTHERS = {
  from: (address: string) => `From: ${address}\nTo: x@fabrikam.example\nSubject: From them\n\nQuince\n`,
  to: (address: string) => `From: x@fabrikam.example\nTo: ${address}\nSubject: To them\n\nQuince\n`,
  named: (name: string) => `From: x@fabrikam.example\nTo: y@fabrikam.example\nSubject: Named\n\nQuince: ask ${name} about it.\n`,
  neither: () => 'From: x@fabrikam.example\nTo: y@fabrikam.example\nSubject: Unrelated\n\nQuince\n',
};
let resourceId: string;
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  await ground.open();
  const { name, address } = person(0);
  await imported(
    'others',
    { '1.eml': OTHERS.from(address), '2.eml': OTHERS.to(address), '3.eml': OTHERS.named(name), '4.eml': OTHERS.neither() },
    person(1),
  );
  const source = { ...everyone, everyone: false, users: [person(0), person(1)] };
  await ground.tenant.finish(await ground.tenant.job({ type: 'backup', name: 'Mail', source }));
  const [row] = await testing.asSuperuser("select resource_id from resources where kind = 'mailbox' and graph_id = $1", [person(0).id]);
  resourceId = String(row?.['resource_id']);
  await vi.waitFor(
    async () => {
      const { coverage } = await told<SearchAnswer>(await send('search', { body: { query: '', reason: 'Wait', limit: 1 } }));
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 300 },
  );
}, 240_000);
afterAll(() => ground.close());

const register = async (receivedOn = dayAgo(2)): Promise<DataRequestDetails> =>
  told(await send('data-requests', { body: { resourceId, receivedOn, note: 'E-mail of yesterday' } }));
const get = async (requestId: string): Promise<DataRequestDetails> => told(await send(`data-requests/${requestId}`));
const totalOf = async (query: string): Promise<number> =>
  (await told<SearchAnswer>(await send('search', { body: { query, reason: 'Compare', limit: 1 } }))).total;

async function itemsOf(requestId: string, filter = ''): Promise<DataRequestItem[]> {
  const found: DataRequestItem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<DataRequestItem> = await told(
      await send(`data-requests/${requestId}/items?limit=100${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`),
    );
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

test('a request for access finds all of a person, and where others mention them; what is left out is not in the package and counted', async () => {
  const { name, address } = person(0);
  const { requestId, collected, places } = await register();
  const own = await totalOf(`mailbox="${address}"`);
  const mention = await totalOf(`(from:"${address}" OR recipients:"${address}" OR "${name}") -mailbox="${address}"`);
  expect(own).toBeGreaterThan(MAILS.length);
  expect(collected).toMatchObject({ own: { items: own }, mention: { items: mention }, leftOut: 0, notReached: 0, notSearched: 0 });
  expect(
    places
      .filter(({ part }) => part === 'own')
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['archive', 'mailbox']);
  const mentions = await itemsOf(requestId, '&part=mention');
  const quinces = mentions.filter(({ hit }) => ['From them', 'To them', 'Named'].includes(hit?.title ?? ''));
  expect(new Set(quinces.map(({ hit }) => hit?.title))).toEqual(new Set(['From them', 'Named', 'To them']));
  expect((await itemsOf(requestId)).map(({ hit }) => hit?.title)).not.toContain('Unrelated');

  expect(quinces).toHaveLength(3);
  const [secret] = quinces.filter(({ hit }) => hit?.title === 'Named');
  const leave = (positions: readonly number[]) =>
    send(`data-requests/${requestId}/leave-out`, { body: { positions, reason: 'Trade secrets of a customer' } });
  expect(await codeOf(await leave([secret?.position ?? 0, 1_000_000]))).toBe('400 data-requests.item-unknown');
  expect((await get(requestId)).collected?.leftOut).toBe(0);
  const left = await told<DataRequestDetails>(await leave([secret?.position ?? 0]));
  expect(left).toMatchObject({ collected: { leftOut: 1 }, leftOut: [{ reason: 'Trade secrets of a customer', items: 1 }] });
  // An item that is found again stays left out, even under another number.
  const again = await told<DataRequestDetails>(await send(`data-requests/${requestId}/collect`, { method: 'POST' }));
  expect(again.collected).toMatchObject({ own: { items: own }, mention: { items: mention }, leftOut: 1 });
  expect((await itemsOf(requestId, '&leftOut=true')).map(({ hit }) => hit?.title)).toEqual(['Named']);

  const one = await ended(await exported({ source: { kind: 'dataRequest', requestId } }));
  expect(one).toMatchObject({ status: 'successful', items: own + mention - 1, failed: 0 });
  const into = await unpacked(one, 'access');
  expect((await verified(into))[0]).toMatch(/^The export is whole/u);
  const hashes = await Promise.all((await filesIn(into, '.eml')).map(async (file) => sha256Hex(await readFile(path.join(into, file)))));
  const hashOf = (text: string): string => sha256Hex(Buffer.from(text, 'latin1'));
  for (const text of [...MAILS, OTHERS.from(address), OTHERS.to(address)]) expect(hashes).toContain(hashOf(text));
  expect(hashes).not.toContain(hashOf(OTHERS.named(name)));
  expect((await get(requestId)).exported).toMatchObject({
    exportId: one.exportId,
    items: own + mention - 1,
    manifestHash: one.manifestHash,
  });

  for (const language of ['en', 'de']) {
    const to = `/apollo/api/${ground.tenant.tenantId}/printed-reports/data-requests/${requestId}?language=${language}`;
    const letter = await ground.running.server.send(to, { token: ground.owner.tokens.main });
    expect([letter.status, (await letter.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
  }
  const [back] = await itemsOf(requestId, '&leftOut=true');
  const put = await send(`data-requests/${requestId}/put-back`, { body: { positions: [back?.position] } });
  expect((await told<DataRequestDetails>(put)).collected?.leftOut).toBe(0);
  const log = await testing.asSuperuser(
    `select event, payload ->> 'reason' as reason from (select event, payload::jsonb, subject_id from audit_inbox
       union all select event, payload::jsonb, subject_id from audit_events) told where subject_id = $1`,
    [requestId],
  );
  for (const event of ['registered', 'collected', 'listed', 'left-out', 'put-back'])
    expect(
      log.map((row) => row['event']),
      event,
    ).toContain(`data-requests.${event}`);
  expect(log).toContainEqual({ event: 'data-requests.left-out', reason: 'Trade secrets of a customer' });
}, 120_000);

test('an answer is due a month after receipt, once extended after three; the register has access and erasure, and keeps what was answered', async () => {
  const received = dayAgo(20);
  const { requestId, dueOn, daysLeft } = await register(received);
  expect(dueOn).toBe(lastDay(received, false));
  expect(daysLeft).toBe(Math.round((Date.parse(dueOn) - Date.parse(dayAgo(0))) / 86_400_000));
  const extend = () => send(`data-requests/${requestId}/extend`, { body: { reason: 'Very many items' } });
  expect(await told(await extend())).toMatchObject({
    dueOn: lastDay(received, true),
    extension: { reason: 'Very many items', by: ground.owner.email },
  });
  expect(await codeOf(await extend())).toBe('409 data-requests.extended');
  const late = await register(dayAgo(40));
  expect(late.daysLeft).toBeLessThan(0);
  expect(await codeOf(await send(`data-requests/${late.requestId}/extend`, { body: { reason: 'Too late' } }))).toBe(
    '409 data-requests.too-late',
  );
  const future = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  expect(await codeOf(await send('data-requests', { body: { resourceId, receivedOn: future, note: 'Later' } }))).toBe(
    '400 data-requests.in-future',
  );

  const answer = (answeredOn: string) =>
    send(`data-requests/${requestId}/answer`, { body: { outcome: 'partial', how: '=By registered post', answeredOn } });
  expect(await codeOf(await answer(dayAgo(21)))).toBe('400 data-requests.before-receipt');
  expect(await codeOf(await answer(future))).toBe('400 data-requests.in-future');
  expect(await told(await answer(dayAgo(0)))).toMatchObject({
    daysLeft: null,
    answer: { outcome: 'partial', answeredOn: dayAgo(0), by: ground.owner.email },
  });
  for (const [verb, body] of [
    ['answer', { outcome: 'refused', how: 'Again', answeredOn: dayAgo(0) }],
    ['collect', {}],
    ['leave-out', { positions: [1], reason: 'Too late' }],
  ] as const)
    expect(await codeOf(await send(`data-requests/${requestId}/${verb}`, { body })), verb).toBe('409 data-requests.answered');
  expect(
    await codeOf(await send('exports', { body: { source: { kind: 'dataRequest', requestId }, name: 'X', format: 'eml', reason: 'Test' } })),
  ).toBe('409 data-requests.answered');

  const erasure = { resourceId, reason: 'Art. 17, ticket 9', receivedOn: dayAgo(5) };
  const draft = await told<DeletionDetails>(await send('deletions/people', { body: erasure }));
  const erasures = async () => (await told<Page<DataRequest>>(await send('data-requests?kind=erasure'))).items;
  expect(await erasures()).toMatchObject([
    { kind: 'erasure', note: erasure.reason, receivedOn: erasure.receivedOn, deletion: { deletionId: draft.deletionId, state: 'draft' } },
  ]);
  const [entry] = await erasures();
  expect(await codeOf(await send(`data-requests/${entry?.requestId}/collect`, { body: {} }))).toBe('409 data-requests.not-access');
  expect((await send(`deletions/${draft.deletionId}`, { method: 'DELETE' })).status).toBe(204);
  expect(await erasures()).toMatchObject([{ note: erasure.reason, deletion: null, daysLeft: expect.any(Number) as number }]);

  const all = await told<Page<DataRequest>>(await send('data-requests?limit=200'));
  const csv = (await (await send('data-requests/csv')).text()).trimEnd().split('\r\n');
  expect(csv).toHaveLength(all.total + 1);
  const [line] = csv.filter((text) => text.includes("'=By registered post"));
  for (const part of [person(0).address, received, lastDay(received, true), 'Very many items', 'partial', dayAgo(0), ground.owner.email])
    expect(line).toContain(part);
  expect(csv.filter((text) => text.startsWith('erasure,'))).toHaveLength(1);
}, 60_000);

test('people are reminded once before each end, and the overview shows what is due to those alone who handle requests', async () => {
  await testing.asSuperuser('delete from data_requests');
  const nearly = dayAgo(26);
  const { requestId } = await register(nearly);
  await register(dayAgo(1));
  const reminded: string[] = [];
  const remind = (_tx: unknown, _scope: unknown, due: { dueOn: string }) => Promise.resolve(void reminded.push(due.dueOn));
  // Reminding asks nobody and writes no log.
  const service = createDataRequestsService({
    database: testing.database,
    clock: systemClock,
    ids,
    remind,
  } as unknown as DataRequestsParts);
  const scope = { organisationId: ground.owner.organisationId, realm: 'production' } as const;
  for (let turn = 0; turn < 2; turn += 1) await service.remind(scope);
  expect(reminded).toEqual([lastDay(nearly, false)]);
  const attention = async (token: string) => {
    const to = `/apollo/api/${ground.tenant.tenantId}/dashboard/attention`;
    const { items } = (await (await ground.running.server.send(to, { token })).json()) as { items: Overview['attention'] };
    return items.filter(({ kind }) => kind === 'request');
  };
  expect(await attention(ground.owner.tokens.main)).toMatchObject([{ code: 'requests.due', others: 0, isRisk: false, name: '' }]);
  const operator = await ground.running.server.member(ground.owner.organisationId, 'operator');
  expect(await attention(operator.tokens.main)).toEqual([]);
  await told(await send(`data-requests/${requestId}/extend`, { body: { reason: 'Very many items' } }));
  await service.remind(scope);
  expect(reminded).toHaveLength(1);
  expect(await attention(ground.owner.tokens.main)).toEqual([]);
  await testing.asSuperuser('update data_requests set due_on = current_date - 1 where request_id = $1', [requestId]);
  await service.remind(scope);
  expect(reminded).toHaveLength(2);
  expect(await attention(ground.owner.tokens.main)).toMatchObject([{ code: 'requests.over', isRisk: true }]);
}, 60_000);

test('what the handler may not open is counted and not listed; other roles see no request, and strict access asks for a right', async () => {
  const before = await register();
  const foreign = (await itemsOf(before.requestId, '&part=mention')).find(({ hit }) => hit?.title === 'To them');
  await testing.asSuperuser(
    `insert into private_messages (organisation_id, realm, tenant_id, graph_id, message_id, marked_by, marked_at)
     select organisation_id, realm, tenant_id, graph_id, $1, gen_random_uuid(), now() from resources where kind = 'archive' and graph_id = $2`,
    [sha256Hex(Buffer.from(OTHERS.to(person(0).address), 'latin1')), person(1).id],
  );
  try {
    // Of an item that was marked private since, only the number is left.
    const hidden = (await itemsOf(before.requestId)).find(({ position }) => position === foreign?.position);
    expect(hidden).toMatchObject({ part: 'mention', hit: null });
    const after = await register();
    expect(after.collected?.notReached).toBe(1);
    expect(after.collected?.mention.items).toBe((before.collected?.mention.items ?? 0) - 1);
    expect((await itemsOf(after.requestId)).map(({ hit }) => hit?.title)).not.toContain('To them');
  } finally {
    await testing.asSuperuser('delete from private_messages');
  }
  const { server } = ground.running;
  for (const role of ['operator', 'auditor', 'reader'] as const) {
    const { tokens } = await server.member(ground.owner.organisationId, role);
    for (const to of ['data-requests', 'data-requests/csv', `data-requests/${before.requestId}`, `data-requests/${before.requestId}/items`])
      expect((await send(to, { token: tokens.main })).status, `${role} ${to}`).toBe(403);
    const body = { source: { kind: 'dataRequest', requestId: before.requestId }, name: 'X', format: 'eml', reason: 'Test' };
    expect((await send('exports', { token: tokens.main, body })).status, role).toBe(404);
  }
  await testing.asSuperuser("update organisations set content_access = 'strict'");
  try {
    const [counted] = await testing.asSuperuser('select count(*)::int as requests from data_requests');
    const body = { resourceId, receivedOn: dayAgo(0), note: 'Under strict access' };
    expect(await codeOf(await send('data-requests', { body }))).toBe('403 content.read-right-needed');
    expect(await testing.asSuperuser('select count(*)::int as requests from data_requests')).toEqual([counted]);
    expect(await codeOf(await send(`data-requests/${before.requestId}/items`))).toBe('403 content.read-right-needed');
    const asked = { source: { kind: 'dataRequest', requestId: before.requestId }, name: 'X', format: 'eml', reason: 'Test' };
    expect(await codeOf(await send('exports', { body: asked }))).toBe('403 content.export-right-needed');
  } finally {
    await testing.asSuperuser("update organisations set content_access = 'open'");
  }
}, 60_000);
