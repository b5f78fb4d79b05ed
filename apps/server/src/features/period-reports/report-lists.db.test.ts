import type { Paper } from '@holdfast/contract/paper';
import type { PeriodReport, ReportFigures } from '@holdfast/contract/period-reports';
import type { Evidence } from '@holdfast/contract/reporting';
import { isJudged, judged, saved, textOf } from '@holdfast/paper/testing/pdf-judges';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, aRunRow, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditInbox } from '../audit/index.ts';

/** A report whose numbers are followed over the API, as the pages do that its links lead to. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const inbox = createAuditInbox({ clock: systemClock, ids: testIds });
const DAY_MS = 86_400_000;
const period = { from: new Date(Date.now() - 20 * DAY_MS).toISOString(), to: new Date(Date.now() + DAY_MS).toISOString() };
const inside = new Date(Date.now() - DAY_MS).toISOString();
/** More than a report lists, and more than the page of verifications shows where nobody asks for a period. */
const VERIFICATIONS = 130;
let number = 0;
/** The verification that found something. */
let deviating = '';
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let report: { report: PeriodReport; figures: ReportFigures; paper: Paper };

const get = (to: string) => server.send(`/apollo/api/${ground.tenantId}/${to}`, { token: owner.tokens.main });

async function aRun(changes: Parameters<typeof aRunRow>[1], mailbox?: string): Promise<string> {
  number += 1;
  const row = aRunRow(ground, { number, status: 'successful', queued_at: inside, ended_at: inside, ...changes });
  await database.within(ground.scope, async (tx) => {
    await tx.insertInto('runs').values(row).execute();
    if (mailbox === undefined) return;
    const account = {
      run_id: row.run_id,
      resource_id: mailbox,
      status: 'successful' as const,
      items: 7,
      bytes: 1,
      total: null,
      code: null,
    };
    await tx
      .insertInto('run_accounts')
      .values({ ...account, sequence: null, ended_at: inside })
      .execute();
  });
  return row.run_id;
}

async function opened(by: string, resourceId: string): Promise<void> {
  await database.within(ground.scope, (tx) =>
    inbox.record(tx, {
      event: 'content.opened',
      actor: { kind: 'account', id: owner.accountId, name: owner.email, address: '192.0.2.7' },
      subject: { kind: 'item', id: 'key', name: 'Adele Vance' },
      reason: 'Ticket 4711',
      details: { resourceId, ground: by },
    }),
  );
}

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  const whole = await aResource(database, ground, { name: 'Adele Vance' });
  await createCatalog({ database, ...ground, ids: testIds }).apply(aSegment(whole, 1, { put: [anItem('a')] }));
  const excluded = await aResource(database, ground, { name: 'Excluded' });
  await database.within(ground.scope, (tx) =>
    tx
      .updateTable('resources')
      .set({ last_status: 'excluded', last_code: 'coverage.excluded' })
      .where('resource_id', '=', excluded)
      .execute(),
  );
  await aResource(database, ground, { name: 'Nobody thought of' });
  await aResource(database, ground, { name: 'Site', workload: 'sharepoint', kind: 'site' });
  // With a team there are chats, which no job reads: the report says so in a line that no figure counts.
  await aResource(database, ground, { name: 'Team', workload: 'teams', kind: 'team' });
  await aRun({}, whole);
  await aRun({}, whole);
  await aRun({ status: 'failed', code: 'graph.mailbox-missing' });
  await aRun({ type: 'restore', status: 'defective' });
  // The one that deviates is older than all that a report lists.
  const early = new Date(Date.now() - 10 * DAY_MS).toISOString();
  deviating = await aRun({ type: 'verify', queued_at: early, ended_at: early, result: JSON.stringify({ checked: 5, deviations: 3 }) });
  for (let at = 1; at < VERIFICATIONS; at += 1) await aRun({ type: 'verify', result: JSON.stringify({ checked: 5, deviations: 0 }) });
  for (const by of ['role', 'own', 'own', 'proxy', 'case']) await opened(by, whole);
  await database.within(ground.scope, (tx) =>
    inbox.record(tx, {
      event: 'content.downloaded',
      actor: { kind: 'account', id: owner.accountId, name: owner.email, address: '192.0.2.7' },
      subject: { kind: 'tenant', id: ground.tenantId },
      reason: 'Audit',
      details: { resourceIds: [whole], hits: 7 },
    }),
  );
  const made = await server.send(`/apollo/api/${ground.tenantId}/period-reports`, { token: owner.tokens.main, body: period });
  const { reportId } = (await made.json()) as PeriodReport;
  report = (await (await get(`period-reports/${reportId}?language=en`)).json()) as typeof report;
}, 120_000);
afterAll(() => server.close());

