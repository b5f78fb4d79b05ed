import { organisationId, type Database, type Scope } from '@holdfast/database';
import type { CatalogSegment, ItemVersion } from '@holdfast/engine';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createHash } from 'node:crypto';
import { createCatalog } from '../../apps/server/src/storage/index.ts';
import type { Administrator } from '../catalog/fill.ts';

export const scopeOf: Scope = { organisationId: organisationId('0190bbbb-0000-7000-8000-00000000c0de'), realm: 'production' };
export const TENANT = '00000000-0000-7000-8000-0000000000aa';
const LOCATION = '00000000-0000-7000-8000-0000000000bb';
/** Two fifths of all versions are files of one folder. */
const LARGEST_SHARE = 0.4;
const FILES_OF_A_SITE = 5_000;
const SEGMENT = 5_000;
/** Days with changes after the first backup. */
export const DAYS = 30;
const CHANGES_A_DAY = 500;
const START = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;

/** The time at which a restore point was taken: 0 is the first backup. */
export const dayOf = (day: number): string => new Date(START + day * DAY_MS).toISOString();
export const FOLDER = 'drive:folder';

const shaOf = (words: string): string => createHash('sha256').update(words).digest('hex');
const contentOf = (role: 'file' | 'version', label: string, words: string, sizeBytes: number) => {
  const sha256 = shaOf(words);
  return { role, label, ref: { sha256, sizeBytes, depth: 0, pieces: [[sha256, sizeBytes]] } } as const;
};

/** A file with none, one or two earlier versions. Each twentieth repeats the content of another; each hundredth is shared with anyone. */
function fileOf(site: number, number: number, day: number): ItemVersion {
  const sizeBytes = 20_000 + (number % 80_000);
  const labels = Array.from({ length: (number % 3) + 1 }, (_, place) => `${(number % 3) + 1 - place}.0`);
  const modifiedAt = new Date(START - (number % 2_000) * DAY_MS + day * DAY_MS).toISOString();
  const words = number % 20 === 0 ? `copy ${number % 1_000}` : `${site} ${number} ${day}`;
  const person = { id: `person-${number % 200}`, displayName: 'Adele Vance', email: `adele.${number % 200}@contoso.example` };
  return {
    key: `drive:item-${shaOf(`${site} ${number}`).slice(0, 32)}`,
    kind: 'file',
    parentKey: FOLDER,
    name: `Figures of the quarter ${number}.xlsx`,
    sizeBytes,
    createdAt: modifiedAt,
    modifiedAt,
    contentTag: shaOf(words),
    contents: labels.map((label, place) =>
      contentOf(place === 0 ? 'file' : 'version', label, `${words} ${place === 0 ? '' : label}`, sizeBytes),
    ),
    properties: {
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      createdBy: { user: person },
      lastModifiedBy: { user: person },
      permissions: [
        { id: 'owner', roles: ['owner'], grantedToV2: { siteGroup: { loginName: 'Owners' } } },
        ...(number % 100 === 0 ? [{ id: 'link', roles: ['read'], link: { scope: 'anonymous', type: 'view' } }] : []),
      ],
      read: { versions: labels.map((id) => ({ id, size: sizeBytes, lastModifiedDateTime: modifiedAt })) },
    },
  };
}

/** Files by site, so that their versions add up: one site with two fifths, the others alike. A file has two versions on average. */
export function sizesOf(versions: number): readonly number[] {
  const largest = Math.round(versions * LARGEST_SHARE);
  const rest = Math.round(versions / 2) - largest;
  return [largest, ...Array.from({ length: Math.max(1, Math.round(rest / FILES_OF_A_SITE)) }, () => FILES_OF_A_SITE)];
}

export const siteId = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
const SCOPED = `'${scopeOf.organisationId}'::uuid, '${scopeOf.realm}'`;

