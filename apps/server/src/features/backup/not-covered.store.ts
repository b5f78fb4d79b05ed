import { isExcluding } from '@holdfast/contract/coverage';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import type { CoverageLine } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';
import type { Coverage } from './covered-resources.ts';

/** A resource in a location. */
export interface CoveredPlace {
  readonly locationId: string;
  readonly resourceId: string;
}

/** What runs found that is not protected although somebody wanted it to be. */
export interface NotCoveredStore {
  /** Notes who of those that a run looked for has nothing to back up, and forgets who has by now. */
  notePeople(scope: Scope, tenantId: string, workload: Workload, coverage: Coverage): Promise<void>;
  /** Whether a segment has come since the gaps of a resource were told. */
  isStale(scope: Scope, place: CoveredPlace): Promise<boolean>;
  /** Replaces the gaps of a resource by those of its newest segment. */
  tell(scope: Scope, place: CoveredPlace, lines: readonly CoverageLine[]): Promise<void>;
}

/** Longer paths than this are cut: they are shown, not followed. */
const PATH_LENGTH = 4_000;

export function createNotCoveredStore({ database, clock }: { readonly database: Database; readonly clock: Clock }): NotCoveredStore {
  return Object.freeze<NotCoveredStore>({
    notePeople(scope, tenantId, workload, { askedFor, notCovered, everybodyAskedFor }) {
      return database.within(scope, async (tx) => {
        const gone = notCovered.map((person) => person.graphId);
        const asked = everybodyAskedFor ? sql`true` : sql`graph_id = any(${[...askedFor]})`;
        await sql`
          delete from people_not_covered
          where tenant_id = ${tenantId} and workload = ${workload} and ${asked} and not (graph_id = any(${gone}))`.execute(tx);
        if (notCovered.length === 0) return;
        await sql`
          insert into people_not_covered (tenant_id, workload, graph_id, name, address, state, code, since)
          select ${tenantId}, ${workload}, x.graph_id, x.name, x.address, x.state, x.code, ${now(clock)}
          from unnest(${gone}::text[], ${notCovered.map((person) => storableText(person.name))}::text[],
            ${notCovered.map((person) => storableText(person.address))}::text[],
            ${notCovered.map((person) => (isExcluding(person.code) ? 'excluded' : 'unprotected'))}::text[],
            ${notCovered.map((person) => person.code)}::text[]) as x (graph_id, name, address, state, code)
          on conflict (organisation_id, realm, tenant_id, workload, graph_id) do update
            set name = excluded.name, address = excluded.address, state = excluded.state, code = excluded.code`.execute(tx);
      });
    },
    isStale(scope, { locationId, resourceId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ is_stale: boolean }>`
          select head_sequence is distinct from covered_sequence as is_stale from catalog_sources
          where location_id = ${locationId} and resource_id = ${resourceId}`.execute(tx);
        return rows[0]?.is_stale ?? false;
      });
    },
    async tell(scope, { locationId, resourceId }, lines) {
      await database.within(scope, async (tx) => {
        const { rows } = await sql<{ source_id: string }>`
          update catalog_sources set covered_sequence = head_sequence
          where location_id = ${locationId} and resource_id = ${resourceId} returning source_id`.execute(tx);
        const sourceId = rows[0]?.source_id;
        if (sourceId === undefined) return;
        await tx.deleteFrom('coverage_gaps').where('source_id', '=', sourceId).execute();
        await sql`
          insert into coverage_gaps (source_id, path, kind, code)
          select ${sourceId}, x.path, x.kind, x.code
          from unnest(${lines.map(({ path }) => storableText(path).slice(0, PATH_LENGTH))}::text[], ${lines.map(({ kind }) => kind)}::text[],
            ${lines.map(({ code }) => code)}::text[]) as x (path, kind, code)`.execute(tx);
      });
    },
  });
}
