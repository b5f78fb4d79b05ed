import { isExcluding } from '@holdfast/contract/coverage';
import type { Candidate } from '@holdfast/contract/discovery';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';

/** How well somebody is protected in a location. */
export interface Protection {
  readonly protection: Candidate['protection'];
  readonly lastPointAt: string | null;
}

/** What a location holds of people, sites and teams, by their Microsoft id; a OneDrive by the address of whose it is, in lower case. */
export interface ProtectionOfViews {
  of(
    scope: Scope,
    place: { readonly tenantId: string; readonly locationId: string; readonly workload: Workload },
  ): Promise<ReadonlyMap<string, Protection>>;
}

interface Row {
  readonly graph_id: string;
  readonly address: string;
  readonly last_status: string | null;
  readonly last_code: string | null;
  readonly points: number | null;
  readonly newest_point_at: Date | null;
}

function protectionOf(row: Row): Protection {
  const lastPointAt = row.newest_point_at?.toISOString() ?? null;
  const isUnread = row.last_status === 'excluded';
  if (isUnread && isExcluding(row.last_code)) return { protection: 'excluded', lastPointAt };
  if (!row.points) return { protection: 'unprotected', lastPointAt };
  const hasGaps = row.last_status === 'defective' || row.last_status === 'failed' || isUnread;
  return { protection: hasGaps ? 'partly' : 'protected', lastPointAt };
}

export function createProtectionOfViews(database: Database): ProtectionOfViews {
  return Object.freeze<ProtectionOfViews>({
    of(scope, { tenantId, locationId, workload }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<Row>`
          select resource.graph_id, resource.address, resource.last_status, resource.last_code, source.points, source.newest_point_at
          from resources resource left join catalog_sources source on source.organisation_id = resource.organisation_id
            and source.realm = resource.realm and source.resource_id = resource.resource_id and source.location_id = ${locationId}
          where resource.tenant_id = ${tenantId} and resource.workload = ${workload}
          order by resource.deleted_at is null, resource.seen_at`.execute(tx);
        return new Map(rows.map((row) => [workload === 'onedrive' ? row.address.toLowerCase() : row.graph_id, protectionOf(row)]));
      });
    },
  });
}
