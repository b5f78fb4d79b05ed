import type { Database, OrganisationId, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

type Deletions = OrganisationTables['message_deletions'];

/** A deletion, and how its run has ended. */
export type DeletionRow = Selectable<Deletions> & { readonly run_status: string | null; readonly run_code: string | null };

const ENDED_BADLY = ['failed', 'cancelled', 'skipped'];

/** A deletion whose run has ended without success has failed. */
export function stateOf({ state, run_status }: Pick<DeletionRow, 'state' | 'run_status'>): Selectable<Deletions>['state'] | 'failed' {
  return state === 'running' && run_status !== null && ENDED_BADLY.includes(run_status) ? 'failed' : state;
}

/** The same for lists that join `deletion` and `run`. */
export const shownState = sql<string>`case when deletion.state = 'running' and run.status = any(${ENDED_BADLY}) then 'failed' else deletion.state end`;

/** Deletions of archived messages over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface DeletionsStore {
  within: Database['within'];
  add(tx: Tx, row: Insertable<Deletions>): Promise<void>;
  /** One of a tenant, or any; locked for whoever changes it. */
  read(tx: Tx, deletionId: string, options?: { readonly tenantId?: string; readonly isLocked?: boolean }): Promise<DeletionRow | undefined>;
  change(tx: Tx, deletionId: string, change: Updateable<Deletions>): Promise<void>;
  remove(tx: Tx, deletionId: string): Promise<void>;
  /** Whether something that a policy has listed waits or runs. */
  hasPending(tx: Tx, policyId: string): Promise<boolean>;
  /** Makes drafts of what a policy has listed and what waits out its quarantine: a person may ask for it in their own name. */
  withdraw(tx: Tx, policyId: string, why: { readonly returned: 'stopped' | 'policyEnded'; readonly by: string | null }): Promise<void>;
  /** Those whose quarantine is over, and those whose vaults are to be looked at again, wherever they belong. Ids alone. */
  due(at: Date, limit: number): Promise<readonly { readonly scope: Scope; readonly deletionId: string }[]>;
}

export function createDeletionsStore(database: Database): DeletionsStore {
  return Object.freeze<DeletionsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async add(tx, row) {
      await tx.insertInto('message_deletions').values(row).execute();
    },
    async read(tx, deletionId, { tenantId, isLocked = false } = {}) {
      const row = await tx
        .selectFrom('message_deletions')
        .selectAll()
        .where('deletion_id', '=', deletionId)
        .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
        .$if(isLocked, (query) => query.forUpdate())
        .executeTakeFirst();
      if (!row) return undefined;
      const run =
        row.run_id === null
          ? undefined
          : await tx.selectFrom('runs').select(['status', 'code']).where('run_id', '=', row.run_id).executeTakeFirst();
      return { ...row, run_status: run?.status ?? null, run_code: run?.code ?? null };
    },
    async change(tx, deletionId, change) {
      await tx.updateTable('message_deletions').set(change).where('deletion_id', '=', deletionId).execute();
    },
    async remove(tx, deletionId) {
      await tx.deleteFrom('message_deletions').where('deletion_id', '=', deletionId).execute();
    },
    async hasPending(tx, policyId) {
      const rows = await tx
        .selectFrom('message_deletions')
        .select('deletion_id')
        .where('policy_id', '=', policyId)
        .where('state', 'in', ['approved', 'running'])
        .limit(1)
        .execute();
      return rows.length > 0;
    },
    async withdraw(tx, policyId, { returned, by }) {
      await tx
        .updateTable('message_deletions')
        .set({ state: 'draft', returned, returned_by: by, due_at: null, approver: null, decided_at: null, policy_id: null })
        .where('policy_id', '=', policyId)
        .where('state', '=', 'approved')
        .execute();
    },
    due: (at, limit) =>
      database.acrossOrganisations(async (tx) => {
        const rows = await tx
          .selectFrom('message_deletions')
          .select(['organisation_id', 'realm', 'deletion_id'])
          .where((row) => row.or([row.and([row('state', '=', 'approved'), row('due_at', '<=', at)]), row('sweep_at', '<=', at)]))
          .limit(limit)
          .execute();
        return rows.map((row) => ({
          scope: { organisationId: row.organisation_id as OrganisationId, realm: row.realm },
          deletionId: row.deletion_id,
        }));
      }),
  });
}
