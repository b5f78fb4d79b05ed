import { runsQuery } from '@holdfast/contract/monitoring';
import type { ReportFigures } from '@holdfast/contract/period-reports';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { beforeAll, expect, test } from 'vitest';
import { aGround, aResource, aRunRow, testIds, type Ground } from '../../testing/rows.ts';
import { createRunsViews } from '../../runs/index.ts';
import { createAuditInbox } from '../audit/index.ts';
import type { StoredDocuments } from '../documents/index.ts';
import type { ReportNews } from '../notifications/index.ts';
import { createReportsViews } from '../reporting/index.ts';
import { createPeriodFigures } from './period-figures.views.ts';
import { queueMonths } from './month-starter.ts';
import { createPeriodReportsService } from './period-reports.service.ts';

/** Reports of months over runs that are written as workers write them, with a clock that a test moves. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const clock = createFakeClock(Date.parse('2026-10-31T23:05:00Z'));
const reports = createReportsViews(database);

/** Documents that are kept in memory, and stores that refuse when a test says so. */
const files = new Map<string, { fileName: string; bytes: Uint8Array }>();
let isFull = false;
const documents: StoredDocuments = {
  keep(_scope, file) {
    if (isFull) return Promise.reject(new Error('The location is full.'));
    const id = testIds.uuid();
    files.set(id, file);
    return Promise.resolve(id);
  },
  read: (_scope, id) => Promise.resolve(files.get(id)),
};
const mails: ReportNews[] = [];

let ground: Ground;
let mailbox = '';
let service: ReturnType<typeof createPeriodReportsService>;
let number = 0;

async function aRun(endedAt: string, changes: Parameters<typeof aRunRow>[1] = {}): Promise<string> {
  const runId = testIds.uuid();
  number += 1;
  const row = aRunRow(ground, {
    run_id: runId,
    number,
    status: 'successful',
    queued_at: endedAt,
    ended_at: endedAt,
    added: 5,
    changed: 2,
    bytes: 1_000,
    stored_bytes: 400,
    ...changes,
  });
  await database.within(ground.scope, async (tx) => {
    await tx.insertInto('runs').values(row).execute();
    const account = {
      run_id: runId,
      resource_id: mailbox,
      status: 'successful' as const,
      items: 7,
      bytes: 1_000,
      total: null,
      code: null,
      sequence: null,
      ended_at: endedAt,
    };
    await tx.insertInto('run_accounts').values(account).execute();
  });
  return runId;
}

beforeAll(async () => {
  ground = await aGround(database);
  await database.within(ground.scope, (tx) =>
    tx.updateTable('organisations').set({ time_zone: 'Europe/Berlin', report_language: 'de' }).execute(),
  );
  mailbox = await aResource(database, ground, { name: 'Änne Müller' });
  service = createPeriodReportsService({
    database,
    clock,
    ids: testIds,
    logger: silentLogger,
    audit: createAuditInbox({ clock, ids: testIds }),
    documents,
    // Every word of the paper as bytes: what the press makes of them is tested where it is.
    printPaper: (paper, options) => Promise.resolve(Buffer.from(`%PDF-${JSON.stringify({ paper, options })}`)),
    printPicture: (drawing) => Promise.resolve(Buffer.from(JSON.stringify(drawing))),
    count: createPeriodFigures(database),
    publicUrl: () => 'https://holdfast.example',
    notify: (_tx, _scope, news) => {
      mails.push(news);
      return Promise.resolve();
    },
  });
  // The last minute of October and the first of November by the clock of Berlin.
  await aRun('2026-10-31T22:59:00Z');
  await aRun('2026-10-02T01:00:00Z', { status: 'failed', code: 'graph.mailbox-missing', added: 0, changed: 0, bytes: 0, stored_bytes: 0 });
  await aRun('2026-10-05T01:00:00Z', { type: 'restore', added: 3, changed: 0, started_by: 'ann@contoso.example' });
  await aRun('2026-10-31T23:00:00Z');
});

const queued: string[] = [];
/** What scheduler and worker do every few seconds: a run is queued when one is due, and makes what is owed. */
async function turn(): Promise<void> {
  const runs = {
    enqueue: (_tx: unknown, _scope: unknown, run: { readonly tenantId: string; readonly jobName: string }) => {
      queued.push(run.jobName);
      return Promise.resolve({ runId: testIds.uuid() });
    },
  };
  const due = await queueMonths({ database, clock, runs, scopes: () => Promise.resolve([ground.scope]) });
  if (due > 0) await service.makeMonth(ground.scope, ground.tenantId);
}
const list = () => service.list(ground.scope, ground.tenantId, { limit: 50 });
async function october() {
  const { items } = await list();
  const report = items.find(({ reportNumber }) => reportNumber === 202610);
  if (!report) throw new Error('There is no report of October.');
  return { tenantId: ground.tenantId, reportId: report.reportId };
}
const bytesOf = async (language?: 'en' | 'de'): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await service.file(ground.scope, await october(), language)).content) pieces.push(piece);
  return Buffer.concat(pieces);
};

