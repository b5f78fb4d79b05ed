import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentFile } from '@holdfast/contract/documents';
import type { Page } from '@holdfast/contract/paging';
import type { Paper } from '@holdfast/contract/paper';
import type { PeriodReport, ReportFigures } from '@holdfast/contract/period-reports';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRunRow, aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** Reports of a period over HTTP, with a real vault in a folder. */
const testing = testDatabase(import.meta.url);
const tenantId = testIds.uuid();
let folder: string;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let reader: SignedIn;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-period-reports-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
  owner = await server.owner();
  reader = await server.member(owner.organisationId, 'reader');
  await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [owner.organisationId, 'contoso']);
  await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' }))
      .execute(),
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (to: string, body?: object, who: SignedIn = owner) =>
  server.send(`/apollo/api/${tenantId}/${to}`, { token: who.tokens.main, ...(body === undefined ? {} : { body }) });
const period = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' };
async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code: string }).code;
}

test('a report needs a period of at most 400 days and somebody who may run jobs, and no location to be read', async () => {
  expect(await codeOf(await call('period-reports', { from: period.to, to: period.from }))).toBe('request.invalid');
  expect(await codeOf(await call('period-reports', { from: '2025-01-01T00:00:00Z', to: period.to }))).toBe('request.invalid');
  expect((await call('period-reports', period, reader)).status).toBe(403);
  expect((await call(`period-reports/${testIds.uuid()}`)).status).toBe(404);
  const made = (await (await call('period-reports', period)).json()) as PeriodReport;
  expect(made).toMatchObject({ isStored: false, language: 'en' });
  const file = await call(`period-reports/${made.reportId}/file`, undefined, reader);
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('a report of any period is numbered, stored with the reports, and read in both languages by everybody', async () => {
  const added = await call('locations', { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'vault') });
  const { locationId } = (await added.json()) as { locationId: string };
  const ended = {
    status: 'successful',
    number: 4_711,
    ended_at: '2026-10-05T01:00:00Z',
    added: 1_234,
    changed: 5,
    bytes: 3_221_225_472,
  } as const;
  await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
    tx.insertInto('runs').values(aRunRow({ tenantId, locationId }, ended)).execute(),
  );
  const answer = await call('period-reports', { ...period, language: 'de' });
  expect(answer.status).toBe(201);
  const report = (await answer.json()) as PeriodReport;
  expect(report).toMatchObject({ kind: 'onDemand', ...period, maker: owner.email, language: 'de', isStored: true });
  expect(report.reportNumber % 1_000).toBe(2);
  const stored = await server.send('/api/files/contoso/report', { token: owner.tokens.legacy, audience: 'legacy' });
  const { items } = (await stored.json()) as Page<DocumentFile>;
  expect(items).toMatchObject([{ fileName: `Bericht ${report.reportNumber} Contoso.pdf`, uploadedBy: 'Holdfast' }]);
  const again = (await (await call('period-reports', { ...period, language: 'de' })).json()) as PeriodReport;
  expect(again.reportNumber).toBe(report.reportNumber + 1);
  const { items: listed } = (await (await call('period-reports?sort=-reportNumber', undefined, reader)).json()) as Page<PeriodReport>;
  expect(listed.slice(0, 2).map(({ reportId }) => reportId)).toEqual([again.reportId, report.reportId]);
  const read = async (language: string) => {
    const page = await call(`period-reports/${report.reportId}?language=${language}`, undefined, reader);
    return (await page.json()) as { figures: ReportFigures; paper: Paper };
  };
  const [english, german] = [await read('en'), await read('de')];
  expect(english.figures).toEqual(german.figures);
  expect([english.figures.items, english.figures.bytes]).toEqual([1_239, 3_221_225_472]);
  expect([english.paper.title, german.paper.title]).toEqual(['Report', 'Bericht']);

  const file = await call(`period-reports/${report.reportId}/file?language=de`, undefined, reader);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  const pdf = Buffer.from(await file.arrayBuffer());
  expect(pdf.byteLength).toBe(items[0]?.size);
  await writeFile(path.join(folder, 'report.pdf'), pdf);
});

// Debian's poppler-utils reads what was printed, where it is installed.
const isRead = spawnSync('which', ['pdftotext']).status === 0;
test.skipIf(!isRead)('the file of a report has the figures of the API', async () => {
  const { items } = (await (await call('period-reports?sort=-reportNumber')).json()) as Page<PeriodReport>;
  const { stdout } = spawnSync('pdftotext', ['-layout', path.join(folder, 'report.pdf'), '-'], { encoding: 'utf8' });
  for (const words of ['1.239', '3 GB', 'Contoso', String((items[0]?.reportNumber ?? 0) - 1)]) expect(stdout).toContain(words);
});

test('the accounts of a report are read by its id, and a stranger finds none', async () => {
  const { items } = (await (await call('period-reports')).json()) as Page<PeriodReport>;
  const accounts = await call(`reporting/${items[0]?.reportId}/accounts`, undefined, reader);
  expect(((await accounts.json()) as Page<unknown>).total).toBe(0);
  const outsider = await server.owner();
  expect((await call(`period-reports/${items[0]?.reportId}`, undefined, outsider)).status).toBe(404);
  expect((await call(`period-reports/${items[0]?.reportId}/file`, undefined, outsider)).status).toBe(404);
});
