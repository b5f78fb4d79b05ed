import type { Tx } from '@holdfast/database';
import type { AuditValue } from '../audit/index.ts';
import type { CaseAccess, CaseAsking, CaseNote, CasesParts } from './case-access.ts';
import { caseSearchOf, type CaseSearch } from './case-queries.service.ts';

interface ToldOfExport {
  readonly event: CaseNote['event'];
  readonly reason: string;
  readonly details: Readonly<Record<string, AuditValue>>;
}

/** What exports need of cases. */
export interface CaseExports {
  /** Refuses whoever may not see a case: to them it does not exist. */
  require(tx: Tx, asking: CaseAsking, caseId: string): Promise<void>;
  /** Where a query of an open case looks, for whoever may see what it finds. */
  searchOf(tx: Tx, asking: CaseAsking, caseId: string, queryId: string): Promise<CaseSearch>;
  /** Writes into the log of a case. */
  note(tx: Tx, asking: CaseAsking, caseId: string, told: ToldOfExport): Promise<void>;
}

export function createCaseExports({ clock, contentAccess }: Pick<CasesParts, 'clock' | 'contentAccess'>, access: CaseAccess): CaseExports {
  return Object.freeze<CaseExports>({
    async require(tx, asking, caseId) {
      await access.find(tx, asking, caseId);
    },
    async searchOf(tx, asking, caseId, queryId) {
      const row = await access.findOpen(tx, asking, caseId);
      await contentAccess.requireCase(tx, asking, caseId);
      return caseSearchOf(tx, row, queryId, { clock, asking });
    },
    async note(tx, asking, caseId, told) {
      await access.note(tx, asking, { ...told, of: await access.find(tx, asking, caseId) });
    },
  });
}
