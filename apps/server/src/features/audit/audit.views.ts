import type { Database, Scope, Tx } from '@holdfast/database';
import { isUuid } from '@holdfast/foundation/ids';
import { likePattern } from '../../http/paging.ts';
import { eventsAfter, hasCheckpoint, newestCheckpoints, readNode, type AuditEventRow, type StoredCheckpoint } from './audit-log.store.ts';

export interface AuditFilter {
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  readonly actorId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly search?: string | undefined;
  /** The one event of this number. */
  readonly sequence?: number | undefined;
}

export interface AuditPage {
  readonly rows: readonly AuditEventRow[];
  readonly total: number;
}

function filtered(tx: Tx, filter: AuditFilter) {
  let query = tx.selectFrom('audit_events');
  if (filter.event !== undefined) query = query.where('event', 'like', `${filter.event.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`);
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome);
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId);
  if (filter.from !== undefined) query = query.where('at', '>=', new Date(filter.from));
  if (filter.to !== undefined) query = query.where('at', '<', new Date(filter.to));
  if (filter.sequence !== undefined) query = query.where('sequence', '=', filter.sequence);
  if (filter.search !== undefined) query = query.where('payload', 'ilike', likePattern(filter.search));
  return query;
}

/** What the screens show of the log. */
export interface AuditViews {
  page(
    scope: Scope,
    filter: AuditFilter,
    paging: { readonly limit: number; readonly cursor?: number; readonly isAscending: boolean },
  ): Promise<AuditPage>;
  /** What things are called now, by their ids: events of long ago were written without names. What is gone has none. */
  namesNow(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Everything that fits, oldest first, page by page. */
  all(scope: Scope, filter: AuditFilter): AsyncGenerator<AuditEventRow, void, undefined>;
  /** The first event of this name about a thing. */
  about(scope: Scope, event: string, subjectId: string): Promise<AuditEventRow | undefined>;
  leaf(scope: Scope, sequence: number): Promise<Buffer | undefined>;
  node(place: { readonly level: number; readonly position: number }, scope: Scope): Promise<Buffer>;
  has(scope: Scope, sequence: number): Promise<boolean>;
  /** How many events an organisation has, or had at a moment. */
  count(scope: Scope, until?: Date): Promise<number>;
  checkpoints(limit: number): Promise<StoredCheckpoint[]>;
  /** Whether a checkpoint covers exactly so many events. */
  hasCheckpoint(size: number): Promise<boolean>;
}

const EXPORT_PAGE = 500;

/** The things that events tell of, as far as they have a name of their own. */
async function namesOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('jobs')
    .where('job_id', 'in', ids)
    .select(['job_id as id', 'name'])
    .unionAll(tx.selectFrom('tenants').where('tenant_id', 'in', ids).select(['tenant_id as id', 'name']))
    .unionAll(tx.selectFrom('locations').where('location_id', 'in', ids).select(['location_id as id', 'name']))
    .unionAll(tx.selectFrom('holds').where('hold_id', 'in', ids).select(['hold_id as id', 'name']))
    .unionAll(tx.selectFrom('runs').where('run_id', 'in', ids).select(['run_id as id', 'job_name as name']))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function createAuditViews(database: Database): AuditViews {
  return Object.freeze<AuditViews>({
    page: (scope, filter, paging) =>
      database.within(scope, async (tx) => {
        const direction = paging.isAscending ? 'asc' : 'desc';
        let query = filtered(tx, filter).selectAll().orderBy('sequence', direction).limit(paging.limit);
        if (paging.cursor !== undefined) query = query.where('sequence', paging.isAscending ? '>' : '<', paging.cursor);
        const total = await filtered(tx, filter)
          .select((count) => count.fn.countAll<number>().as('many'))
          .executeTakeFirstOrThrow();
        return { rows: await query.execute(), total: total.many };
      }),
    async namesNow(scope, ids) {
      const known = ids.filter(isUuid);
      return known.length === 0 ? new Map() : database.within(scope, (tx) => namesOf(tx, known));
    },
    async *all(scope, filter) {
      for (let last = -1; ;) {
        const page = await database.within(scope, (tx) =>
          filtered(tx, filter).selectAll().where('sequence', '>', last).orderBy('sequence').limit(EXPORT_PAGE).execute(),
        );
        yield* page;
        const newest = page.at(-1);
        if (page.length < EXPORT_PAGE || !newest) return;
        last = newest.sequence;
      }
    },
    about: (scope, event, subjectId) =>
      database.within(scope, (tx) =>
        tx
          .selectFrom('audit_events')
          .selectAll()
          .where('subject_id', '=', subjectId)
          .where('event', '=', event)
          .orderBy('sequence')
          .limit(1)
          .executeTakeFirst(),
      ),
    leaf: (scope, sequence) => database.within(scope, (tx) => readNode(tx, { level: 0, position: sequence - 1 })),
    node: (place, scope) => database.within(scope, async (tx) => (await readNode(tx, place)) ?? Buffer.alloc(32)),
    has: (scope, sequence) => database.within(scope, async (tx) => (await eventsAfter(tx, sequence - 1, 1))[0]?.sequence === sequence),
    count: (scope, until) =>
      database.within(scope, async (tx) => {
        const to = until === undefined ? {} : { to: until.toISOString() };
        const counted = filtered(tx, to).select((count) => count.fn.countAll<number>().as('many'));
        return (await counted.executeTakeFirstOrThrow()).many;
      }),
    checkpoints: (limit) => newestCheckpoints(database, limit),
    hasCheckpoint: (size) => hasCheckpoint(database, size),
  });
}
