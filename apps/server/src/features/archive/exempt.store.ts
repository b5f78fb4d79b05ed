import type { JobBody } from '@holdfast/contract/jobs';
import type { Tx } from '@holdfast/database';

/** Whom an archive job exempts by name: nothing puts mail into their archive. */
export async function exemptFromArchives(tx: Tx, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom('jobs').select('body').where('tenant_id', '=', tenantId).where('type', '=', 'archive').execute();
  return new Set(
    rows.flatMap(({ body }) => {
      const kept = body as JobBody;
      return kept.type === 'archive' ? kept.exempt.map(({ id }) => id) : [];
    }),
  );
}