test('on the first of a month its report is made once, in the zone and language of the organisation, then stored and mailed', async () => {
  await turn();
  expect((await list()).total, 'what ran at the end of the month may still be written').toBe(0);
  await clock.advance(10 * 60_000);
  isFull = true;
  await expect(turn()).rejects.toThrow('full');
  expect((await list()).items).toMatchObject([
    {
      reportNumber: 202610,
      kind: 'monthly',
      maker: null,
      language: 'de',
      from: '2026-09-30T22:00:00.000Z',
      to: '2026-10-31T23:00:00.000Z',
      isStored: false,
    },
  ]);
  isFull = false;
  await turn();
  await turn();
  expect((await list()).items.map(({ isStored }) => isStored)).toEqual([true]);
  expect([...files.values()].map(({ fileName }) => fileName)).toEqual([expect.stringMatching(/^Monatsbericht 202610 .+\.pdf$/)]);
  expect(mails).toHaveLength(1);
  expect(queued, 'once for the month, and once more because its file was not stored').toEqual(['Monatsbericht', 'Monatsbericht']);
  expect(mails[0]?.in('en')).toMatchObject({ month: 'October 2026' });
  expect(mails[0]?.in('de').verdict).toBe(
    'Handlungsbedarf: 0 von 1 Postfächern, Laufwerken, Websites und Teams sind geschützt; 1 von 3 Läufen sind fehlgeschlagen; gefundene Abweichungen: 0.',
  );
  expect(mails[0]?.in('de').lines).toHaveLength(3);
  expect(mails[0]?.in('de').chart?.title).toBe('Geschützt und nicht geschützt, nach Dienst');
  expect(mails[0]?.in('de').lines[0]?.text).toContain('Ein Lauf ist fehlgeschlagen');
  expect(
    Buffer.from(mails[0]?.file.bytes ?? [])
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('a report counts what ended in its month, and the same in both languages', async () => {
  const { figures, paper } = await service.get(ground.scope, await october(), 'en');
  expect(figures.runs).toEqual([
    { type: 'backup', runs: 2, successful: 1, defective: 0, failed: 1, skipped: 0, cancelled: 0 },
    { type: 'restore', runs: 1, successful: 1, defective: 0, failed: 0, skipped: 0, cancelled: 0 },
  ]);
  expect([figures.items, figures.bytes, figures.accounts]).toEqual([7, 1_000, 1]);
  expect(figures.days).toHaveLength(31);
  expect(figures.days.at(-1)).toEqual({ date: '2026-10-31', items: 7, bytes: 1_000, storedBytes: 400 });
  expect(figures.restores).toMatchObject({ total: 1, items: [{ items: 3, who: 'ann@contoso.example' }] });
  expect(figures.troubled).toMatchObject({ total: 1, items: [{ code: 'graph.mailbox-missing' }] });
  expect(paper.sections.map(({ title }) => title)).toContain('Restores');
  const german = await service.get(ground.scope, await october(), undefined);
  expect(german.figures).toEqual(figures);
  expect(german.paper.subtitle).toBe('Oktober 2026');
  const [month] = await reports.monthly(ground.scope, ground.tenantId);
  expect(month).toMatchObject({ reportNumber: 202611, runs: 1 });
  expect((await reports.monthly(ground.scope, ground.tenantId))[1]).toMatchObject({
    reportNumber: 202610,
    runs: 3,
    successful: 2,
    failed: 1,
    items: 7,
    bytes: 1_000,
    accounts: 1,
    restores: 1,
  });
});

test('each number of the runs leads to the list of as many runs', async () => {
  const { figures, paper } = await service.get(ground.scope, await october(), 'en');
  const table = paper.sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'table' && block.title === 'Runs by kind');
  if (table?.kind !== 'table') throw new Error('The report has no table of runs.');
  const runs = createRunsViews(database);
  let compared = 0;
  for (const { values = [], links = [] } of table.rows)
    for (const [at, value] of values.entries()) {
      if (value === null) continue;
      const asked = new URL(links[at] ?? '', 'https://holdfast.example').searchParams;
      expect(asked.get('tab')).toBe('runs');
      asked.delete('tab');
      const query = runsQuery.parse(Object.fromEntries(asked));
      expect((await runs.list(ground.scope, ground.tenantId, { ...query, active: false })).total, asked.toString()).toBe(value);
      compared += 1;
    }
  expect(compared).toBe(figures.runs.length * 6);
});

test('every number of a report leads to a page of the portal', async () => {
  const { paper } = await service.get(ground.scope, await october(), 'en');
  const said = (paper.verdict.parts ?? []).flatMap(({ text, link }) => (/\d/.test(text) ? [link] : []));
  expect(said).toHaveLength(5);
  const inSections = paper.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block): (string | undefined)[] => {
      if (block.kind === 'figures') return block.figures.map(({ link }) => link);
      if (block.kind === 'chart') return [block.link];
      if (block.kind === 'list') return block.items.map(({ link }) => link);
      if (block.kind !== 'table') return [];
      const more = block.more === undefined ? [] : [block.moreLink];
      const cells = block.rows.flatMap(({ values = [], link, links = [] }) =>
        values.flatMap((value, at) => (value === null ? [] : [links[at] ?? link])),
      );
      return [...cells, ...more];
    }),
  );
  const targets = [...said, ...inSections];
  expect(targets.length).toBeGreaterThan(20);
  expect(targets).not.toContain(undefined);
  const pages =
    /^\/(?:search|people|backup-and-restore\/(?:reports|restore|job-monitor)|configuration\/(?:locations|holds|access-log)|archive\/mailboxes)\b/;
  for (const target of targets) expect(target).toMatch(pages);
});

