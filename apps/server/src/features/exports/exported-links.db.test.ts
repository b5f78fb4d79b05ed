import { testDatabase } from '@holdfast/database/testing/test-database';
import { factsOf, type ItemVersion } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { silentLogger } from '@holdfast/foundation/logger';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformance } from '../../admin/conformance.ts';
import { readConfig } from '../../settings/config.ts';
import { createCatalog } from '../../storage/index.ts';
import { aResource, testIds as ids } from '../../testing/rows.ts';
import { slicesOf } from '../search/lexemes.ts';
import { createSearchIndexStore } from '../search/search-index.store.ts';
import { createExportGround } from './testing/export-ground.ts';

/** A30: the links of exported mails, in the list of links and in the manifest. */
const testing = testDatabase(import.meta.url);
const ground = createExportGround(testing);
beforeAll(() => ground.open(), 240_000);
afterAll(() => ground.close());

const ADDRESS = 'https://contoso.sharepoint.com/sites/sales/Offer.docx';

/** A file of which the first version is older than the mails, and the second is not kept. */
function aFile(): ItemVersion {
  const versions = [
    { id: '3.0', lastModifiedDateTime: '2026-12-01T10:00:00Z' },
    { id: '2.0', lastModifiedDateTime: '2026-11-01T10:00:00Z' },
    { id: '1.0', lastModifiedDateTime: '2026-10-01T10:00:00Z' },
  ];
  const content = (role: 'file' | 'version', label: string) => ({
    role,
    label,
    ref: { sha256: label.replace('.', '').padStart(64, '0'), sizeBytes: 5, depth: 0, pieces: [] },
  });
  const contents = [content('file', '3.0'), content('version', '1.0')];
  return anItem('offer', { kind: 'file', name: 'Offer.docx', contents, properties: { webUrl: ADDRESS, read: { versions } } });
}

/** What the tests of the open standard come to, by the command of the console. */
async function conforming(folder: string, again: string): Promise<string[]> {
  const lines: string[] = [];
  const context = { config: readConfig({}), logger: silentLogger, print: (line: string) => void lines.push(line) };
  expect(await conformance.run(context, { folder, again, json: 'yes' })).toBe(0);
  const { results } = JSON.parse(lines.join('\n')) as { results: { test: string; status: string; reason: string }[] };
  return results.map(({ test: name, status, reason }) => `${name} ${status} ${reason}`);
}

test('A30: an export lists each link with the version as sent, the rule, what is missing, and those that lead to nothing kept', async () => {
  const [place] = await testing.asSuperuser('select tenant_id, location_id, organisation_id from locations limit 1');
  const scope = { organisationId: ground.owner.organisationId, realm: 'production' as const };
  const [tenantId, locationId] = [String(place?.['tenant_id']), String(place?.['location_id'])];
  const resourceId = await aResource(
    testing.database,
    { scope, tenantId, locationId },
    { graphId: 'contoso.sharepoint.com,sales', name: 'Sales', kind: 'site' },
  );
  const item = aFile();
  await createCatalog({ database: testing.database, scope, locationId, ids }).apply(aSegment(resourceId, 1, { put: [item] }));
  const store = createSearchIndexStore(testing.database);
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  const words = { title: item.name, ...nobody, text: '', at: null, state: 'indexed' as const, facts: factsOf(item, undefined) };
  const same = {
    kind: 'file',
    name: item.name,
    contentHash: null,
    sizeBytes: 1,
    sensitive: [],
    language: null,
    slices: slicesOf(words),
    changedAt: '2026-12-01T10:00:00Z',
  };
  const unread = (await store.unread(scope, 10)).filter((one) => one.itemKey === item.key);
  await store.write(
    scope,
    unread.map((of) => ({ of, words, ...same })),
  );
  const links = [`${ADDRESS}?web=1`, '=cmd|evil', 'https://fabrikam.com/other.docx'];
  const selectionId = await ground.selected('formula');
  for (const [index, link] of links.entries())
    await testing.asSuperuser(
      `insert into search_links (organisation_id, realm, item_no, place, link) select item.organisation_id, item.realm, item.item_no, $1, $2
        from search_items item join search_selection_items chosen using (organisation_id, realm, source_id, item_key, from_point)
        where chosen.selection_id = $3`,
      [index + 1, link, selectionId],
    );
  const one = await ground.ended(await ground.exported({ source: { kind: 'selection', selectionId } }));
  const into = await ground.unpacked(one, 'linked');
  const [, ...lines] = (await readFile(path.join(into, 'links.csv'), 'utf8')).trimEnd().split('\r\n');
  const sent = '2026-11-02T10:00:00Z';
  expect(lines.map((line) => line.slice(line.indexOf('.eml') + 4).replace(/^"/u, ''))).toEqual([
    `,${ADDRESS}?web=1,${sent},earlier-kept,,2.0,Offer.docx,Sales,1.0,2026-10-01T10:00:00Z,${'10'.padStart(64, '0')},,"contoso.sharepoint.com,sales",offer`,
    `,'=cmd|evil,${sent},,,,,,,,,,,`,
    `,https://fabrikam.com/other.docx,${sent},,,,,,,,,,,`,
  ]);
  expect(await ground.manifestOf(into)).toMatchObject({ links: { 'earlier-kept': 1, unresolved: 2 } });
  expect((await ground.verified(into))[0]).toMatch(/^The export is whole/u);
  const second = await ground.ended(await ground.exported({ name: 'Once more', source: { kind: 'selection', selectionId } }));
  const again = await ground.unpacked(second, 'linked again');
  expect(await conforming(into, again)).toEqual([
    'T-01 notChecked as-sent-fallback',
    'T-02 notChecked ids-only',
    'T-03 notApplicable relations-single',
    'T-04 notChecked no-identity',
    'T-05 notChecked no-access',
    'T-06 notApplicable no-exceptions',
    'T-07 passed same-files',
  ]);
}, 120_000);
