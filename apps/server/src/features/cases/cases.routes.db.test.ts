import type { Approval } from '@holdfast/contract/approvals';
import type { CaseDetails, CaseEvent, CasePerson, CaseReport, CaseSummary } from '@holdfast/contract/case-values';
import type { cases } from '@holdfast/contract/cases';
import type { Page } from '@holdfast/contract/paging';
import type { ResponseOf } from '@holdfast/contract/route';
import type { SearchAnswer, SearchHit } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Cases over HTTP, about people of the simulator whose mail, files and chats were really backed up. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let server: TestServer;
let tenant: SimulatedTenant;
let owner: SignedIn;
let administrator: SignedIn;
let auditor: SignedIn;

type Answer<T> = { status: number; body: T & { code?: string } };
type Counted = ResponseOf<typeof cases.countQuery>;

async function ask<T>(who: SignedIn, to: string, body?: object, method?: string): Promise<Answer<T>> {
  const options = { token: who.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  const answer = await server.send(`/apollo/api/${tenant.tenantId}/${to}`, options);
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

async function done<T>(who: SignedIn, to: string, body?: object, method?: string): Promise<T> {
  const answer = await ask<T>(who, to, body, method);
  if (answer.status >= 300) throw new Error(`${to} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const open = (matter: string, who = administrator): Promise<CaseDetails> =>
  done(who, 'archive/cases', { matter, reference: 'HR-17', from: null, to: null });
const people = async (caseId: string, search = ''): Promise<CasePerson[]> =>
  (await done<Page<CasePerson>>(administrator, `archive/cases/${caseId}/people?search=${encodeURIComponent(search)}`)).items;

/** Somebody with a mailbox, a OneDrive and a chat. */
async function aPerson(caseId: string): Promise<CasePerson> {
  const all = (await people(caseId)).filter(({ mailboxes, drives, chats }) => mailboxes > 0 && drives > 0 && chats > 0);
  const [person] = all.toSorted((a, b) => a.chats - b.chats);
  if (!person) throw new Error('Nobody has a mailbox, a OneDrive and a chat.');
  return person;
}

/** A case about one person, with a query for everything. */
async function withPerson(matter: string): Promise<CaseDetails> {
  const { caseId } = await open(matter);
  await done(administrator, `archive/cases/${caseId}/custodians`, { keys: [(await aPerson(caseId)).key] });
  return done(administrator, `archive/cases/${caseId}/queries`, { name: 'All of it', query: '' });
}

async function allHits(query: string): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  for (let cursor: string | null = null; ;) {
    const body = { query, reason: 'Compare', limit: 200, ...(cursor === null ? {} : { cursor }) };
    const page: SearchAnswer = await done(owner, 'archive/search', body);
    found.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null) return found;
  }
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ server } = running);
  const first = await server.owner();
  owner = first;
  administrator = await server.member(first.organisationId, 'administrator');
  auditor = await server.member(first.organisationId, 'auditor');
  tenant = await connectSimulated({ server, owner, simulator: running.simulator, testing, vault: path.join(running.folder, 'vault') });
  for (const job of [
    { name: 'All mail', type: 'backup', workload: 'exchange', source: everyone },
    { name: 'All drives', type: 'backup', workload: 'onedrive', source: everyone },
    { name: 'All chats', type: 'backup', workload: 'teams', source: { ...everyone, options: { chats: true } } },
  ]) {
    await tenant.finish(await tenant.job(job));
  }
  await vi.waitFor(
    async () => {
      const { coverage } = await done<SearchAnswer>(owner, 'archive/search', { query: '', reason: 'Wait', limit: 1 });
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 500 },
  );
}, 240_000);
afterAll(() => running.close());

test('a custodian brings every mailbox, OneDrive and chat they have, as Microsoft 365 has them', async () => {
  const { caseId } = await open('Custodians');
  const persons = (await people(caseId)).filter(({ mailboxes }) => mailboxes > 0);
  const keys = persons.map(({ key }) => key);
  const { custodians } = await done<CaseDetails>(administrator, `archive/cases/${caseId}/custodians`, { keys });
  const rows = await testing.asSuperuser("select resource_id, graph_id from resources where kind = 'chat'");
  const ids = new Map(rows.map((row) => [row['resource_id'], row['graph_id']]));
  const client = await createHttpsClient(running.simulator);
  for (const person of persons) {
    const custodian = custodians.find(({ name }) => name === person.name);
    const { json } = await client.send('GET', `/users/${person.key.slice(2)}/chats?$top=50`);
    const chats = custodian?.resources.filter(({ kind }) => kind === 'chat').map(({ resourceId }) => ids.get(resourceId));
    expect(chats?.sort()).toEqual((json['value'] as { id: string }[]).map(({ id }) => id).sort());
    expect(chats?.length).toBe(person.chats);
    const own = custodian?.resources.filter(({ kind }) => kind !== 'chat');
    expect(own?.every(({ address }) => address.toLowerCase() === person.address)).toBe(true);
    expect(own?.map(({ kind }) => kind)).toEqual(person.drives > 0 ? ['mailbox', 'drive'] : ['mailbox']);
    expect(person.archives).toBe(0);
    expect(custodian?.resources.every(({ points, isHeld }) => points > 0 && !isHeld)).toBe(true);
  }
  client.close();
  expect(new Set(persons.map(({ chats }) => chats)).size).toBeGreaterThan(1);
  const again = await done<CaseDetails>(administrator, `archive/cases/${caseId}/custodians`, { keys: keys.slice(0, 1) });
  expect(again.custodians).toHaveLength(keys.length);
  expect((await ask(administrator, `archive/cases/${caseId}/custodians`, { keys: ['u:nobody'] })).body.code).toBe('cases.person-unknown');
  const [first] = persons;
  expect((await people(caseId, first?.name.toUpperCase())).map(({ key }) => key)).toContain(first?.key);
});

test('A35: the report of a case counts what each query finds and what only it finds, as a comparison of all hits does', async () => {
  const { caseId } = await withPerson('Report');
  const place = `archive/cases/${caseId}`;
  for (const [name, query] of [
    ['Mail', 'kind:email'],
    ['Large', 'size>10KB'],
    ['Nothing', 'Zwetschgenknoedel'],
    ['Either', 'kind:email OR (kind:docs size>10KB)'],
  ]) {
    await done(administrator, `${place}/queries`, { name, query });
  }
  const { queries } = await done<CaseDetails>(administrator, place);
  const found = new Map<string, Map<string, number>>();
  for (const { queryId } of queries) {
    const hits = new Map<string, number>();
    for (let cursor: string | null = null; ;) {
      const body = { limit: 200, ...(cursor === null ? {} : { cursor }) };
      const page: Page<SearchHit> = await done(administrator, `${place}/queries/${queryId}/hits`, body);
      for (const { sourceId, nodeId, sizeBytes } of page.items) hits.set(`${sourceId} ${nodeId}`, sizeBytes);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    found.set(queryId, hits);
  }
  const report = await done<CaseReport>(administrator, `${place}/report`, {});
  const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);
  const isElsewhere = (key: string, queryId: string): boolean => [...found].some(([other, hits]) => other !== queryId && hits.has(key));
  expect(report.queries.map(({ queryId, hits, bytes, unique }) => [queryId, hits, bytes, unique])).toEqual(
    [...found].map(([queryId, hits]) => {
      const only = [...hits.keys()].filter((key) => !isElsewhere(key, queryId));
      return [queryId, hits.size, sum(hits.values()), only.length];
    }),
  );
  const all = new Map([...found.values()].flatMap((hits) => [...hits]));
  expect([report.hits, report.bytes]).toEqual([all.size, sum(all.values())]);
  expect(report.resources.reduce((total, { hits }) => total + hits, 0)).toBe(all.size);
  expect(report.queries.find(({ name }) => name === 'Nothing')).toMatchObject({ hits: 0, unique: 0 });
  expect(report.queries.filter(({ unique }) => unique > 0)).toHaveLength(1);
}, 60_000);

test('a query finds exactly what the search finds of the custodians, in the period of the case, and its count says so', async () => {
  const made = await withPerson('Queries');
  const [query] = made.queries;
  const resourceIds = made.custodians.flatMap(({ resources }) => resources.map(({ resourceId }) => resourceId));
  const theirs = (await allHits('')).filter(({ resource }) => resourceIds.includes(resource.resourceId));
  const place = `archive/cases/${made.caseId}/queries/${query?.queryId ?? ''}`;
  const hits = await done<Page<SearchHit>>(administrator, `${place}/hits`, { limit: 200 });
  expect(hits.items.map(({ hitId }) => hitId)).toEqual(theirs.map(({ hitId }) => hitId));
  const counted = await done<Counted>(administrator, `${place}/count`, {});
  expect([counted.hits, counted.bytes]).toEqual([theirs.length, theirs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)]);
  expect(counted.coverage.items).toBeLessThan(
    (await done<SearchAnswer>(owner, 'archive/search', { query: '', reason: 'All' })).coverage.items,
  );
  const times = theirs.map(({ at }) => at).sort();
  const [from, to] = [times[Math.floor(times.length / 4)], times[Math.floor(times.length / 2)]];
  const changed = await done<CaseDetails>(administrator, `archive/cases/${made.caseId}`, { matter: 'Queries', from, to }, 'PUT');
  expect(changed.queries[0]).toMatchObject({ hits: null, countedAt: null });
  const inPeriod = theirs.filter(({ at }) => at >= (from ?? '') && at <= (to ?? ''));
  expect((await done<Counted>(administrator, `${place}/count`, {})).hits).toBe(inPeriod.length);
  expect(inPeriod.length).toBeLessThan(theirs.length);
});

test('a case without custodians finds nothing, and a query with mistakes changes nothing', async () => {
  const { caseId } = await open('Empty');
  const made = await done<CaseDetails>(administrator, `archive/cases/${caseId}/queries`, { name: 'All', query: 'kind:email' });
  expect(made.queries).toMatchObject([{ name: 'All', readAs: 'kind:email', hits: null }]);
  const place = `archive/cases/${caseId}/queries`;
  const queryId = made.queries[0]?.queryId ?? '';
  expect((await done<Counted>(administrator, `${place}/${queryId}/count`, {})).hits).toBe(0);
  expect((await ask(administrator, place, { name: 'all', query: 'a' })).body.code).toBe('cases.query-name-taken');
  expect((await ask(administrator, place, { name: 'Bad', query: 'form:anna' })).body.code).toBe('search.invalid');
  expect((await ask(administrator, `${place}/${queryId}`, { name: 'All', query: '(' }, 'PUT')).body.code).toBe('search.invalid');
  expect((await done<CaseDetails>(administrator, `archive/cases/${caseId}`)).queries.map(({ query }) => query)).toEqual(['kind:email']);
});

test('only members and owners see a case; an auditor who is a member works in it and manages nothing', async () => {
  const made = await withPerson('Secret');
  const place = `archive/cases/${made.caseId}`;
  const queryId = made.queries[0]?.queryId ?? '';
  const listed = async (who: SignedIn): Promise<boolean> =>
    (await done<Page<CaseSummary>>(who, 'archive/cases?search=secret')).items.some(({ caseId }) => caseId === made.caseId);
  expect([await listed(owner), await listed(administrator), await listed(auditor)]).toEqual([true, true, false]);
  const second = await server.member((await organisationOf()) as never, 'administrator');
  const calls = [
    [place],
    [`${place}/log`],
    [`${place}/people`],
    [`${place}/queries/${queryId}/count`, {}],
    [`${place}/queries/${queryId}/hits`, {}],
    [`${place}/queries`, { name: 'Mine', query: 'a' }],
    [`${place}/custodians`, { keys: ['u:x'] }],
    [`${place}/members`, { userId: second.accountId }],
    [`${place}/holds`, { name: 'Hold', reason: 'Why' }],
    [`${place}/close`, { reason: 'Why' }],
    [`${place}/reopen`, { reason: 'Why' }],
  ] as const;
  for (const [to, body] of calls) expect([to, (await ask(second, to, body)).status]).toEqual([to, 404]);
  await done(administrator, `${place}/members`, { userId: auditor.accountId });
  expect(await listed(auditor)).toBe(true);
  expect((await done<Counted>(auditor, `${place}/queries/${queryId}/count`, {})).hits).toBeGreaterThan(0);
  expect((await ask(auditor, `${place}/custodians`, { keys: ['u:x'] })).status).toBe(403);
  const operator = await server.member((await organisationOf()) as never, 'operator');
  expect((await ask(administrator, `${place}/members`, { userId: operator.accountId })).body.code).toBe('cases.member-unknown');
  expect((await ask(administrator, `${place}/members/${auditor.accountId}`, undefined, 'DELETE')).status).toBe(204);
  expect((await ask(auditor, place)).status).toBe(404);
  expect((await ask(administrator, `${place}/members/${administrator.accountId}`, undefined, 'DELETE')).body.code).toBe(
    'cases.last-member',
  );
});

async function organisationOf(): Promise<string> {
  const [row] = await testing.asSuperuser('select organisation_id from memberships where account_id = $1', [owner.accountId]);
  return String(row?.['organisation_id']);
}

test('everything of the custodians is held in one step; closing keeps the holds only when asked to', async () => {
  const made = await withPerson('Holds');
  const place = `archive/cases/${made.caseId}`;
  const resources = made.custodians.flatMap((custodian) => custodian.resources);
  const held = await done<CaseDetails>(administrator, `${place}/holds`, { name: 'Falcon', reason: 'Court order' });
  expect(held.holds.map(({ resourceId }) => resourceId ?? '').sort()).toEqual(resources.map(({ resourceId }) => resourceId).sort());
  expect(held.holds.every(({ name, status }) => name === 'Falcon' && status === 'active')).toBe(true);
  expect(held.holds.every(({ points, bytes }) => points > 0 && bytes > 0)).toBe(true);
  expect(held.custodians.flatMap((custodian) => custodian.resources).every(({ isHeld }) => isHeld)).toBe(true);
  expect((await ask(administrator, `${place}/holds`, { name: 'Falcon', reason: 'Again' })).body.code).toBe('cases.nothing-to-hold');
  const [first] = held.holds;
  await done(administrator, `holds/${first?.holdId ?? ''}/release`, { reason: 'Settled' });
  const { items } = await done<{ items: Approval[] }>(owner, 'approvals');
  const request = items.find(({ subjectId }) => subjectId === first?.holdId);
  expect((await ask(administrator, `approvals/${request?.approvalId ?? ''}/approve`, {})).status).toBe(403);
  await done(owner, `approvals/${request?.approvalId ?? ''}/approve`, {});
  expect((await ask(administrator, `${place}/close`, { reason: 'Over' })).body.code).toBe('cases.holds-in-force');
  const closed = await done<CaseDetails>(administrator, `${place}/close`, { reason: 'Over', keepHolds: true });
  expect([closed.status, closed.holds.filter(({ status }) => status === 'active').length]).toEqual(['closed', resources.length - 1]);
});

test('nothing in a closed case changes until it is reopened, and its log tells what was done by whom and why', async () => {
  const made = await withPerson('Closing');
  const place = `archive/cases/${made.caseId}`;
  const queryId = made.queries[0]?.queryId ?? '';
  const custodianId = made.custodians[0]?.custodianId ?? '';
  await done(administrator, `${place}/close`, { reason: 'Settled out of court' });
  const calls = [
    ['PUT', place, { matter: 'Other' }],
    ['POST', `${place}/close`, { reason: 'Again' }],
    ['POST', `${place}/members`, { userId: auditor.accountId }],
    ['DELETE', `${place}/members/${administrator.accountId}`],
    ['POST', `${place}/custodians`, { keys: ['u:x'] }],
    ['DELETE', `${place}/custodians/${custodianId}`],
    ['POST', `${place}/holds`, { name: 'Hold', reason: 'Why' }],
    ['POST', `${place}/queries`, { name: 'More', query: 'a' }],
    ['PUT', `${place}/queries/${queryId}`, { name: 'More', query: 'a' }],
    ['DELETE', `${place}/queries/${queryId}`],
    ['POST', `${place}/queries/${queryId}/count`, {}],
    ['POST', `${place}/queries/${queryId}/hits`, {}],
  ] as const;
  const before = await done<CaseDetails>(owner, place);
  for (const [method, to, body] of calls) {
    const answer = await ask(administrator, to, body, method);
    expect([method, to, answer.status, answer.body.code]).toEqual([method, to, 409, 'cases.closed']);
  }
  expect(await done<CaseDetails>(owner, place)).toEqual(before);
  await done(owner, `${place}/reopen`, { reason: 'New evidence' });
  expect((await ask(owner, `${place}/reopen`, { reason: 'Again' })).body.code).toBe('cases.not-closed');
  await done(administrator, `${place}/custodians/${custodianId}`, undefined, 'DELETE');
  const { items, total } = await done<Page<CaseEvent>>(administrator, `${place}/log`);
  expect(items.map(({ event, actor, reason }) => [event, actor, reason])).toEqual([
    ['cases.custodian-removed', administrator.email, null],
    ['cases.reopened', owner.email, 'New evidence'],
    ['cases.closed', administrator.email, 'Settled out of court'],
    ['cases.query-added', administrator.email, null],
    ['cases.custodians-added', administrator.email, null],
    ['cases.opened', administrator.email, null],
  ]);
  expect(total).toBe(6);
});
