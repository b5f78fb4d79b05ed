import type { ReportFigures } from '@holdfast/contract/period-reports';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { countAccesses } from '../access-log/index.ts';
import { unlimitedReach } from '../content-access/index.ts';
import { coverageOf } from '../search/index.ts';
import { heldPlaceName } from '../holds/index.ts';
import type { Period } from './period.ts';
import { LISTED } from './period-runs.views.ts';

interface HoldRow {
  readonly name: string;
  readonly reason: string;
  readonly resource: string | null;
  readonly placer: string;
  readonly placed_at: Date;
  readonly released_at: Date | null;
}

/** Holds that were in force in a period: those of today and those that ended in it. */
async function holdsOf(tx: Tx, { tenantId, from, to }: Period): Promise<ReportFigures['holds']> {
  const { rows: counted } = await sql<Pick<ReportFigures['holds'], 'active' | 'placed' | 'released'>>`
    select count(*) filter (where placed_at < ${to} and (released_at is null or released_at >= ${to}))::bigint as active,
      count(*) filter (where placed_at >= ${from} and placed_at < ${to})::bigint as placed,
      count(*) filter (where released_at >= ${from} and released_at < ${to})::bigint as released
    from holds where tenant_id = ${tenantId}`.execute(tx);
  const { rows } = await sql<HoldRow>`
    select hold.name, hold.reason, ${heldPlaceName} as resource, hold.placer, hold.placed_at,
      case when hold.released_at < ${to} then hold.released_at end as released_at
    from holds hold left join resources resource using (organisation_id, realm, resource_id)
    where hold.tenant_id = ${tenantId} and hold.placed_at < ${to} and (hold.released_at is null or hold.released_at >= ${from})
    order by hold.placed_at desc, hold.hold_id limit ${LISTED}`.execute(tx);
  const items = rows.map(({ placed_at: placedAt, released_at: releasedAt, ...hold }) => ({
    ...hold,
    placedAt: placedAt.toISOString(),
    releasedAt: releasedAt?.toISOString() ?? null,
  }));
  return { ...(counted[0] ?? { active: 0, placed: 0, released: 0 }), items };
}

/** Who holds, who may look, and how much can be searched. */
export async function controlFigures(tx: Tx, period: Period): Promise<Pick<ReportFigures, 'holds' | 'accesses' | 'index'>> {
  const { items, searched, failed, encrypted, unsupported, tooLarge } = await coverageOf(tx, {
    tenantId: period.tenantId,
    reach: unlimitedReach,
  });
  return {
    holds: await holdsOf(tx, period),
    accesses: await countAccesses(tx, period),
    index: { items, searched, unreadable: failed + encrypted + unsupported + tooLarge },
  };
}