async function fillTenant({ query }: Administrator, sites: number): Promise<void> {
  await query(`insert into organisations (organisation_id, realm, name, abbr, created_at) values (${SCOPED}, 'Contoso', 'CON', now())`);
  await query(
    `insert into tenants (organisation_id, realm, tenant_id, name, status, active, client_id, microsoft_tenant_id, credential, created_at)
     values (${SCOPED}, '${TENANT}', 'contoso', 'provisioned', true, '${TENANT}', '${TENANT}', 'secret', now())`,
  );
  await query(
    `insert into locations (organisation_id, realm, location_id, tenant_id, name, kind, use, target, immutability, created_at)
     values (${SCOPED}, '${LOCATION}', '${TENANT}', 'Vault', 'filesystem', 'both', '{"kind":"filesystem","path":"/nowhere"}', '{"mode":"none","days":0}', now())`,
  );
  await query(
    `insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name, address)
     select ${SCOPED}, ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, '${TENANT}', 'onedrive', 'drive', 'drive-' || number,
       'OneDrive ' || number, 'person' || number || '@contoso.example' from generate_series(0, ${sites - 1}) number`,
  );
}

/** What backups bring: the folder and its files in checkpoints, then a day at a time some that have changed and some that are gone. */
function* segmentsOf(site: number, files: number): Generator<CatalogSegment, void, undefined> {
  let sequence = 0;
  const segment = (day: number, point: boolean, put: readonly ItemVersion[], removed: readonly string[] = []): CatalogSegment => {
    sequence += 1;
    const common = { resourceId: siteId(site), hash: `hash-${sequence}`, runId: `run-${day}`, cursor: '', newBytes: 0, storedBytes: 0 };
    return { ...common, sequence, committedAt: dayOf(day), point, put, removed };
  };
  const root = { contentTag: '', contents: [], properties: {}, sizeBytes: 0 } as const;
  yield segment(0, false, [
    { ...root, key: 'drive:library', kind: 'library', parentKey: null, name: 'Documents' },
    { ...root, key: FOLDER, kind: 'folder', parentKey: 'drive:library', name: 'Figures' },
  ]);
  for (let from = 0; from < files; from += SEGMENT) {
    const count = Math.min(SEGMENT, files - from);
    yield segment(
      0,
      from + count >= files,
      Array.from({ length: count }, (_, index) => fileOf(site, from + index, 0)),
    );
  }
  const changes = Math.min(CHANGES_A_DAY, Math.floor(files / (2 * DAYS)));
  for (let day = 1; day <= DAYS; day += 1) {
    const numbers = Array.from({ length: changes }, (_, index) => day * changes + index);
    // The last of each day's are gone.
    const [gone, kept] = [numbers.slice(-changes / 10), numbers.slice(0, -changes / 10)];
    yield segment(
      day,
      true,
      kept.map((number) => fileOf(site, number, day)),
      gone.map((number) => fileOf(site, number, 0).key),
    );
  }
}

/** Fills the catalog through its own store, one segment after the other, as backups do. */
export async function fillSites(administrator: Administrator, database: Database, sizes: readonly number[]): Promise<void> {
  await fillTenant(administrator, sizes.length);
  const catalog = createCatalog({ database, scope: scopeOf, locationId: LOCATION, ids: createIds(systemClock, createSeededRandom(3)) });
  for (const [site, files] of sizes.entries()) for (const segment of segmentsOf(site, files)) await catalog.apply(segment);
}

/** What the index of words says of every file, as it does once it has read them all: one in five hundred has personal numbers. */
export async function fillIndex({ query }: Administrator): Promise<void> {
  // Before its first statistics PostgreSQL looks up what a row refers to in the index of folders: a hundred times as long.
  await query('analyze catalog_items');
  await query(
    `insert into search_items (item_id, slices, organisation_id, realm, source_id, item_key, from_point, kind, title, sender, at, size_bytes, attachments, file_type, state)
     select row_number() over (), 1, organisation_id, realm, source_id, item_key, from_point, 'file', name, coalesce(author, ''), modified_at, size_bytes, 0, 'xlsx', 'indexed'
     from catalog_items where kind = 'file'`,
  );
  await query(
    `insert into search_sensitive (organisation_id, realm, item_no, kind, count, sample)
     select organisation_id, realm, item_no, 'iban', 3, 'DE…00' from search_items where item_no % 500 = 0`,
  );
  await query('analyze');
}
