import { testDatabase } from '@holdfast/database/testing/test-database';
import { factsOf, type ItemVersion } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { unlimitedReach } from '../content-access/index.ts';
import { linksAsSent } from './as-sent.views.ts';
import { slicesOf } from './lexemes.ts';
import { createSearchIndexStore } from './search-index.store.ts';

/** A30: links of what was sent, over a catalog and an index, through everything that happens to the files afterwards. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
let ground: Ground;
let drive: string;
let team: string;
let points: { drive: number; team: number };
const kept = new Map<string, ItemVersion>();

const SITE = 'https://contoso.sharepoint.com/sites/sales';
const SHARED = 'https://contoso.sharepoint.com/:w:/s/sales/EaBcD';
const SENT = '2024-05-17T12:00:00Z';
type Version = readonly [label: string, at: string];
const V1: Version = ['1.0', '2024-05-10T10:00:00Z'];
const V2: Version = ['2.0', '2024-05-15T10:00:00Z'];
const V3: Version = ['3.0', '2024-05-20T10:00:00Z'];

/** A file with its versions, the newest first; those that are left out of `kept` were named by the service alone. */
function aFile(path: string, versions: readonly Version[], stored: readonly Version[] = versions): ItemVersion {
  const contents = stored.map(([label], index) => ({
    role: index === 0 ? ('file' as const) : ('version' as const),
    label,
    ref: { sha256: label.replace('.', '').padStart(64, '0'), sizeBytes: 5, depth: 0, pieces: [] },
  }));
  const read = { versions: versions.map(([id, lastModifiedDateTime]) => ({ id, lastModifiedDateTime })) };
  const permissions = [{ id: 'p', link: { type: 'view', webUrl: `${SHARED}?e=1` } }];
  const name = path.split('/').at(-1) ?? '';
  return anItem('offer', { kind: 'file', name, contents, properties: { webUrl: `${SITE}/${encodeURI(path)}`, permissions, read } });
}

beforeEach(async () => {
  ground = await aGround(database);
  drive = await aResource(database, ground, { graphId: ids.uuid(), name: 'Sales', kind: 'site' });
  team = await aResource(database, ground, { graphId: ids.uuid(), name: 'Team', kind: 'team' });
  points = { drive: 0, team: 0 };
});

/** Commits a restore point and indexes what is new, as the indexer does. */
async function commit(
  of: 'drive' | 'team',
  change: { readonly put?: readonly ItemVersion[]; readonly removed?: readonly string[] },
  stored = {},
) {
  points[of] += 1;
  const catalog = createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids });
  for (const item of change.put ?? []) kept.set(item.key, item);
  await catalog.apply(aSegment(of === 'drive' ? drive : team, points[of], { put: [], removed: [], ...change }));
  const store = createSearchIndexStore(database);
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  const read = (await store.unread(ground.scope, 10)).map((one) => {
    const item = kept.get(one.itemKey) ?? anItem(one.itemKey);
    const words = {
      title: item.name,
      ...nobody,
      text: '',
      at: null,
      state: 'indexed' as const,
      facts: factsOf(item, undefined, { stored }),
    };
    const same = { contentHash: null, sizeBytes: 1, sensitive: [], language: null, slices: slicesOf(words), changedAt: SENT };
    return { of: one, kind: item.kind, name: item.name, words, ...same };
  });
  await store.write(ground.scope, read);
}

async function send(key: string, ...links: readonly string[]): Promise<void> {
  const content = links.map((link) => `<a href="${link}">see</a>`).join(' ');
  await commit('team', { put: [anItem(key, { kind: 'post', name: key, createdAt: SENT })] }, { body: { contentType: 'html', content } });
}

async function sent(key: string, reach = unlimitedReach) {
  const rows = await testing.asSuperuser('select source_id from catalog_sources where resource_id = $1', [team]);
  const sourceId = String(rows[0]?.['source_id']);
  const asked = { tenantId: ground.tenantId, sourceId, itemKey: key, sequence: points.team };
  return (await database.within(ground.scope, (tx) => linksAsSent(tx, asked, reach))).map(({ file }) =>
    file === null ? null : [file.name, file.label, file.rule, file.missing],
  );
}

const ASKED = ['Offer.docx', '2.0', 'last-change-before', null];

test('A30: three links of one post lead to the version of when it was sent, each written in its own way, or to nothing that is kept', async () => {
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V2, V1])] });
  await send('p', `${SITE}/Shared%20Documents/Offer.docx?web=1`, `${SHARED}?e=other`, 'https://fabrikam.com/Offer.docx');
  expect(await sent('p')).toEqual([ASKED, ASKED, null]);
});

test('A30: editing, renaming, moving and deleting the file afterwards changes nothing of what was sent', async () => {
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V2, V1])] });
  await send('p', `${SITE}/Shared Documents/Offer.docx`, SHARED);
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V3, V2, V1])] });
  expect(await sent('p')).toEqual([ASKED, ASKED]);
  await commit('drive', { put: [aFile('Shared Documents/Final.docx', [V3, V2, V1])] });
  expect(await sent('p')).toEqual([ASKED, ASKED]);
  await commit('drive', { put: [aFile('Archive/2024/Final.docx', [V3, V2, V1])] });
  expect(await sent('p')).toEqual([ASKED, ASKED]);
  await commit('drive', { removed: ['offer'] });
  expect(await sent('p')).toEqual([ASKED, ASKED]);
});

test('A30: a link that was sent before the file was renamed still finds it when only its new address was in the backup in time', async () => {
  await commit('drive', { put: [aFile('Shared Documents/Draft.docx', [V1])] });
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V2, V1])] });
  await send('p', `${SITE}/Shared%20Documents/Draft.docx`);
  expect(await sent('p')).toEqual([ASKED]);
});

test('A30: a version that was taken away is named, and a file that is no longer kept resolves to nothing', async () => {
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V3, V2, V1], [V3, V1])] });
  await send('p', SHARED);
  expect(await sent('p')).toEqual([['Offer.docx', '1.0', 'earlier-kept', '2.0']]);
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{contents}', '[]')::json where item_key = 'offer'`,
  );
  expect(await sent('p')).toEqual([null]);
  await testing.asSuperuser(`delete from catalog_items where item_key = 'offer'`);
  expect(await sent('p')).toEqual([null]);
});

test('A30: nobody learns of a file that they may not find', async () => {
  await commit('drive', { put: [aFile('Shared Documents/Offer.docx', [V2, V1])] });
  await send('p', SHARED);
  expect(await sent('p', () => sql`resource.resource_id <> ${drive}`)).toEqual([null]);
});
