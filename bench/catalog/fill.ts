import { organisationId, type EmbeddedPostgres, type Scope } from '@holdfast/database';
import pg from 'pg';

/** A source has a root and so many folders below it; the first has two fifths of the items. */
export const FOLDERS = 40;
/** Restore points of a source, one a day. */
export const POINTS = 120;
const LARGEST_SHARE = 0.1;
const VERSIONS_OF_A_SOURCE = 50_000;
/** What the other columns of a version take, as JSON: hashes, tags and properties of a message. */
const DETAIL_BYTES = 600;
const OPEN = Number.MAX_SAFE_INTEGER;
const LOADERS = 2;

export const scopeOf: Scope = { organisationId: organisationId('0190bbbb-0000-7000-8000-00000000ca7a'), realm: 'production' };

/** A connection past row-level security, for filling and for the bound. */
export interface Administrator {
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** Several statements beside each other. */
  readonly queryAll: (statements: readonly string[]) => Promise<void>;
  close(): Promise<void>;
}

export async function openAdministrator(postgres: EmbeddedPostgres): Promise<Administrator> {
  const url = new URL(postgres.administratorUrl);
  url.pathname = new URL(postgres.ownerUrl).pathname;
  const pool = new pg.Pool({ connectionString: url.href, max: LOADERS });
  const query: Administrator['query'] = async (sql, values = []) => (await pool.query<Record<string, unknown>>(sql, [...values])).rows;
  await query('select 1');
  return {
    query,
    async queryAll(statements) {
      const waiting = [...statements];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await pool.query(next);
      };
      await Promise.all(Array.from({ length: LOADERS }, work));
    },
    close: () => pool.end(),
  };
}

/** The time at which a restore point was taken. */
export function dayOf(sequence: number): string {
  return new Date(Date.UTC(2026, 0, 1, 12) + sequence * 86_400_000).toISOString();
}

/** Versions by source: one mailbox with a tenth of all, the others alike. */
export function sizesOf(versions: number): readonly number[] {
  const largest = Math.round(versions * LARGEST_SHARE);
  const others = Math.max(1, Math.round((versions - largest) / VERSIONS_OF_A_SOURCE));
  return [largest, ...Array.from({ length: others }, () => Math.round((versions - largest) / others))];
}

const sourceId = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
const SCOPED = `'${scopeOf.organisationId}'::uuid, '${scopeOf.realm}'`;
const COLUMNS = `organisation_id, realm, source_id, item_key, from_point, to_point, parent_key, kind, is_container, name, sort_name,
  size_bytes, created_at, modified_at, author, detail`;

/** One source with its points and folders; its items follow. */
function sourceStatement(index: number, items: number): string {
  const id = sourceId(index);
  return `
    with tenant as (select tenant_id from tenants limit 1), location as (select location_id from locations limit 1),
    resource as (
      insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name)
      select ${SCOPED}, '${id}', tenant_id, 'exchange', 'mailbox', 'user-${index}', 'Mailbox ${index}' from tenant returning resource_id),
    source as (
      insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, points)
      select ${SCOPED}, '${id}', location_id, resource_id, ${POINTS}, 'hash', '', ${items}, ${POINTS} from location, resource returning source_id),
    points as (
      insert into catalog_points (organisation_id, realm, source_id, sequence, run_id, committed_at)
      select ${SCOPED}, source_id, sequence, 'run-' || sequence, timestamptz '${dayOf(0)}' + sequence * interval '1 day'
      from source, generate_series(1, ${POINTS}) sequence)
    insert into catalog_items (${COLUMNS})
    select ${SCOPED}, source_id, 'folder-' || folder, 1, ${OPEN}, 'mail', 'mailFolder', true, 'Folder ' || folder, 'folder ' || folder, 0, null, null, null, '{}'
    from source, generate_series(0, ${FOLDERS - 1}) folder`;
}

/**
 * The items of a source: of every three one has one version, one has two, one has three; every tenth is gone since.
 * Keys and names are as long as those of the service.
 */
