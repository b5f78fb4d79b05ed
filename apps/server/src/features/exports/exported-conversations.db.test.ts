import type { CaseDetails } from '@holdfast/contract/case-values';
import type { ContentExport } from '@holdfast/contract/exports';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemVersion, JsonObject } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aResource, testIds } from '../../testing/rows.ts';
import type { SignedIn } from '../../testing/test-server.ts';
import { createExportGround } from './testing/export-ground.ts';

/** Messages of chats in exports of a case: each with a transcript of what was said around it. */
const testing = testDatabase(import.meta.url);
const ground = createExportGround(testing);
let of: CaseDetails;
let member: SignedIn;
let sourceId = '';

const WORD = 'Zwetschgenmus';
const HIT = '2026-05-04T10:00:00Z';
const hours = (after: number): string => new Date(Date.parse(HIT) + after * 3_600_000).toISOString();

function said(key: string, after: number, content: string, more: JsonObject = {}): ItemVersion {
  const at = hours(after);
  const properties = { body: { contentType: 'text', content }, from: { user: { displayName: 'Adele' } }, createdDateTime: at, ...more };
  return anItem(key, { kind: 'chatMessage', parentKey: 'chat:c', name: content, createdAt: at, modifiedAt: at, properties });
}

beforeAll(async () => {
  await ground.open();
  const [place] = await testing.asSuperuser('select tenant_id, location_id from locations limit 1');
  const [tenantId, locationId] = [String(place?.['tenant_id']), String(place?.['location_id'])];
  const { organisationId } = ground.owner;
  const scope = { organisationId, realm: 'production' as const };
  const { id: userId, name: displayName, address: email } = ground.person(0);
  const resource = { graphId: 'c', name: 'The kitchen', kind: 'chat', workload: 'teams' } as const;
  const resourceId = await aResource(testing.database, { scope, tenantId, locationId }, resource);
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids: testIds });
  const members = [{ userId, displayName, email }];
  await catalog.apply(
    aSegment(resourceId, 1, {
      committedAt: hours(-20),
      put: [anItem('chat:c', { kind: 'chat', name: 'The kitchen', properties: { members } }), said('gone', -11, 'I take it all back')],
    }),
  );
  await catalog.apply(
    aSegment(resourceId, 2, {
      committedAt: hours(6),
      put: [said('hit', 0, `${WORD} <b>again</b>`), said('after', 1, 'As you like'), said('far', -13, 'Long before')],
      removed: ['gone'],
    }),
  );
  const [source] = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [resourceId]);
  sourceId = String(source?.['source_id']);
  await vi.waitFor(
    async () => {
      if ((await ground.hitsOf(WORD)) < 1) throw new Error('It has not been read yet.');
    },
    { timeout: 60_000, interval: 300 },
  );
  const made = await ground.told<CaseDetails>(
    await ground.send('cases', { body: { matter: 'Falcon', reference: '', from: null, to: null } }),
  );
  await ground.told(await ground.send(`cases/${made.caseId}/custodians`, { body: { keys: [`u:${userId}`] } }));
  of = await ground.told<CaseDetails>(await ground.send(`cases/${made.caseId}/queries`, { body: { name: 'Mus', query: WORD } }));
  member = await ground.running.server.member(organisationId, 'administrator', 'member@contoso.example');
  await testing.asSuperuser(
    `insert into case_members (organisation_id, realm, case_id, account_id, added_by, added_at)
     select organisation_id, realm, case_id, $1, $2, now() from cases where case_id = $3`,
    [member.accountId, ground.owner.accountId, of.caseId],
  );
}, 300_000);
afterAll(() => ground.close());

const source = () => ({ kind: 'case', caseId: of.caseId, queryId: of.queries[0]?.queryId });

