import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { CaseAccess, CaseAsking, CaseNote, CasesParts } from './case-access.ts';
import { caseSearchOf, type CaseSearch } from './case-queries.service.ts';
import { queriesOf } from './case-parts.store.ts';
import type { CaseRow } from './cases.store.ts';
import { resourceIdsOf } from '../marks/index.ts';

/** What a case includes now: what its custodians have, in its period. */
export interface CaseScope {
  readonly resourceIds: readonly string[];
  readonly from: Date | null;
  readonly to: Date | null;
}

/** What a case includes now, for whoever has its row. */
export async function caseScopeOf(tx: Tx, row: Pick<CaseRow, 'tenant_id' | 'case_id' | 'from_at' | 'to_at'>): Promise<CaseScope> {
  const resourceIds = await resourceIdsOf(tx, { tenantId: row.tenant_id, caseId: row.case_id });
  return { resourceIds, from: row.from_at, to: row.to_at };
}

/** What reviews need of cases. */
export interface CaseReviews {
  /** A case that the asker may see; to everybody else it does not exist. */
  find(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  /** The same for whoever may see what it finds. A closed case refuses everybody. */
  read(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  /** The same, locked, for whoever changes something of it. */
  change(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  scopeOf(tx: Tx, row: CaseRow): Promise<CaseScope>;
  /** One query of an open case, or all of them, where they look. Nobody else makes a set of the case until the transaction ends. */
  searches(tx: Tx, asking: CaseAsking, caseId: string, queryId: string | null): Promise<readonly CaseSearch[]>;
  note(tx: Tx, asking: CaseAsking, told: CaseNote): Promise<void>;
}

export function createCaseReviews({ clock, contentAccess }: Pick<CasesParts, 'clock' | 'contentAccess'>, access: CaseAccess): CaseReviews {
  const change: CaseReviews['change'] = async (tx, asking, caseId) => {
    const row = await access.findOpen(tx, asking, caseId);
    await contentAccess.requireCase(tx, asking, caseId);
    return row;
  };
  return Object.freeze<CaseReviews>({
    find: (tx, asking, caseId) => access.find(tx, asking, caseId),
    async read(tx, asking, caseId) {
      const row = await access.find(tx, asking, caseId);
      if (row.closed_at !== null) throw new AppError('cases.closed');
      await contentAccess.requireCase(tx, asking, caseId);
      return row;
    },
    change,
    scopeOf: caseScopeOf,
    async searches(tx, asking, caseId, queryId) {
      const row = await change(tx, asking, caseId);
      const queryIds = queryId === null ? (await queriesOf(tx, caseId)).map((query) => query.query_id) : [queryId];
      const searches: CaseSearch[] = [];
      for (const one of queryIds) searches.push(await caseSearchOf(tx, row, one, { clock, asking }));
      return searches;
    },
    note: (tx, asking, told) => access.note(tx, asking, told),
  });
}
