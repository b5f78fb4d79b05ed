import type { growthQuery, storageQuery } from '@holdfast/contract/compliance';
import type { Growth, StorageRow } from '@holdfast/contract/compliance-values';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { organisationZone } from '../reporting/index.ts';
import { ageAt, ageLimits } from './ages.ts';
import { endingOf, fileKindOf } from './file-kinds.views.ts';

type StorageQuery = z.output<typeof storageQuery>;
type GrowthQuery = z.output<typeof growthQuery>;

/** How old a file is by its last change, in the buckets of the dashboard. */
function ageOf(now: Date): RawBuilder<string> {
  const limits = ageLimits(now);
  const cases = limits.map((limit, place) => sql`when file.modified_at >= ${limit}::timestamptz then ${ageAt(place)}::text`);
  return sql<string>`(case ${sql.join(cases, sql` `)} else ${ageAt(limits.length)}::text end)`;
}

const kindOf = fileKindOf(sql.ref('named.ending'));

/** The files that a report counts, with their site. */
function wantedFiles(tenantId: string, query: GrowthQuery, now: Date): RawBuilder<unknown> {
  const parts = [sql`source.tenant_id = ${tenantId} and not file.is_deleted`];
  if (query.siteId !== undefined) parts.push(sql`source.resource_id = ${query.siteId}`);
  if (query.ownerId !== undefined) parts.push(sql`file.owner_id = ${query.ownerId}`);
  if (query.kind !== undefined) parts.push(sql`${kindOf} = ${query.kind}`);
  if (query.age !== undefined) parts.push(sql`${ageOf(now)} = ${query.age}`);
  return sql`compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
    join resources resource on resource.organisation_id = source.organisation_id and resource.realm = source.realm
      and resource.resource_id = source.resource_id
    cross join lateral (select ${endingOf(sql.ref('file.name'))} as ending) named
    where ${sql.join(parts, sql` and `)}`;
}

const orders = { bytes: '(bytes + "versionBytes")', files: 'files', versionBytes: '"versionBytes"', name: 'lower(name), key' } as const;

function groupOf(by: StorageQuery['by'], now: Date) {
  if (by === 'site') return { key: sql`source.resource_id::text`, name: sql`max(resource.name)` };
  return { key: by === 'kind' ? kindOf : ageOf(now), name: sql`''` };
}

/** What takes up space, by site, by kind of file or by age: files with their earlier versions. */
export async function storagePage(tx: Tx, tenantId: string, query: StorageQuery, now: Date) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'bytes', isDescending: true });
  const { key, name } = groupOf(query.by, now);
  const named = query.search === undefined ? sql`true` : sql`name ilike ${likePattern(query.search)}`;
  const groups = sql`(select * from (select ${key} as key, ${name} as name, count(*)::bigint as files, coalesce(sum(file.size_bytes), 0)::bigint as bytes,
      coalesce(sum(file.versions), 0)::bigint as versions, coalesce(sum(file.version_bytes), 0)::bigint as "versionBytes"
    from ${wantedFiles(tenantId, query, now)} group by 1) grouped where ${named})`;
  const { rows } = await sql<StorageRow>`select * from ${groups} found
    order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, key limit ${window.limit} offset ${window.offset}`.execute(
    tx,
  );
  const counted = await sql<{ total: number; files: number; bytes: number; versionBytes: number }>`
    select count(*)::bigint as total, coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes,
      coalesce(sum("versionBytes"), 0)::bigint as "versionBytes" from ${groups} found`.execute(tx);
  const { total, ...totals } = counted.rows[0] ?? { total: 0, files: 0, bytes: 0, versionBytes: 0 };
  return { ...pageFrom([...rows], total, window), totals };
}

const MONTHS = 24;

/** When the data of today was written, by month: each version counts when it was made. */
export async function growthOf(tx: Tx, tenantId: string, query: GrowthQuery, now: Date): Promise<Growth> {
  const files = wantedFiles(tenantId, query, now);
  const { rows } = await sql<{ month: string | null; bytes: number; versionBytes: number }>`
    with wanted as materialized (select file.organisation_id, file.realm, file.source_id, file.item_key, file.size_bytes, file.modified_at from ${files})
    select to_char(written.moment at time zone ${organisationZone}, 'YYYY-MM') as month, sum(written.bytes)::bigint as bytes,
      sum(written.version_bytes)::bigint as "versionBytes"
    from (select modified_at as moment, size_bytes as bytes, 0 as version_bytes from wanted
      union all select version.modified_at, 0, version.size_bytes from compliance_versions version
        join wanted using (organisation_id, realm, source_id, item_key)) written
    group by 1`.execute(tx);
  const zones = await sql<{ zone: string }>`select ${organisationZone} as zone`.execute(tx);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zones.rows[0]?.zone ?? 'UTC')
    .toPlainDate()
    .toPlainYearMonth();
  const months = Array.from({ length: MONTHS }, (_, at) => today.subtract({ months: MONTHS - 1 - at }).toString());
  const [first = ''] = months;
  const sum = (of: 'bytes' | 'versionBytes', isWanted: (month: string) => boolean): number =>
    rows.reduce((total, row) => (isWanted(row.month ?? '') ? total + row[of] : total), 0);
  // A clock that was ahead, or no time at all: the data is there today, and so it counts before the first or in the last month.
  const monthOf = (month: string) => (written: string) => written === month || (month === months.at(-1) && written > month);
  return {
    before: { bytes: sum('bytes', (month) => month < first), versionBytes: sum('versionBytes', (month) => month < first) },
    months: months.map((month) => ({ month, bytes: sum('bytes', monthOf(month)), versionBytes: sum('versionBytes', monthOf(month)) })),
  };
}