test('a hit in a chat comes with a transcript beside it, which marks the hit, what was deleted and both ends', async () => {
  const one = await ground.ended(await ground.exported({ source: source() }));
  expect(one).toMatchObject({ status: 'successful', items: 1, failed: 0 });
  const into = await ground.unpacked(one, 'case');
  expect((await ground.verified(into))[0]).toMatch(/^The export is whole/u);
  const [transcript, ...others] = await ground.filesIn(into, ' - conversation.html');
  const [original] = await ground.filesIn(into, '.json').then((all) => all.filter((name) => name !== 'manifest.json'));
  expect([others, transcript?.replace(' - conversation.html', '.json')]).toEqual([[], original]);
  const page = await readFile(path.join(into, transcript ?? ''), 'utf8');
  const articles = [...page.matchAll(/<article[^>]*>.*?<\/article>/gsu)].map(([article]) => article);
  expect(articles.map((article) => /<div>(.*?)<\/div>/su.exec(article)?.[1])).toEqual([
    'I take it all back',
    `${WORD} &lt;b&gt;again&lt;/b&gt;`,
    'As you like',
  ]);
  expect(articles.map((article) => [article.includes('(hit)'), article.includes('(deleted)')])).toEqual([
    [false, true],
    [true, false],
    [false, false],
  ]);
  expect(page).toContain('The window begins here: 2026-05-03 22:00 UTC.');
  expect(page).toContain('The window ends here: 2026-05-04 22:00 UTC.');
  expect(page).toContain('Not complete: messages after the newest restore point (2026-05-04 16:00 UTC) were not kept');
  expect(page).not.toContain('before the oldest restore point');
  expect(page).not.toContain('Long before');
  const again = await ground.ended(await ground.exported({ name: 'Once more', source: source() }));
  const { files } = await ground.manifestOf(into);
  const second = await ground.manifestOf(await ground.unpacked(again, 'case again'));
  const hashOf = (all: typeof files): string | undefined => all.find((file) => file.path === transcript)?.sha256;
  expect([hashOf(files), hashOf(second.files)]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/u), hashOf(files)]);
}, 120_000);

test.each(['mbox', 'loadFile', 'searchable'] as const)(
  'a transcript comes with %s as well',
  async (format) => {
    const one = await ground.ended(await ground.exported({ format, source: source() }));
    const into = await ground.unpacked(one, format);
    const names = (await ground.filesIn(into, ' - conversation.html')).map((name) => path.basename(name));
    expect(names).toEqual([format === 'loadFile' ? 'HF00000001 - conversation.html' : `${WORD} _b_again__b_ - conversation.html`]);
    expect((await ground.verified(into))[0]).toMatch(/^The export is whole/u);
  },
  120_000,
);

test('what is no export of a case has no transcripts, and neither has a package of a tax audit', async () => {
  const searched = await ground.told<{ selectionId: string }>(
    await ground.send('search/selections', { body: { query: WORD, reason: 'An export' } }),
  );
  const plain = await ground.ended(await ground.exported({ source: { kind: 'selection', selectionId: searched.selectionId } }));
  expect(await ground.filesIn(await ground.unpacked(plain, 'selection'), ' - conversation.html')).toEqual([]);
  const audit = await ground.ended(await ground.exported({ format: 'z3', source: source() }));
  expect(audit.status).toBe('successful');
  expect(await ground.filesIn(await ground.unpacked(audit, 'z3'), ' - conversation.html')).toEqual([]);
}, 120_000);

test('A27: a transcript has what the rights of whoever asked for it open, and says where the case ends', async () => {
  await testing.asSuperuser("update organisations set content_access = 'strict'");
  await testing.asSuperuser('update cases set from_at = $1 where case_id = $2', [hours(-3), of.caseId]);
  const answer = await ground.send('exports', {
    token: member.tokens.main,
    body: { name: 'Of a member', format: 'eml', reason: 'A dispute', source: source() },
  });
  const { exportId } = await ground.told<ContentExport>(answer);
  const path_ = `exports/${exportId}`;
  const made = await vi.waitFor(
    async () => {
      const found = await ground.told<ContentExport>(await ground.send(path_, { token: member.tokens.main }));
      if (found.status !== 'successful') throw new Error(`The export is ${found.status}.`);
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(made.items).toBe(1);
  const rows = await testing.asSuperuser("select conversation from export_files where export_id = $1 and kind = 'conversation'", [
    exportId,
  ]);
  const frames = rows.map(({ conversation }) => conversation as { gaps: string[]; messages: { key: string }[] });
  expect(frames.map(({ gaps, messages }) => [gaps, messages.map(({ key }) => key)])).toEqual([
    [
      ['casePeriodBefore', 'afterRestorePoints', 'limitedRight'],
      ['hit', 'after'],
    ],
  ]);
  await testing.asSuperuser("update organisations set content_access = 'open'");
  await testing.asSuperuser('update cases set from_at = null where case_id = $1', [of.caseId]);
}, 120_000);

test('a transcript of which a message was erased since is never shown as if it were whole', async () => {
  const one = await ground.ended(await ground.exported({ name: 'Before an erasure', source: source() }));
  await testing.asSuperuser("delete from catalog_items where source_id = $1 and item_key = 'after'", [sourceId]);
  const part = await ground.send(`exports/${one.exportId}/parts/1`);
  await expect(part.arrayBuffer()).rejects.toThrow('terminated');
}, 120_000);
