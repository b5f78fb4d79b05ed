import type { CaseDetails } from '@holdfast/contract/case-values';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256 } from '@holdfast/foundation/bytes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyRoute, type NamedRoute } from '../../http/every-route.ts';
import { aGround, aRunRow, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';

/**
 * A route that opens content of others names the refusal among its errors, and is asked here by an owner without a right in
 * an organisation with strict access. Whoever adds a route that streams a file has to sort it here, too.
 */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
const params: Record<string, string> = {};
let bodies: Readonly<Record<string, object>> = {};

const asks = ({ route }: NamedRoute): boolean => (route.errors ?? []).some((code) => code.endsWith('-right-needed'));
const nameOf = ({ feature, name }: NamedRoute): string => `${feature}.${name}`;
const routes = everyRoute().filter(asks);

/** Files that hold no content of anybody's mailbox, drive, site or team. */
const FILES_WITHOUT_CONTENT = [
  'archive.csv',
  'audit.export',
  'compliance.cleanUpScript',
  'dataRequests.register',
  'documents.download',
  'periodReports.file',
  'printedReports.accessLetter',
  'printedReports.auditLog',
  'printedReports.caseLog',
  'printedReports.dataManagement',
  'printedReports.erasureLetter',
  'printedReports.protection',
  'printedReports.run',
  'procedures.file',
  'support.bundle',
];

/** What is opened by a ticket that is no part of the path. */
const BY_TICKET = new Set(['archive.get', 'archive.raw', 'archive.part', 'archive.proof']);
/** What asks for a reason that is no part of the path. */
const BY_REASON = new Set(['imports.piece', 'auditorAccess.csv']);

function queryOf(named: NamedRoute): string {
  if (BY_TICKET.has(nameOf(named))) return `?ticket=${params['ticket']}`;
  return BY_REASON.has(nameOf(named)) ? '?reason=Test' : '';
}

async function send<T>(to: string, given: { body?: object; method?: string; audience?: 'main' | 'legacy' } = {}) {
  const { audience = 'main' } = given;
  const answer = await server.send(to, { token: owner.tokens[audience], ...given });
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as T & { code?: string } };
}

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  const { tenantId, locationId } = ground;
  const mailbox = await anIndexedMailbox(testing.database, ground, 'Adele Vance');
  await mailbox.receive({ m1: 'An offer' });
  const [source] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [mailbox.resourceId]);
  const sourceId = String(source?.['source_id']);
  const restore = { sourceId, items: 'all', target: { kind: 'download', format: 'eml' }, reason: 'Test' };
  const job = { type: 'restore', name: 'Download', workload: 'exchange', schedule: { mode: 'disabled' }, locationId, restore };
  const main = `/apollo/api/${tenantId}`;
  const { body: saved } = await send<SavedSearch>(`${main}/archive/searches`, {
    body: { name: 'Offers', query: 'offer', hasAlert: false },
  });
  const { body: made } = await send<{ jobId: string }>(`${main}/jobs`, { body: job });
  const run = aRunRow(ground, {
    type: 'restore',
    status: 'successful',
    body: JSON.stringify({ ...job, restore: { ...restore, sourceName: 'Adele Vance', collisions: 'skip' } }),
    started_by: owner.email,
    ended_at: new Date(),
  });
  const [session] = await testing.asSuperuser('select id from sessions where account_id = $1 order by created_at desc limit 1', [
    owner.accountId,
  ]);
  const ticket = testIds.token(32);
  await testing.database.within(ground.scope, async (tx) => {
    await tx.insertInto('runs').values(run).execute();
    await tx
      .insertInto('content_tickets')
      .values({
        ticket_hash: sha256(ticket),
        tenant_id: tenantId,
        location_id: locationId,
        resource_id: mailbox.resourceId,
        sequence: 1,
        item_key: 'm1',
        session_id: String(session?.['id']),
        expires_at: new Date(Date.now() + 600_000),
      })
      .execute();
  });
  const { body: opened } = await send<{ caseId: string }>(`${main}/archive/cases`, {
    body: { matter: 'Test', reference: '', from: null, to: null },
  });
  const { caseId } = opened;
  const { body: withQuery } = await send<CaseDetails>(`${main}/archive/cases/${caseId}/queries`, { body: { name: 'All', query: '' } });
  Object.assign(params, { caseId, queryId: withQuery.queries[0]?.queryId });
  const { body: chosen } = await send<{ selectionId: string }>(`${main}/archive/search/selections`, {
    body: { query: 'offer', reason: 'Test' },
  });
  const requested = { resourceId: mailbox.resourceId, receivedOn: '2026-01-02', note: 'Test' };
  const { body: request } = await send<{ requestId: string }>(`${main}/archive/data-requests`, { body: requested });
  const { body: erasure } = await send<{ deletionId: string }>(`${main}/archive/deletions/people`, {
    body: { resourceId: mailbox.resourceId, reason: 'Test' },
  });
  const exportRun = aRunRow(ground, { number: 2, type: 'export', status: 'failed', ended_at: new Date() });
  const exportId = testIds.uuid();
  await testing.database.within(ground.scope, async (tx) => {
    await tx.insertInto('runs').values(exportRun).execute();
    await tx
      .insertInto('exports')
      .values({
        export_id: exportId,
        tenant_id: tenantId,
        run_id: exportRun.run_id,
        selection_id: chosen.selectionId,
        case_id: null,
        name: 'Offers',
        format: 'eml',
        query: 'offer',
        coverage: '{}',
        reason: 'Test',
        owner_id: owner.accountId,
        owner: owner.email,
        items: 1,
        size_bytes: 1,
        created_at: new Date(),
        expires_at: new Date(Date.now() + 600_000),
        manifest_hash: 'a'.repeat(64),
        signature: '',
      })
      .execute();
  });
  Object.assign(params, {
    exportId,
    messageId: 'a'.repeat(64),
    part: '1',
    position: '1',
    requestId: request.requestId,
    deletionId: erasure.deletionId,
    selectionId: chosen.selectionId,
    tenantId,
    ticket,
    page: '1',
    searchId: saved.searchId,
    jobId: made.jobId,
    reportId: run.run_id,
  });
  const query = { query: 'offer', reason: 'Test' };
  const legacyDownload = { locationId, sourceId, reason: 'Test' };
  bodies = {
    'content.conversation': { locationId, sourceId, nodeId: 'm1', reason: 'Test' },
    'content.open': { locationId, sourceId, nodeId: 'm1', reason: 'Test' },
    'archive.list': { reason: 'Test' },
    'archive.select': { reason: 'Test' },
    'auditorAccess.items': { reason: 'Test' },
    'archive.markPrivate': { ticket, isPrivate: true },
    'archive.restore': { mailboxId: testIds.uuid(), reason: 'Test', target: { kind: 'original' }, collisions: 'skip' },
    'exports.create': { name: 'Offers', format: 'eml', reason: 'Test', source: { kind: 'selection', selectionId: chosen.selectionId } },
    'exports.resume': {},
    'dataRequests.create': requested,
    'dataRequests.collect': {},
    'deletions.includeMentions': {},
    'deletions.excludeMentions': {},
    'compliance.compare': { older: { ticket }, newer: { ticket } },
    'cases.countQuery': {},
    'cases.queryHits': {},
    'cases.report': {},
    'reviews.create': { name: 'Set', source: { kind: 'allQueries' } },
    'reviews.items': {},
    'reviews.addTag': { name: 'Contract' },
    'reviews.addNote': { text: 'Ask Ben.' },
    'reviews.decide': { status: 'relevant', revision: 0 },
    'search.search': query,
    'search.count': query,
    'search.facets': query,
    'search.words': { query: '*offer', reason: 'Test' },
    'search.passages': { ...query, hitIds: ['1'] },
    'search.select': query,
    'search.run': { reason: 'Test' },
    'search.difference': query,
    'restore.plan': { locationId, restore },
    'restore.email': { locationId, restore },
    'restore.emailShort': { locationId, restore },
    'restore.download POST': legacyDownload,
    'restore.downloadLong': legacyDownload,
    'jobs.preview': job,
    'jobs.create': { ...job, name: 'Another' },
    'jobs.update': job,
    'jobs.start': {},
    'jobs.update POST': { jobId: made.jobId, job },
    'jobs.start POST': { jobId: made.jobId },
  };
  await testing.asSuperuser("update organisations set content_access = 'strict'");
}, 120_000);
afterAll(() => server.close());

