import type { cleanUpsQuery } from '@holdfast/contract/compliance';
import type { CleanUpPlan } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Database, type Scope, type Tx } from '@holdfast/database';
import { fileVersions, type Content, type ItemVersion } from '@holdfast/engine';
import { sql } from 'kysely';
import type { z } from 'zod';
import { pageFrom, windowOf } from '../../http/paging.ts';
import { createIsKept, judged, type WasteQuery } from './waste.views.ts';

/** A version that is to be read back, and its content in the vault. */
export interface PlannedVersion {
  readonly sourceId: string;
  readonly itemKey: string;
  readonly label: string;
  readonly name: string;
  readonly resourceId: string;
  readonly locationId: string;
  /** Absent where the catalog has forgotten it since. */
  readonly content: Content | undefined;
}

export interface CleanUpsStore {
  /** Writes down what a rule would delete: nothing on hold or kept by a policy, and nothing without a backup. The first plan of a run stays. */
  plan(scope: Scope, run: { readonly runId: string; readonly tenantId: string }, rule: Rule, at: Date): Promise<void>;
  /** The next versions to be read back. */
  next(scope: Scope, runId: string): Promise<readonly PlannedVersion[]>;
  noteRead(scope: Scope, runId: string, versions: readonly PlannedVersion[]): Promise<void>;
  sums(scope: Scope, runId: string): Promise<{ readonly versions: number; readonly bytes: number; readonly read: number }>;
}

type Rule = Pick<WasteQuery, 'newest' | 'days'> & { readonly siteId: string | null; readonly ownerId: string | null };
const BATCH = 500;

interface PlannedRow extends Omit<PlannedVersion, 'content'> {
  readonly kind: string;
  readonly size_bytes: number;
  readonly detail: Pick<ItemVersion, 'contentTag' | 'contents' | 'properties'>;
}

function contentOf({ detail, ...row }: PlannedRow): Content | undefined {
  const item = { key: row.itemKey, kind: 'file', parentKey: null, name: row.name, sizeBytes: row.size_bytes, ...detail } as const;
  return fileVersions(item).find(({ label }) => label === row.label)?.content;
}

export function createCleanUpsStore(database: Database): CleanUpsStore {
  return Object.freeze<CleanUpsStore>({
    plan: (scope, { runId, tenantId }, { newest, days, siteId, ownerId }, at) =>
      database.within(scope, async (tx) => {
        const rule = { newest, days, siteId: siteId ?? undefined, ownerId: ownerId ?? undefined };
        await sql`insert into compliance_clean_ups (run_id, source_id, item_key, label, size_bytes)
          select ${runId}, source_id, item_key, label, size_bytes from ${await judged(tx, tenantId, rule, at)} judged
          where is_doomed and is_kept and not is_held
            and not exists (select from compliance_clean_ups known where known.run_id = ${runId})`.execute(tx);
      }),
    next: (scope, runId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<PlannedRow>`
          select plan.source_id as "sourceId", plan.item_key as "itemKey", plan.label, item.name, item.size_bytes, item.detail,
            source.resource_id as "resourceId", source.location_id as "locationId"
          from compliance_clean_ups plan
          join catalog_sources source using (organisation_id, realm, source_id)
          join catalog_items item on item.organisation_id = plan.organisation_id and item.realm = plan.realm
            and item.source_id = plan.source_id and item.item_key = plan.item_key and item.to_point = ${FOREVER}
          where plan.run_id = ${runId} and not plan.is_read order by plan.source_id, plan.item_key, plan.label limit ${BATCH}`.execute(tx);
        return rows.map((row) => ({ ...row, content: contentOf(row) }));
      }),
    noteRead: (scope, runId, versions) =>
      database.within(scope, async (tx) => {
        await sql`update compliance_clean_ups plan set is_read = true
          from unnest(${versions.map((one) => one.sourceId)}::uuid[], ${versions.map((one) => one.itemKey)}::text[],
            ${versions.map((one) => one.label)}::text[]) as done (source_id, item_key, label)
          where plan.run_id = ${runId} and plan.source_id = done.source_id and plan.item_key = done.item_key and plan.label = done.label`.execute(
          tx,
        );
      }),
    sums: (scope, runId) => database.within(scope, (tx) => sumsOf(tx, runId)),
  });
}