function itemsStatement(index: number, versions: number): string {
  return `
    insert into catalog_items (${COLUMNS})
    select ${SCOPED}, '${sourceId(index)}', item_key, from_point,
      case when next is not null then next when number % 10 = 0 then ${POINTS - 5} else ${OPEN} end,
      case when number % 5 < 2 then 'folder-0' else 'folder-' || (1 + number % ${FOLDERS - 1}) end, 'message', false,
      'RE: Figures of the quarter ' || number, 're: figures of the quarter ' || md5(number::text), 20000 + number % 80000,
      timestamptz '2026-01-01' + number * interval '1 minute', timestamptz '2026-01-01' + number * interval '1 minute', 'Adele Vance',
      ('{"contentTag":"' || repeat(md5(number::text), ${Math.round(DETAIL_BYTES / 32)}) || '"}')::json
    from (
      select number, 'AAMkr13GqhBAPa19ihjevbcimg-huMJh0tI9sVEYxJKmrTc1A' || md5(number::text) as item_key, from_point,
        lead(from_point) over (partition by number order by from_point) as next
      from (select number, 1 + number % 30 + version * (5 + number % 30) as from_point
            from generate_series(1, ${Math.round(versions / 2)}) number, generate_series(0, number % 3) version) each_version
    ) versions`;
}

/** What each segment changed of the number of children, as the catalog notes it. */
const COUNTS = `
  insert into catalog_folder_counts (organisation_id, realm, source_id, parent_key, sequence, kind, change)
  select organisation_id, realm, source_id, coalesce(parent_key, ''), edge.sequence, kind, sum(edge.change)
  from catalog_items cross join lateral (values (from_point, 1), (to_point, -1)) as edge (sequence, change)
  where edge.sequence <> ${OPEN} group by 1, 2, 3, 4, 5, 6 having sum(edge.change) <> 0`;

/** Fills the tables with made-up sources of these sizes; the indexes are made afterwards, which changes nothing of them. */
export async function fillCatalog(administrator: Administrator, sizes: readonly number[]): Promise<void> {
  const { query, queryAll } = administrator;
  const names = await query(`select indexname, indexdef from pg_indexes where tablename = 'catalog_items' and indexname not like '%pkey'`);
  const [keys] = await query(
    `select conname, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = 'catalog_items'::regclass and contype = 'p'`,
  );
  await query(`insert into organisations (organisation_id, realm, name, abbr, created_at) values (${SCOPED}, 'Contoso', 'CON', now())`);
  await query(
    `insert into tenants (organisation_id, realm, tenant_id, name, status, active, client_id, microsoft_tenant_id, credential, created_at)
     values (${SCOPED}, '${sourceId(1)}', 'contoso', 'provisioned', true, '${sourceId(2)}', '${sourceId(3)}', 'secret', now())`,
  );
  await query(
    `insert into locations (organisation_id, realm, location_id, tenant_id, name, kind, use, target, immutability, created_at)
     values (${SCOPED}, '${sourceId(4)}', '${sourceId(1)}', 'Vault', 'filesystem', 'both', '{"kind":"filesystem","path":"/nowhere"}', '{"mode":"none","days":0}', now())`,
  );
  for (const { indexname: index } of names) await query(`drop index ${String(index)}`);
  await query(`alter table catalog_items drop constraint ${String(keys?.['conname'])}, set unlogged`);
  for (const [index, versions] of sizes.entries()) await query(sourceStatement(index, versions));
  await queryAll(sizes.map((versions, index) => itemsStatement(index, versions)));
  await queryAll([
    `set maintenance_work_mem = '1GB'; alter table catalog_items add constraint ${String(keys?.['conname'])} ${String(keys?.['definition'])}`,
    ...names.map((one) => `set maintenance_work_mem = '1GB'; ${String(one['indexdef'])}`),
  ]);
  await query(COUNTS);
  await query('vacuum (analyze) catalog_items');
  await query('analyze');
}