/** How many rows the list has that a page of the portal shows at an address. */
async function listedAt(link: string): Promise<number> {
  const { pathname, searchParams: asked } = new URL(link, 'https://holdfast.example');
  const tab = asked.get('tab');
  asked.delete('tab');
  const accounts = /^\/backup-and-restore\/reports\/([\w-]+)$/.exec(pathname)?.[1];
  const total = async (to: string) => ((await (await get(to)).json()) as { total: number }).total;
  if (accounts !== undefined) return total(`reporting/${accounts}/accounts`);
  if (pathname === '/configuration/access-log') return total(`content-accesses?${asked.toString()}`);
  if (tab === 'runs') return total(`reporting?${asked.toString()}`);
  if (tab === 'coverage') return total(`protection?${asked.toString()}`);
  throw new Error(`No list is known at ${link}.`);
}

async function evidenceAt(link: string): Promise<readonly Evidence[]> {
  const asked = new URL(link, 'https://holdfast.example').searchParams;
  const state = asked.get('state');
  asked.delete('tab');
  asked.delete('state');
  const { items } = (await (await get(`reporting/evidence?${asked.toString()}`)).json()) as { items: Evidence[] };
  return items.filter((one) => state === null || one.state === state);
}

const blocks = () => report.paper.sections.flatMap((section) => section.blocks.map((block) => ({ block, section: section.title })));

function rowsOf(title: string) {
  for (const { block, section } of blocks()) if (block.kind === 'table' && (block.title || section) === title) return block.rows;
  throw new Error(`The report has no table ${title}.`);
}

function figureOf(wanted: string) {
  const found = blocks().flatMap(({ block }) => (block.kind === 'figures' ? block.figures.filter(({ label }) => label === wanted) : []))[0];
  if (!found) throw new Error(`The report has no figure ${wanted}.`);
  return found;
}

test.each([
  ['By workload', 12],
  ['Runs by kind', 18],
])('each number of the table "%s" leads to a list of as many rows', async (title, numbers) => {
  let compared = 0;
  for (const { values = [], links = [] } of rowsOf(title))
    for (const [at, value] of values.entries()) {
      if (value === null) continue;
      expect(await listedAt(links[at] ?? ''), links[at] ?? '').toBe(value);
      compared += 1;
    }
  expect(compared).toBe(numbers);
});

test('each figure of the protection and the number of accounts lead to a list of as many rows', async () => {
  const wanted = { Protected: 1, 'Partly protected': 0, 'Not protected': 3, Excluded: 1, 'Accounts covered': 1 };
  for (const [label, value] of Object.entries(wanted)) {
    const figure = figureOf(label);
    expect([label, figure.value, await listedAt(figure.link ?? '')]).toEqual([label, String(value), value]);
  }
});

test('accesses are counted by every right there is, downloads of searches too, and each leads to as many entries of the access log', async () => {
  expect(report.figures.accesses).toEqual([
    { ground: 'case', openings: 1, people: 1 },
    { ground: 'download', openings: 1, people: 1 },
    { ground: 'own', openings: 2, people: 1 },
    { ground: 'proxy', openings: 1, people: 1 },
    { ground: 'role', openings: 1, people: 1 },
  ]);
  const rows = rowsOf('Access to content');
  expect(rows).toHaveLength(5);
  for (const { values = [], link = '' } of rows) expect(await listedAt(link), link).toBe(values[1]);
});

test('a deviation is told however many verifications came after it, and leads to the run that found it', async () => {
  expect([report.figures.evidence.total, report.figures.evidence.items.length, report.figures.evidence.deviations]).toEqual([
    VERIFICATIONS,
    20,
    3,
  ]);
  expect(report.figures.attention[0]).toEqual({ code: 'deviation', count: 3 });
  expect(report.paper.verdict).toMatchObject({ ink: 'danger', state: 'Data at risk' });
  const part = report.paper.verdict.parts?.at(-2);
  expect(part?.text).toBe('3');
  const found = await evidenceAt(part?.link ?? '');
  expect(found.map(({ deviations }) => deviations)).toEqual([3]);
});

test('the sentence of the verdict is whole, and its numbers lead to lists', async () => {
  const { text, parts = [] } = report.paper.verdict;
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ text: piece }) => /\d/.test(piece)).every(({ link }) => link !== undefined)).toBe(true);
  const [whole, , failed, runs] = parts.filter(({ link }) => link !== undefined);
  for (const part of [whole, failed, runs]) expect(await listedAt(part?.link ?? ''), part?.link).toBe(Number(part?.text));
});

test('a table that has no room for all says how many more there are and leads to all of them', async () => {
  const more = blocks().flatMap(({ block }) => (block.kind === 'table' && block.more !== undefined ? [block] : []));
  expect(more.map((block) => block.more)).toEqual([`${VERIFICATIONS - 20} more are listed in the portal.`]);
  expect(await evidenceAt(more[0]?.moreLink ?? '')).toHaveLength(VERIFICATIONS);
});

test.skipIf(!isJudged)(`the printed evidence of a verification has its figures however many came after it${judged}`, async () => {
  const answer = await get(`printed-reports/runs/${deviating}?language=en`);
  const text = textOf(saved(Buffer.from(await answer.arrayBuffer())));
  expect(text).toContain('Checkeditems:5.Deviations:3.');
});
