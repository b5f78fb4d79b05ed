import { testDatabase } from '@holdfast/database/testing/test-database';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import type { CaseDetails, CaseEvent } from '@holdfast/contract/case-values';
import type { Paper } from '@holdfast/contract/paper';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, aResource, aRunRow, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createRunsViews } from '../../runs/index.ts';
import { createProtectionViews } from '../reporting/index.ts';
import { auditPaper } from './audit-paper.ts';
import { casePaper } from './case-paper.ts';
import { approvalOf } from './approved-runs.views.ts';
import { protectionPaper } from './protection-paper.ts';
import { runPaper } from './run-paper.ts';

/** Papers over rows that are written as the product writes them, and the files over HTTP. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const clock = createFakeClock(Date.parse('2026-11-02T08:00:00Z'));
const at = new Date(clock.nowMs());
let ground: Ground;
let server: TestServer;
let reader: SignedIn;
const deletion = testIds.uuid();
const jobId = testIds.uuid();
const owner = { organisation: 'Contoso', tenant: 'Contoso Ltd', timeZone: 'UTC', language: 'en', isMailed: true } as const;

beforeAll(async () => {
  ground = await aGround(database);
  await aResource(database, ground, { name: 'Änne Müller' });
  const ended = {
    run_id: deletion,
    job_id: jobId,
    job_name: 'Old points',
    type: 'deletion',
    status: 'successful',
    removed: 12,
    unchanged: 30,
    ended_at: '2026-11-01T02:00:00Z',
  } as const;
  const decided = { status: 'approved', requester: 'ann@contoso.example', decider: 'ben@contoso.example', mode: 'secondPerson' } as const;
  const approval = {
    approval_id: testIds.uuid(),
    tenant_id: ground.tenantId,
    kind: 'deletionJob',
    subject_id: jobId,
    subject_name: 'Old points',
    details: '{}',
    requested_by: testIds.uuid(),
    requested_at: '2026-10-30T00:00:00Z',
    effective_at: null,
    decided_at: '2026-10-31T00:00:00Z',
    ...decided,
  } as const;
  const job = {
    job_id: jobId,
    tenant_id: ground.tenantId,
    name: 'Old points',
    type: 'deletion',
    workload: 'exchange',
    location_id: ground.locationId,
    body: '{}',
    schedule: '{"mode":"disabled"}',
    next_run_at: null,
    creator: 'ann@contoso.example',
    created_by: null,
    created_at: at,
    anchored_at: at,
  } as const;
  await database.within(ground.scope, async (tx) => {
    await tx.insertInto('jobs').values(job).execute();
    await tx.insertInto('runs').values(aRunRow(ground, ended)).execute();
    await tx.insertInto('approvals').values(approval).execute();
  });
  server = await testServer(testing);
  reader = await server.member(ground.scope.organisationId, 'reader');
});
afterAll(() => server.close());

const factOf = (paper: Paper, label: string): string | undefined => paper.facts.find((fact) => fact.label === label)?.value;

test('the certificate of a deletion says what was deleted, who asked for it and who agreed, in both languages', async () => {
  const run = await createRunsViews(database).get(ground.scope, ground.tenantId, deletion);
  if (!run) throw new Error('The run is not there.');
  const approval = await database.within(ground.scope, (tx) => approvalOf(tx, deletion));
  const report = { owner, at, run, accounts: [], problems: [], approval, evidence: undefined, erasure: undefined };
  const paper = runPaper(report, 'en');
  expect(paper.title).toBe('Deletion certificate');
  expect([factOf(paper, 'Requested by'), factOf(paper, 'Approved by')]).toEqual(['ann@contoso.example', 'ben@contoso.example']);
  expect(paper.sections[0]?.blocks).toMatchObject([
    { kind: 'figures', figures: [{ label: 'Restore points deleted', value: '12' }, { value: '30' }] },
  ]);
  expect(runPaper(report, 'de').title).toBe('Löschprotokoll');
});

test('the protection status names everybody with their state', async () => {
  const protection = createProtectionViews(database);
  const { items, total } = await protection.everyone(ground.scope, ground.tenantId, { limit: 10 });
  expect([total, items[0]]).toEqual([
    1,
    {
      name: 'Änne Müller',
      address: expect.any(String),
      workload: 'exchange',
      state: 'unprotected',
      reason: 'coverage.no-restore-point',
      newestPointAt: null,
    },
  ]);
  const paper = protectionPaper({ owner, at, counts: await protection.counts(ground.scope, ground.tenantId), rows: items }, 'de');
  const tables = paper.sections.map(({ title, blocks }) => [title, blocks[0]?.kind === 'table' ? blocks[0].rows.length : null]);
  expect(tables).toEqual([
    ['Schutz', null],
    ['Nicht geschützt', 1],
    ['Teilweise geschützt', 0],
    ['Ausgeschlossen', 0],
    ['Geschützt', 0],
  ]);
});

test('both are PDF files for everybody who may read reports, and a run that has not ended has none', async () => {
  const get = (to: string) => server.send(`/apollo/api/${ground.tenantId}/printed-reports/${to}`, { token: reader.tokens.main });
  for (const to of ['protection?language=de', `runs/${deletion}?language=en`]) {
    const answer = await get(to);
    expect([answer.status, answer.headers.get('content-type')], to).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  }
  const going = aRunRow(ground, { run_id: testIds.uuid(), number: 2, status: 'running' });
  await database.within(ground.scope, (tx) => tx.insertInto('runs').values(going).execute());
  expect((await get(`runs/${going.run_id}`)).status).toBe(404);
  expect((await get(`runs/${testIds.uuid()}`)).status).toBe(404);
});

test('the log of a period names what was done by whom, and the checkpoint that proves it, in both languages', () => {
  const event = {
    sequence: 7,
    at: '2026-11-01T09:00:00.000Z',
    event: 'cases.opened',
    outcome: 'succeeded' as const,
    actor: 'ann@contoso.example',
    actorId: null,
    realm: 'production' as const,
    address: null,
    requestId: null,
    subjectKind: 'case',
    subjectId: null,
    subjectName: 'Fraud',
    reason: 'Complaint',
    details: {},
    leafHash: 'ab',
  };
  const checkpoint = { size: 9, rootHash: 'f00d', at: event.at, note: '' };
  const printed = {
    owner,
    at,
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z',
    checkpoint,
    events: [event, { ...event, event: 'nobody.knows', actor: '' }],
  };
  const cellsOf = (paper: Paper): unknown =>
    paper.sections[0]?.blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map(({ cells }) => cells) : []));
  const english = auditPaper(printed, 'en');
  expect([factOf(english, 'Checkpoint'), factOf(english, 'Events')]).toEqual(['9 · f00d', '2']);
  expect(cellsOf(english)).toEqual([
    ['7', '1 Nov 2026, 09:00', 'Case opened', 'ann@contoso.example', 'Fraud', 'Succeeded', 'Complaint'],
    ['7', '1 Nov 2026, 09:00', 'nobody.knows', 'Erased', 'Fraud', 'Succeeded', 'Complaint'],
  ]);
  expect(auditPaper(printed, 'de').title).toBe('Überwachungsprotokoll');
});

test('a case log is told in the sentences of the portal, the oldest first', () => {
  const of = {
    caseId: testIds.uuid(),
    matter: 'Fraud',
    reference: '4711',
    status: 'open',
    people: [{}],
    custodians: [],
    queries: [],
    holds: [],
  } as unknown as CaseDetails;
  const eventOf = (event: string, details: CaseEvent['details'], reason: string | null = null): CaseEvent => ({
    at: '2026-11-01T09:00:00.000Z',
    event,
    actor: 'ann@contoso.example',
    subject: 'Fraud',
    reason,
    details,
  });
  const events = [
    eventOf('holds.placed', { resource: 'Adele Vance' }),
    eventOf('cases.searched', { name: 'Offers', query: 'subject:offer', hits: 1_204 }, 'Complaint'),
    eventOf('cases.opened', {}),
  ];
  const paper = casePaper({ owner, at, of, events }, 'en');
  const rows = paper.sections[1]?.blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map(({ cells }) => cells[1]) : []));
  expect(rows).toEqual([
    'ann@contoso.example opened the case.',
    'ann@contoso.example ran the query Offers (subject:offer), which found 1,204 items. Reason: Complaint',
    'ann@contoso.example put Adele Vance on hold (Fraud).',
  ]);
  expect(casePaper({ owner, at, of, events }, 'de').title).toBe('Fallprotokoll');
});

test('logs are printed for those who may read them, and the log of exports says so', async () => {
  const get = (to: string, who: SignedIn) =>
    server.send(`/apollo/api/${ground.tenantId}/printed-reports/${to}`, { token: who.tokens.main });
  const auditor = await server.member(ground.scope.organisationId, 'auditor');
  const body = { matter: 'Fraud', reference: '', from: null, to: null, reason: 'Complaint' };
  const made = await server.send(`/apollo/api/${ground.tenantId}/archive/cases`, {
    token: (await server.member(ground.scope.organisationId, 'owner')).tokens.main,
    body,
  });
  const { caseId } = (await made.json()) as { caseId: string };
  const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  expect((await get(`audit-log?${period}`, reader)).status).toBe(403);
  expect((await get(`cases/${caseId}`, auditor)).status, 'no member of the case').toBe(404);
  expect((await get('audit-log?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', auditor)).status).toBe(400);
  const answer = await get(`audit-log?${period}&language=de`, auditor);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  await answer.body?.cancel();
  const told = await testing.asSuperuser(
    "select event from audit_inbox where event = 'audit.exported' union all select event from audit_events where event = 'audit.exported'",
  );
  expect(told).toHaveLength(1);
});