async function sumsOf(tx: Tx, runId: string) {
  const { rows } = await sql<{ versions: number; bytes: number; read: number }>`
    select count(*)::bigint as versions, coalesce(sum(size_bytes), 0)::bigint as bytes, (count(*) filter (where is_read))::bigint as read
    from compliance_clean_ups where run_id = ${runId}`.execute(tx);
  return rows[0] ?? { versions: 0, bytes: 0, read: 0 };
}

interface PlanRow extends Omit<CleanUpPlan, 'queuedAt'> {
  readonly queuedAt: Date;
}

/** Clean-ups of a tenant, the newest first. */
export async function cleanUpsPage(tx: Tx, tenantId: string, query: z.output<typeof cleanUpsQuery>): Promise<Page<CleanUpPlan>> {
  const window = windowOf(query);
  const where = sql`runs.tenant_id = ${tenantId} and runs.type = 'cleanUp'`;
  const { rows } = await sql<PlanRow>`
    select runs.run_id as "reportId", runs.number as "reportNumber", runs.status, runs.started_by as "startedBy", runs.queued_at as "queuedAt",
      (runs.body ->> 'newest')::int as newest, (runs.body ->> 'days')::int as days, runs.code,
      sums.versions, sums.bytes, sums.read, sums.gone
    from runs cross join lateral (
      select count(*)::bigint as versions, coalesce(sum(plan.size_bytes), 0)::bigint as bytes, (count(*) filter (where plan.is_read))::bigint as read,
        (count(*) filter (where plan.gone_at is not null))::bigint as gone
      from compliance_clean_ups plan where plan.organisation_id = runs.organisation_id and plan.realm = runs.realm and plan.run_id = runs.run_id) sums
    where ${where} order by runs.queued_at ${query.sort === 'queuedAt' ? sql`asc` : sql`desc`}, runs.number limit ${window.limit} offset ${window.offset}`.execute(
    tx,
  );
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from runs where ${where}`.execute(tx);
  return pageFrom(
    rows.map((row) => ({ ...row, queuedAt: row.queuedAt.toISOString() })),
    counted.rows[0]?.total ?? 0,
    window,
  );
}

/** A version that a script deletes. */
export interface ScriptLine {
  readonly itemKey: string;
  readonly label: string;
}

const LINES = 5_000;

/** The clean-up of a run; undefined when it is none of this tenant. */
export async function cleanUpOf(tx: Tx, place: { readonly tenantId: string; readonly reportId: string }) {
  const { rows } = await sql<{ status: string; number: number }>`
    select status, number from runs where run_id = ${place.reportId} and tenant_id = ${place.tenantId} and type = 'cleanUp'`.execute(tx);
  const [run] = rows;
  return run && { ...run, ...(await sumsOf(tx, place.reportId)) };
}

/** Somebody downloads the script of a clean-up: scans look for what it deletes from now on. */
export async function noteScriptTaken(tx: Tx, runId: string, at: Date): Promise<void> {
  await sql`insert into compliance_clean_up_scripts as script (run_id, taken_at) values (${runId}, ${at})
    on conflict (organisation_id, realm, run_id) do update set taken_at = excluded.taken_at`.execute(tx);
}

/** The lines of a script after one of them, without versions that are on hold or kept by a policy by now. */
export async function scriptLines(
  tx: Tx,
  { tenantId, reportId }: { readonly tenantId: string; readonly reportId: string },
  after: ScriptLine,
  at: Date,
): Promise<readonly ScriptLine[]> {
  const isKept = await createIsKept(tx, tenantId, at);
  const version = {
    resourceId: sql`source.resource_id`,
    sourceId: sql`plan.source_id`,
    itemKey: sql`plan.item_key`,
    modifiedAt: sql`known.modified_at`,
  };
  const { rows } = await sql<ScriptLine>`
    select plan.item_key as "itemKey", plan.label from compliance_clean_ups plan
    join catalog_sources source using (organisation_id, realm, source_id)
    left join compliance_versions known on known.organisation_id = plan.organisation_id and known.realm = plan.realm
      and known.source_id = plan.source_id and known.item_key = plan.item_key and known.label = plan.label
    where plan.run_id = ${reportId} and plan.is_read and not ${isKept(version)}
      and (plan.item_key, plan.label) > (${after.itemKey}, ${after.label})
    order by plan.item_key, plan.label limit ${LINES}`.execute(tx);
  return rows;
}
