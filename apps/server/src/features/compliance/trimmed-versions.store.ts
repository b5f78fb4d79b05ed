import type { Database, Scope, Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** A file of a clean-up, with the versions that its script deletes and that were still there when it was last asked for. */
export interface PlannedFile {
  readonly sourceId: string;
  readonly itemKey: string;
  readonly labels: readonly string[];
}

/** What is known of versions that scripts of clean-ups delete. */
export interface TrimmedVersionsStore {
  /** Files of scripts that are expected to be run, those longest not asked for first. */
  files(scope: Scope, tenantId: string, at: Date): Promise<readonly PlannedFile[]>;
  /** A file was asked for, and these of its versions are gone: no report counts them from now on. */
  note(scope: Scope, file: PlannedFile, gone: readonly string[], at: Date): Promise<void>;
}

/** For so long after its download a script is expected to be run. */
const EXPECTED_MS = 30 * 24 * 3_600_000;
const expectedSince = (at: Date): Date => new Date(at.getTime() - EXPECTED_MS);

/** Whether somebody has the script of a clean-up, and not all that it deletes is known to be gone. */
export function isAwaited(tenantId: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select from compliance_clean_up_scripts script join runs using (organisation_id, realm, run_id)
    join compliance_clean_ups plan using (organisation_id, realm, run_id)
    where runs.tenant_id = ${tenantId} and script.taken_at > ${expectedSince(at)} and plan.is_read and plan.gone_at is null)`;
}

/** As many calls as a scan may make for clean-ups; the next scan asks for the rest. */
const FILES = 5_000;

const isTrimmed = (sourceId: string) => sql`exists (select from compliance_clean_ups trimmed where trimmed.source_id = ${sourceId}
  and trimmed.item_key = taken.item_key and trimmed.label = taken.label and trimmed.gone_at is not null)`;

/** Takes versions that Microsoft 365 no longer lists out of what was read of these files; those that remain move up. */
export async function dropTrimmed(tx: Tx, sourceId: string, keys: readonly string[]): Promise<void> {
  await sql`
    with touched as (select distinct item_key from compliance_clean_ups
        where source_id = ${sourceId} and item_key = any(${keys}) and gone_at is not null),
    taken as (delete from compliance_versions version using touched
        where version.source_id = ${sourceId} and version.item_key = touched.item_key returning version.*),
    put_back as (insert into compliance_versions (source_id, item_key, place, label, size_bytes, modified_at, is_kept)
        select source_id, item_key, row_number() over (partition by item_key order by place), label, size_bytes, modified_at, is_kept
        from taken where not ${isTrimmed(sourceId)}),
    lost as (select item_key, count(*) as versions, sum(size_bytes) as bytes from taken where ${isTrimmed(sourceId)} group by item_key),
    summed as (update compliance_sources source set versions = source.versions - sums.versions, version_bytes = source.version_bytes - sums.bytes
        from (select coalesce(sum(versions), 0) as versions, coalesce(sum(bytes), 0) as bytes from lost) sums where source.source_id = ${sourceId})
    update compliance_files file set versions = file.versions - lost.versions, version_bytes = file.version_bytes - lost.bytes
    from lost where file.source_id = ${sourceId} and file.item_key = lost.item_key`.execute(tx);
}

export function createTrimmedVersionsStore(database: Database): TrimmedVersionsStore {
  return Object.freeze<TrimmedVersionsStore>({
    files: (scope, tenantId, at) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<PlannedFile>`
          select plan.source_id as "sourceId", plan.item_key as "itemKey", array_agg(distinct plan.label) as labels
          from compliance_clean_up_scripts script join compliance_clean_ups plan using (organisation_id, realm, run_id)
          join compliance_sources source on source.organisation_id = plan.organisation_id and source.realm = plan.realm
            and source.source_id = plan.source_id and source.tenant_id = ${tenantId}
          where script.taken_at > ${expectedSince(at)} and plan.is_read and plan.gone_at is null
          group by plan.source_id, plan.item_key order by min(plan.asked_at) nulls first, plan.source_id, plan.item_key limit ${FILES}`.execute(
          tx,
        );
        return rows;
      }),
    note: (scope, { sourceId, itemKey }, gone, at) =>
      database.within(scope, async (tx) => {
        await sql`update compliance_clean_ups set asked_at = ${at}, gone_at = case when label = any(${gone}) then ${at}::timestamptz end
          where source_id = ${sourceId} and item_key = ${itemKey} and gone_at is null`.execute(tx);
        if (gone.length > 0) await dropTrimmed(tx, sourceId, [itemKey]);
      }),
  });
}
