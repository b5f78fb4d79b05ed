import { restoringTypes } from '@holdfast/contract/jobs';
import { activeRunStatuses } from '@holdfast/contract/run-status';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { ItemKind, ResourceKind, UndoItem } from '@holdfast/engine';
import { sql } from 'kysely';

/** A run whose restore may be undone. */
export interface RestoredRun {
  readonly runId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly body: object;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** A resource that a restore wrote into, within one part of its report. */
export interface Home {
  readonly part: string;
  readonly kind: ResourceKind;
  readonly graphId: string;
  readonly name: string;
  readonly items: number;
  readonly containers: number;
  readonly replaced: number;
}

/** A catalog that knows a resource. */
export interface KnownSource {
  readonly resourceId: string;
  readonly locationId: string;
}

/** An item that a restore has put somewhere, without a note of it. */
export interface Unnoted {
  readonly key: string;
  readonly kind: ItemKind;
  readonly path: string;
}

interface ThingRow {
  readonly thing_number: number;
  readonly item_key: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly target_id: string;
  readonly place: string;
  readonly mark: string;
  readonly replaced_id: string | null;
  readonly replaced_mark: string | null;
  readonly path: string | null;
}

const PAGE = 500;

/** Lines that say that something was written. Folders are noted by themselves, under names of their own. */
const wrote = sql`line.outcome in ('restored', 'renamed', 'replaced')
  and line.kind not in ('folder', 'package', 'mailFolder', 'contactFolder', 'calendar', 'taskList', 'list', 'library', 'site', 'area')`;

function thingOf(row: ThingRow): UndoItem {
  const { item_key: key, kind, name, target_id: targetId, place, mark, replaced_id: id, replaced_mark: before } = row;
  const replaced = id === null ? {} : { replaced: { id, mark: before ?? '' } };
  return { key, kind, name, targetId, place, mark, path: row.path ?? name, ...replaced };
}

/** The run of a restore; nothing when it is of another kind, or of another tenant. */
export async function restoredRun(tx: Tx, tenantId: string, runId: string, isLocked = false): Promise<RestoredRun | undefined> {
  const query = tx
    .selectFrom('runs')
    .select(['run_id', 'tenant_id', 'job_name', 'body', 'started_at', 'ended_at'])
    .where('run_id', '=', runId)
    .where('tenant_id', '=', tenantId)
    .where('type', 'in', restoringTypes);
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return undefined;
  const { run_id: id, job_name: name, body, started_at: startedAt, ended_at: endedAt } = row;
  return { runId: id, tenantId, name, body, startedAt, endedAt };
}

/** Runs that undo this one, the newest first. */
export async function undosOf(tx: Tx, runId: string) {
  const { rows } = await sql<{
    readonly run_id: string;
    readonly started_at: Date | null;
    readonly ended_at: Date | null;
    readonly is_active: boolean;
  }>`
    select run_id, started_at, ended_at, status in (${sql.join(activeRunStatuses)}) as is_active
    from runs where type = 'undo' and body ->> 'reportId' = ${runId} order by queued_at desc`.execute(tx);
  return rows.map((row) => ({ runId: row.run_id, startedAt: row.started_at, endedAt: row.ended_at, isActive: row.is_active }));
}

export async function homesOf(tx: Tx, runId: string): Promise<readonly Home[]> {
  const { rows } = await sql<Home>`
    select part, home_kind as kind, home_graph_id as "graphId", max(home_name) as name,
      count(*) filter (where not is_container)::bigint as items, count(*) filter (where is_container)::bigint as containers,
      count(*) filter (where replaced_id is not null)::bigint as replaced
    from restored_things where run_id = ${runId} group by 1, 2, 3 order by min(thing_number), 1, 3`.execute(tx);
  return rows;
}

/** How many items were written without a note: nobody can take them away. */
export async function countUnnoted(tx: Tx, runId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count from run_lines line where line.run_id = ${runId} and ${wrote}
      and not exists (select from restored_things thing where thing.run_id = line.run_id and thing.part = line.part and thing.item_key = line.item_key)
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

export interface UndoViews {
  homes(scope: Scope, runId: string): Promise<readonly Home[]>;
  /** What was written into a resource: items in the order of writing, containers the other way round. */
  things(scope: Scope, runId: string, home: Home, which: 'items' | 'containers'): AsyncIterable<UndoItem>;
  /** Items that were written without a note, by part. */
  unnoted(scope: Scope, runId: string): AsyncIterable<readonly Unnoted[]>;
  /** The catalogs that know a resource of a tenant, by what Microsoft calls it. */
  sources(scope: Scope, tenantId: string, home: Pick<Home, 'kind' | 'graphId'>): Promise<readonly KnownSource[]>;
  /** Those of the replaced items that other runs have put back that undo this restore. */
  wasPutBack(scope: Scope, runId: string, part: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createUndoViews(database: Database): UndoViews {
  async function thingsAfter(
    scope: Scope,
    runId: string,
    home: Home,
    from: { after: number; isContainer: boolean },
  ): Promise<readonly ThingRow[]> {
    const { after, isContainer } = from;
    const next = isContainer ? sql`thing.thing_number < ${after}` : sql`thing.thing_number > ${after}`;
    const { rows } = await database.within(scope, (tx) =>
      sql<ThingRow>`
        select thing.thing_number, thing.item_key, thing.kind, thing.name, thing.target_id, thing.place, thing.mark,
          thing.replaced_id, thing.replaced_mark, line.path
        from restored_things thing left join lateral (
          select path from run_lines told
          where told.run_id = thing.run_id and told.part = thing.part and told.item_key = thing.item_key limit 1) line on true
        where thing.run_id = ${runId} and thing.part = ${home.part} and thing.home_kind = ${home.kind}
          and thing.home_graph_id = ${home.graphId} and thing.is_container = ${isContainer} and ${next}
        order by thing.thing_number ${sql.raw(isContainer ? 'desc' : 'asc')} limit ${PAGE}`.execute(tx),
    );
    return rows;
  }

  return Object.freeze<UndoViews>({
    homes: (scope, runId) => database.within(scope, (tx) => homesOf(tx, runId)),
    async *things(scope, runId, home, which) {
      const isContainer = which === 'containers';
      for (let after = isContainer ? Number.MAX_SAFE_INTEGER : 0; ;) {
        const rows = await thingsAfter(scope, runId, home, { after, isContainer });
        yield* rows.map(thingOf);
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last.thing_number;
      }
    },
    async *unnoted(scope, runId) {
      for (let after = 0; ;) {
        const { rows } = await database.within(scope, (tx) =>
          sql<Unnoted & { readonly number: number }>`
            select line.line_number as number, line.item_key as key, line.kind, line.path from run_lines line
            where line.run_id = ${runId} and line.line_number > ${after} and ${wrote} and not exists (
              select from restored_things thing where thing.run_id = line.run_id and thing.part = line.part and thing.item_key = line.item_key)
            order by line.line_number limit ${PAGE}`.execute(tx),
        );
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last.number;
      }
    },
    sources(scope, tenantId, { kind, graphId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<KnownSource>`
          select resource.resource_id as "resourceId", source.location_id as "locationId"
          from resources resource join catalog_sources source using (organisation_id, realm, resource_id)
          where resource.tenant_id = ${tenantId} and resource.kind = ${kind} and resource.graph_id = ${graphId}`.execute(tx);
        return rows;
      });
    },
    wasPutBack(scope, runId, part, keys) {
      return database.within(scope, async (tx) => {
        if (keys.length === 0) return new Set<string>();
        const { rows } = await sql<{ readonly item_key: string }>`
          select line.item_key from run_lines line join runs run using (organisation_id, realm, run_id)
          where run.type = 'undo' and run.body ->> 'reportId' = ${runId} and line.part = ${part}
            and line.outcome in ('restored', 'renamed', 'replaced') and line.item_key = any(${sql.val(keys)}::text[])`.execute(tx);
        return new Set(rows.map(({ item_key: key }) => key));
      });
    },
  });
}
