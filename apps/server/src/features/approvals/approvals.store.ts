import { openApprovalStatuses, type ApprovalKind } from '@holdfast/contract/approvals';
import type { Database, OrganisationId, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Insertable, Selectable, Updateable } from 'kysely';

export type ApprovalRow = Selectable<OrganisationTables['approvals']>;

/** Requests over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface ApprovalsStore {
  within: Database['within'];
  /** Whose delay is over, wherever they belong. Ids alone. */
  due(at: Date, limit: number): Promise<readonly { readonly scope: Scope; readonly approvalId: string }[]>;
  /** What has waited since then or longer, wherever it belongs. Ids alone. */
  waitingSince(since: Date, limit: number): Promise<readonly { readonly scope: Scope; readonly approvalId: string }[]>;
  add(tx: Tx, row: Insertable<OrganisationTables['approvals']>): Promise<void>;
  read(tx: Tx, approvalId: string): Promise<ApprovalRow | undefined>;
  list(tx: Tx, tenantId: string, limit: number): Promise<readonly ApprovalRow[]>;
  newest(tx: Tx, about: { readonly kind: ApprovalKind; readonly subjectId: string }): Promise<ApprovalRow | undefined>;
  open(tx: Tx, kind: ApprovalKind): Promise<readonly ApprovalRow[]>;
  /** Changes a request that is still in one of these states; undefined when it is not. */
  move(
    tx: Tx,
    approvalId: string,
    from: readonly ApprovalRow['status'][],
    change: Updateable<OrganisationTables['approvals']>,
  ): Promise<ApprovalRow | undefined>;
  /** Ends what is open about something, because it is gone or wanted otherwise. */
  supersede(tx: Tx, about: { readonly kind: ApprovalKind; readonly subjectId: string }, at: Date): Promise<void>;
}

const named = ['organisation_id', 'realm', 'approval_id'] as const;

function placed(row: Pick<ApprovalRow, (typeof named)[number]>): { readonly scope: Scope; readonly approvalId: string } {
  return { scope: { organisationId: row.organisation_id as OrganisationId, realm: row.realm }, approvalId: row.approval_id };
}

export function createApprovalsStore(database: Database): ApprovalsStore {
  return Object.freeze<ApprovalsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    due: (at, limit) =>
      database.acrossOrganisations(async (tx) => {
        const due = tx.selectFrom('approvals').select(named).where('effective_at', '<=', at);
        return (await due.orderBy('effective_at').limit(limit).execute()).map(placed);
      }),
    waitingSince: (since, limit) =>
      database.acrossOrganisations(async (tx) => {
        const old = tx.selectFrom('approvals').select(named).where('status', '=', 'waiting').where('requested_at', '<=', since);
        return (await old.orderBy('requested_at').limit(limit).execute()).map(placed);
      }),
    async add(tx, row) {
      await tx.insertInto('approvals').values(row).execute();
    },
    read: (tx, approvalId) => tx.selectFrom('approvals').selectAll().where('approval_id', '=', approvalId).executeTakeFirst(),
    list: (tx, tenantId, limit) =>
      tx
        .selectFrom('approvals')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy((by) => by('status', 'in', openApprovalStatuses), 'desc')
        .orderBy('requested_at', 'desc')
        .limit(limit)
        .execute(),
    newest: (tx, { kind, subjectId }) =>
      tx
        .selectFrom('approvals')
        .selectAll()
        .where('kind', '=', kind)
        .where('subject_id', '=', subjectId)
        .orderBy('requested_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    open: (tx, kind) =>
      tx.selectFrom('approvals').selectAll().where('kind', '=', kind).where('status', 'in', openApprovalStatuses).execute(),
    move: (tx, approvalId, from, change) =>
      tx
        .updateTable('approvals')
        .set(change)
        .where('approval_id', '=', approvalId)
        .where('status', 'in', from)
        .returningAll()
        .executeTakeFirst(),
    async supersede(tx, { kind, subjectId }, at) {
      await tx
        .updateTable('approvals')
        .set({ status: 'superseded', effective_at: null, decided_at: at })
        .where('kind', '=', kind)
        .where('subject_id', '=', subjectId)
        .where('status', 'in', openApprovalStatuses)
        .execute();
    },
  });
}
