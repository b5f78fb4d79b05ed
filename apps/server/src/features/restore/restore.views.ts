import { typesWhere } from '@holdfast/contract/jobs';
import { restoreOutcomes, restoreSettings } from '@holdfast/contract/restore';
import type { RestoreSettings, restoreLine } from '@holdfast/contract/restore';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import type { ResourceKind } from '@holdfast/engine';
import { sql } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import type { MeasuredRestore } from './restore-duration.policy.ts';
import type { RestoreSource } from './restore-source.ts';

/** How the parts of a report begin that only the undo of a restore reads. */
export const PUTTING_BACK = '~back ';

/** Kinds of job whose runs report item by item. */
const reportingTypes = typesWhere(({ putsBack, undoes }) => putsBack === true || undoes === true);

/** How many restores an estimate learns from. */
const MEASURED = 20;

type Line = z.infer<typeof restoreLine>;
type Outcome = (typeof restoreOutcomes)[number];

/** A restore that has run, as its download needs it. */
export interface EndedRestore {
  readonly locationId: string;
  readonly settings: RestoreSettings;
  readonly endedAt: Date | null;
  /** The address of who asked for it. */
  readonly startedBy: string | null;
  readonly status: string;
  readonly result: { readonly fileName?: string; readonly sequence?: number } | null;
}

/** Sources and reports of restores. */
export interface RestoreViews {
  source(
    scope: Scope,
    place: { readonly tenantId: string; readonly locationId: string; readonly sourceId: string },
  ): Promise<RestoreSource | undefined>;
  ended(scope: Scope, tenantId: string, runId: string): Promise<EndedRestore | undefined>;
  /** Whether a run reports item by item: restores do, and drills. */
  hasLines(scope: Scope, tenantId: string, runId: string): Promise<boolean>;
  /** The last restores of a workload that came to an end: how much they wrote in which time. */
  measured(scope: Scope, workload: Workload): Promise<readonly MeasuredRestore[]>;
  lines(scope: Scope, runId: string, query: LinesQuery): Promise<Page<Line> & { counts: Record<Outcome, number> }>;
}

/** What of a report is wanted, in which order: as it was written unless another one is asked for. */
export interface LinesQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly outcome?: Outcome | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
}

interface SourceRow {
  readonly resource_id: string;
  readonly kind: ResourceKind;
  readonly workload: Workload;
  readonly graph_id: string;
  readonly name: string;
}

interface LineRow {
  readonly item_key: string;
  readonly kind: string;
  readonly path: string;
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly differences: string[];
}

function lineOf({ item_key: itemId, ...same }: LineRow): Line {
  return { itemId, ...same };
}

function createLines(database: Database): RestoreViews['lines'] {
  return (scope, runId, query) => {
    const window = windowOf(query);
    const outcome = query.outcome === undefined ? sql`true` : sql`outcome = ${query.outcome}`;
    // What an undo restores to put it back is in the lines of what it undoes.
    const own = sql`run_id = ${runId} and part not like ${`${PUTTING_BACK}%`}`;
    const found = query.search === undefined ? sql`true` : sql`path ilike ${likePattern(query.search)}`;
    const { column, isDescending } = sortOf<string>(query.sort, { column: 'line_number', isDescending: false });
    const order = sql`${sql.ref(column)} ${sql.raw(isDescending ? 'desc nulls last' : 'asc nulls last')}, line_number`;
    return database.within(scope, async (tx) => {
      const { rows } = await sql<LineRow>`
        select item_key, kind, path, outcome, code, differences from run_lines where ${own} and ${outcome} and ${found}
        order by ${order} limit ${window.limit} offset ${window.offset}`.execute(tx);
      const counted = await sql<{ outcome: Outcome; count: number }>`
        select outcome, count(*)::bigint as count from run_lines where ${own} and ${found} group by 1`.execute(tx);
      const counts = Object.fromEntries(
        restoreOutcomes.map((name) => [name, counted.rows.find((row) => row.outcome === name)?.count ?? 0]),
      ) as Record<Outcome, number>;
      const total = query.outcome === undefined ? restoreOutcomes.reduce((sum, name) => sum + counts[name], 0) : counts[query.outcome];
      return { ...pageFrom(rows.map(lineOf), total, window), counts };
    });
  };
}

export function createRestoreViews(database: Database): RestoreViews {
  return Object.freeze<RestoreViews>({
    lines: createLines(database),
    source(scope, { tenantId, locationId, sourceId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<SourceRow>`
          select resource.resource_id, resource.kind, resource.workload, resource.graph_id, resource.name
          from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
          where source.source_id = ${sourceId} and source.location_id = ${locationId} and resource.tenant_id = ${tenantId}
            and resource.kind not in ('archive', 'journal')`.execute(tx);
        const [row] = rows;
        if (!row) return undefined;
        const { resource_id: id, kind, workload, graph_id: graphId, name } = row;
        return { sourceId, workload, resource: { id, kind, graphId, name } };
      });
    },
    measured(scope, workload) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<MeasuredRestore>`
          select processed as items, bytes, extract(epoch from ended_at - started_at)::float8 as seconds from runs
          where type = 'restore' and workload = ${workload} and status in ('successful', 'defective') and processed > 0
            and ended_at > started_at and body #>> '{restore,target,kind}' not in ('download', 'rehearsal')
          order by ended_at desc limit ${MEASURED}`.execute(tx);
        return rows;
      });
    },
    hasLines(scope, tenantId, runId) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('runs')
          .select('run_id')
          .where('run_id', '=', runId)
          .where('tenant_id', '=', tenantId)
          .where('type', 'in', reportingTypes)
          .executeTakeFirst();
        return row !== undefined;
      });
    },
    ended(scope, tenantId, runId) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('runs')
          .select(['location_id', 'body', 'ended_at', 'started_by', 'status', 'result'])
          .where('run_id', '=', runId)
          .where('tenant_id', '=', tenantId)
          .where('type', '=', 'restore')
          .executeTakeFirst();
        if (!row || row.location_id === null) return undefined;
        const body = row.body as { readonly restore?: unknown };
        return {
          locationId: row.location_id,
          settings: restoreSettings.parse(body.restore),
          endedAt: row.ended_at,
          startedBy: row.started_by,
          status: row.status,
          result: row.result,
        };
      });
    },
  });
}