test('a closed month stays as it was, byte for byte, after a year of changes', async () => {
  const before = {
    months: (await reports.monthly(ground.scope, ground.tenantId)).find(({ reportNumber }) => reportNumber === 202610),
    page: await service.get(ground.scope, await october(), 'en'),
    english: await bytesOf('en'),
    german: await bytesOf(),
  };
  const accounts = () => october().then((place) => reports.monthAccounts(ground.scope, place, { limit: 50 }));
  const accountsBefore = await accounts();
  expect(accountsBefore?.items).toMatchObject([{ name: 'Änne Müller', items: 21, bytes: 3_000 }]);
  for (let month = 0; month < 12; month += 1) {
    await clock.advance(31 * 86_400_000);
    await aRun(new Date(clock.nowMs() - 3_600_000).toISOString());
  }
  await aRun('2026-10-15T12:00:00Z', { status: 'failed', code: 'graph.mailbox-missing' });
  await database.within(ground.scope, async (tx) => {
    await tx.updateTable('resources').set({ name: 'Renamed' }).execute();
    await tx.updateTable('organisations').set({ name: 'Fabrikam', time_zone: 'Asia/Tokyo', report_language: 'en' }).execute();
    await tx.updateTable('tenants').set({ display_name: 'Another name' }).execute();
  });
  await turn();
  const months = await reports.monthly(ground.scope, ground.tenantId);
  expect(months.find(({ reportNumber }) => reportNumber === 202610)).toEqual(before.months);
  expect(months.length).toBeGreaterThan(11);
  expect((await list()).items.map(({ reportNumber }) => reportNumber).toSorted((a, b) => a - b)).toEqual([202610, 202710]);
  expect(await service.get(ground.scope, await october(), 'en')).toEqual(before.page);
  expect(await accounts()).toEqual(accountsBefore);
  expect(Buffer.compare(await bytesOf('en'), before.english)).toBe(0);
  files.clear();
  expect(Buffer.compare(await bytesOf(), before.german), 'without the stored file it is printed again').toBe(0);
});

test('nobody changes what a report says, and a month has one alone', async () => {
  const { reportId } = await october();
  const forge = (what: 'period_reports' | 'period_report_accounts') =>
    database.within(ground.scope, (tx) =>
      what === 'period_reports'
        ? tx.updateTable(what).set({ figures: '{}' }).where('report_id', '=', reportId).execute()
        : tx.updateTable(what).set({ items: 0 }).where('report_id', '=', reportId).execute(),
    );
  await expect(forge('period_reports')).rejects.toThrow('permission denied');
  await expect(forge('period_report_accounts')).rejects.toThrow('permission denied');
  await expect(database.within(ground.scope, (tx) => tx.deleteFrom('period_reports').execute())).rejects.toThrow('permission denied');
});

test('a report is mailed where the organisation wishes it, and made and stored all the same where it does not', async () => {
  const [before, made] = [mails.length, (await list()).total];
  await database.within(ground.scope, (tx) => tx.updateTable('organisations').set({ mail_reports: false }).execute());
  await aRun(new Date(clock.nowMs()).toISOString());
  await clock.advance(40 * 86_400_000);
  await turn();
  expect([mails.length, (await list()).total]).toEqual([before, made + 1]);
  expect((await list()).items.every(({ isStored }) => isStored)).toBe(true);
  await database.within(ground.scope, (tx) => tx.updateTable('organisations').set({ mail_reports: true }).execute());
  await clock.advance(31 * 86_400_000);
  await turn();
  expect(mails.length).toBe(before + 1);
});

test('what asks for three things asks for the gravest', async () => {
  const { figures } = await service.get(ground.scope, await october(), 'en');
  expect(figures.attention.map(({ code }: ReportFigures['attention'][number]) => code)).toEqual(['failed', 'unprotected', 'noDrill']);
});