test('the routes that open content are these, and every other file that is streamed holds none', () => {
  expect([...new Set(routes.map(nameOf))].toSorted((a, b) => a.localeCompare(b))).toMatchInlineSnapshot(`
    [
      "archive.get",
      "archive.list",
      "archive.markPrivate",
      "archive.part",
      "archive.proof",
      "archive.raw",
      "archive.restore",
      "archive.select",
      "auditorAccess.csv",
      "auditorAccess.items",
      "cases.countQuery",
      "cases.queryHits",
      "cases.report",
      "compliance.compare",
      "compliance.keptItem",
      "content.conversation",
      "content.file",
      "content.open",
      "content.page",
      "content.preview",
      "content.source",
      "dataRequests.collect",
      "dataRequests.create",
      "dataRequests.items",
      "deletions.excludeMentions",
      "deletions.includeMentions",
      "deletions.mentions",
      "exports.create",
      "exports.part",
      "exports.resume",
      "imports.piece",
      "jobs.create",
      "jobs.preview",
      "jobs.start",
      "jobs.update",
      "printedReports.mail",
      "restore.download",
      "restore.downloadLong",
      "restore.email",
      "restore.emailShort",
      "restore.plan",
      "reviews.addNote",
      "reviews.addTag",
      "reviews.create",
      "reviews.decide",
      "reviews.findThreads",
      "reviews.items",
      "reviews.notes",
      "reviews.removeNote",
      "reviews.removeTag",
      "reviews.tag",
      "reviews.untag",
      "search.count",
      "search.difference",
      "search.facets",
      "search.passages",
      "search.run",
      "search.search",
      "search.select",
      "search.selected",
      "search.selectedFiles",
      "search.words",
    ]
  `);
  const files = everyRoute().filter((named) => named.route.response === 'download' && !asks(named));
  expect([...new Set(files.map(nameOf))].toSorted((a, b) => a.localeCompare(b))).toEqual(FILES_WITHOUT_CONTENT);
});

test('each of them refuses an owner who has no right where access is strict', async () => {
  const opened: string[] = [];
  for (const named of routes) {
    const { method, surface } = named.route;
    const path = named.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? testIds.uuid());
    const to = `${path}${queryOf(named)}`;
    const body = (surface === 'legacy' && method === 'POST' ? bodies[`${nameOf(named)} POST`] : undefined) ?? bodies[nameOf(named)];
    const audience = surface === 'legacy' ? 'legacy' : 'main';
    const answer = await send(to, { method, audience, ...(method === 'GET' || body === undefined ? {} : { body }) });
    if (answer.status !== 403 || answer.body.code?.endsWith('-right-needed') !== true)
      opened.push(`${method} ${named.path}: ${answer.status} ${answer.body.code}`);
  }
  expect(opened).toEqual([]);
});
