import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { ContentExport } from '@holdfast/contract/exports';
import type { Page } from '@holdfast/contract/paging';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** Exports of review sets over HTTP, of mail that was really backed up. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: SignedIn;
let folder: string;
let caseId = '';
let set: ReviewSet;
const decided = new Map<string, string>();

async function ask(to: string, body?: object, method?: string): Promise<Response> {
  const options = { token: owner.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  return running.server.send(`/apollo/api/${tenant.tenantId}/archive/${to}`, options);
}

async function done<T>(to: string, body?: object, method?: string): Promise<T> {
  const answer = await ask(to, body, method);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Exports items of the set and answers the lines of its index: the status and hash of each file. */
async function indexOf(statuses?: readonly string[]): Promise<{ made: ContentExport; lines: string[] }> {
  return indexOfExport({ kind: 'review', caseId, setId: set.setId, ...(statuses === undefined ? {} : { statuses }) });
}

async function indexOfExport(source: object): Promise<{ made: ContentExport; lines: string[] }> {
  const { exportId } = await done<ContentExport>('exports', { name: 'Reviewed', format: 'eml', reason: 'A dispute', source });
  const made = await vi.waitFor(
    async () => {
      const found = await done<ContentExport>(`exports/${exportId}`);
      if (found.status !== 'successful') throw new Error(`The export is ${found.status}.`);
      return found;
    },
    { timeout: 60_000, interval: 100 },
  );
  const zip = path.join(folder, `${exportId}.zip`);
  await writeFile(zip, Buffer.from(await (await ask(`exports/${exportId}/parts/1`)).arrayBuffer()));
  const [head = '', ...lines] = execFileSync('unzip', ['-p', zip, 'index.csv'], { encoding: 'utf8' }).trimEnd().split('\r\n');
  expect(cellsOf(head).slice(-3)).toEqual(['review', 'tags', 'notes']);
  return { made, lines };
}

/** The cells of a line of CSV. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/gu)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
const reviewOf = (line: string): string => cellsOf(line).at(-3) ?? '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-reviews-'));
  running = await startSimulatedServer(testing);
  owner = await running.server.owner();
  const vault = path.join(running.folder, 'vault');
  tenant = await connectSimulated({ server: running.server, owner, simulator: running.simulator, testing, vault });
  await tenant.finish(await tenant.job({ name: 'All mail', type: 'backup', workload: 'exchange', source: everyone }));
  await vi.waitFor(
    async () => {
      const { coverage } = await done<SearchAnswer>('search', { query: '', reason: 'Wait', limit: 1 });
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 500 },
  );
  ({ caseId } = await done<CaseDetails>('cases', { matter: 'Falcon', reference: '', from: null, to: null }));
  const { items: people } = await done<Page<CasePerson>>(`cases/${caseId}/people?limit=200`);
  const keys = people.filter(({ mailboxes }) => mailboxes > 0).map(({ key }) => key);
  await done(`cases/${caseId}/custodians`, { keys });
  await done(`cases/${caseId}/queries`, { name: 'Mail', query: 'kind:email' });
  set = await done(`cases/${caseId}/review`, { name: 'Set', source: { kind: 'allQueries' } });
  const { items } = await done<Page<ReviewItem>>(`cases/${caseId}/review/${set.setId}/items`, { limit: 7 });
  const statuses = ['relevant', 'relevant', 'privileged', 'notRelevant', 'relevant', 'privileged'];
  for (const [at, { position, revision, hit }] of items.entries()) {
    const status = statuses[at];
    if (status === undefined) continue;
    await done(`cases/${caseId}/review/${set.setId}/items/${position}`, { status, revision }, 'PUT');
    decided.set(hit?.nodeId ?? '', status);
  }
}, 240_000);
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

const itemsWith = async (...statuses: string[]): Promise<number> => {
  const [row] = await testing.asSuperuser(
    'select count(*)::int as items from review_items where set_id = $1 and status = any($2::text[])',
    [set.setId, `{${statuses.join(',')}}`],
  );
  return Number(row?.['items']);
};

test('an export of a review set has what is relevant and never what is privileged, unless that is asked for', async () => {
  const { made, lines } = await indexOf();
  expect(new Set(lines.map(reviewOf))).toEqual(new Set(['relevant']));
  expect(lines).toHaveLength(await itemsWith('relevant'));
  expect(made).toMatchObject({ items: lines.length, caseId, query: 'Set: relevant (kind:email)' });
  const both = await indexOf(['relevant', 'privileged']);
  expect(both.lines.map(reviewOf).filter((status) => status === 'privileged')).toHaveLength(await itemsWith('privileged'));
  expect(both.lines).toHaveLength(await itemsWith('relevant', 'privileged'));
}, 120_000);

test('the index says what was decided when the export was asked for, whatever is decided later, and the case knows of it', async () => {
  const before = await itemsWith('relevant');
  const [key] = [...decided].find(([, status]) => status === 'relevant') ?? [''];
  const { made } = await indexOf();
  await testing.asSuperuser(`update review_items set status = 'notRelevant' where set_id = $1 and item_key = $2`, [set.setId, key]);
  const rows = await testing.asSuperuser('select review from export_items where export_id = $1', [made.exportId]);
  expect(rows.map((row) => row['review'])).toEqual(Array.from({ length: before }, () => 'relevant'));
  const { items } = await done<Page<{ event: string; details: Record<string, unknown> }>>(`cases/${caseId}/log`);
  expect(items.find(({ event }) => event === 'cases.exported')?.details).toMatchObject({
    query: 'Set: relevant (kind:email)',
    hits: before,
  });
}, 120_000);

test('the index and the load file say the tags and notes of each item and of its copies, as they were when the export was asked for', async () => {
  const at = `cases/${caseId}/review/${set.setId}/items`;
  const { items } = await done<Page<ReviewItem>>(at, { limit: 10, status: 'relevant' });
  const [first, second] = items;
  if (!first || !second) throw new Error('Nothing is relevant.');
  const tags: string[] = [];
  for (const name of ['Zurich, "the" deal', 'Board']) tags.push((await done<{ tagId: string }>(`cases/${caseId}/tags`, { name })).tagId);
  for (const tagId of tags) await done(`${at}/${first.position}/tags/${tagId}`, {}, 'PUT');
  await done(`${at}/${first.position}/notes`, { text: '=Ask\nAnna' });
  const { exportId, lines } = await indexOf().then(({ made, lines: found }) => ({ exportId: made.exportId, lines: found }));
  const written = lines.map((line) => cellsOf(line).slice(-2)).filter(([, notes]) => notes !== '');
  const stamped = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z ${owner.email}: =Ask\nAnna$`, 'u');
  expect(written).toEqual(Array.from({ length: first.copies }, () => ['Board; Zurich, "the" deal', expect.stringMatching(stamped)]));
  for (const tagId of tags) await done(`${at}/${first.position}/tags/${tagId}`, undefined, 'DELETE');
  const rows = await testing.asSuperuser('select review_tags from export_items where export_id = $1 and review_tags is not null', [
    exportId,
  ]);
  expect(rows).toHaveLength(first.copies);
  const source = { kind: 'review', caseId, setId: set.setId };
  const loaded = await done<ContentExport>('exports', { name: 'Loaded', format: 'loadFile', reason: 'A dispute', source });
  await vi.waitFor(async () => expect((await done<ContentExport>(`exports/${loaded.exportId}`)).status).toBe('successful'), {
    timeout: 60_000,
    interval: 100,
  });
  const zip = path.join(folder, 'loaded.zip');
  await writeFile(zip, Buffer.from(await (await ask(`exports/${loaded.exportId}/parts/1`)).arrayBuffer()));
  const [fields = [], ...records] = execFileSync('unzip', ['-p', zip, 'loadfile.dat'], { encoding: 'utf8' })
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      line
        .replace('\uFEFF', '')
        .split('\u0014')
        .map((cell) => cell.slice(1, -1)),
    );
  const column = (name: string): string[] => records.map((record) => record[fields.indexOf(name)] ?? '').filter((cell) => cell !== '');
  expect(new Set(column('REVIEWSTATUS'))).toEqual(new Set(['relevant']));
  // The tags were taken away since: this export has the note alone, its line end as the form writes it.
  expect(column('REVIEWTAGS')).toEqual([]);
  expect(column('REVIEWNOTES')).toEqual(Array.from({ length: first.copies }, () => expect.stringContaining('=Ask\u00AEAnna')));
}, 120_000);

test('an export of a query of a case says the tags and notes that its reviewers put on each item in any of its sets, and no decision', async () => {
  const { queries } = await done<CaseDetails>(`cases/${caseId}`);
  const second = await done<ReviewSet>(`cases/${caseId}/review`, { name: 'Second', source: { kind: 'allQueries' } });
  const { tagId } = await done<{ tagId: string }>(`cases/${caseId}/tags`, { name: 'Both sets' });
  const { tagId: other } = await done<{ tagId: string }>(`cases/${caseId}/tags`, { name: 'Another' });
  const [first] = (await done<Page<ReviewItem>>(`cases/${caseId}/review/${second.setId}/items`, { limit: 1 })).items;
  if (!first?.hit) throw new Error('The second set is empty.');
  const { items } = await done<Page<ReviewItem>>(`cases/${caseId}/review/${set.setId}/items`, { limit: 200 });
  const same = items.find(({ hit }) => hit?.nodeId === first.hit?.nodeId);
  const at = `cases/${caseId}/review/${second.setId}/items/${first.position}`;
  for (const place of [at, `cases/${caseId}/review/${set.setId}/items/${same?.position}`]) await done(`${place}/tags/${tagId}`, {}, 'PUT');
  await done(`${at}/tags/${other}`, {}, 'PUT');
  await done(`${at}/notes`, { text: 'Ask Ben.' });
  // Another case has seen the same mail: nothing of what is said there is told here.
  const foreign = await done<CaseDetails>('cases', { matter: 'Hawk', reference: '', from: null, to: null });
  await testing.asSuperuser('update review_sets set case_id = $1 where set_id = $2 and name = $3', [foreign.caseId, set.setId, 'Set']);
  const alone = await indexOfExport({ kind: 'case', caseId, queryId: queries[0]?.queryId });
  await testing.asSuperuser('update review_sets set case_id = $1 where set_id = $2', [caseId, set.setId]);
  const { lines } = await indexOfExport({ kind: 'case', caseId, queryId: queries[0]?.queryId });
  const marked = lines.map((line) => cellsOf(line).slice(-3)).filter(([, tags]) => tags?.includes('Both sets'));
  const notes = expect.stringMatching(new RegExp(`^\\S+Z ${owner.email}: Ask Ben\\.`, 'mu'));
  expect(marked).toEqual(Array.from({ length: first.copies }, () => ['', 'Another; Both sets', notes]));
  expect(lines.filter((line) => reviewOf(line) !== '')).toEqual([]);
  const said = alone.lines.filter((line) => line.includes('=Ask'));
  expect(said).toEqual([]);
  expect(lines.filter((line) => line.includes('=Ask')).length).toBeGreaterThan(0);
}, 120_000);

test('nothing is exported of what the case no longer includes, and a set without such a decision exports nothing', async () => {
  const source = { kind: 'review', caseId, setId: set.setId };
  const { custodians } = await done<CaseDetails>(`cases/${caseId}`);
  for (const { custodianId } of custodians) await done(`cases/${caseId}/custodians/${custodianId}`, undefined, 'DELETE');
  const answer = await ask('exports', { name: 'Reviewed', format: 'eml', reason: 'A dispute', source });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'search.nothing-selected']);
  const strange = await ask('exports', { name: 'R', format: 'eml', reason: 'A dispute', source: { ...source, setId: caseId } });
  expect(strange.status).toBe(404);
}, 60_000);
