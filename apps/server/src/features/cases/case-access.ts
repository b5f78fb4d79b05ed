import type { CaseDetails } from '@holdfast/contract/case-values';
import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn } from '../../access/actor.ts';
import type { Language } from '../../http/language.ts';
import type { AuditEvent, AuditInbox, AuditValue } from '../audit/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { HoldAsking, HoldsService } from '../holds/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { filesOf } from './case-files.store.ts';
import { queriesOf } from './case-parts.store.ts';
import { isMember, membersOf, readCase, summaryOf, type CaseQueryRow, type CaseRow } from './cases.store.ts';
import { custodiansOf, guardedBy } from './custodians.views.ts';

/** Who asks for something of a case, and in which language. */
export interface CaseAsking extends HoldAsking {
  readonly language: Language;
}

export interface CasesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly contentAccess: Pick<ContentAccess, 'requireCase'>;
  readonly holds: Pick<HoldsService, 'placeForCase' | 'itemsOf' | 'ofCase'>;
}

/** Steps that everything in a case shares: finding it for somebody who may see it, noting what was done, showing it. */
export interface CaseAccess {
  isOwner(asking: CaseAsking): boolean;
  /** A case that the asker may see; to everybody else it does not exist. */
  find(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  /** The same, locked for a change. A closed case refuses it. */
  findOpen(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  findLocked(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseRow>;
  note(tx: Tx, asking: CaseAsking, told: CaseNote): Promise<void>;
  details(tx: Tx, row: CaseRow): Promise<CaseDetails>;
}

export interface CaseNote {
  readonly event: AuditEvent & `cases.${string}`;
  readonly of: Pick<CaseRow, 'case_id' | 'matter'>;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, AuditValue>>;
}

function queryOf(row: CaseQueryRow): CaseDetails['queries'][number] {
  const { query } = parseQuery(row.query);
  return {
    queryId: row.query_id,
    name: row.name,
    query: row.query,
    // A stored query was valid once; a later rule of the language may refuse it.
    readAs: query ? printQuery(query) : row.query,
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    hits: row.hits,
    bytes: row.bytes,
    countedAt: row.counted_at?.toISOString() ?? null,
  };
}

export function createCaseAccess({ clock, audit, holds }: CasesParts): CaseAccess {
  const isOwner = ({ actor, scope }: CaseAsking): boolean =>
    membershipIn(actor, scope.organisationId, now(clock).getTime())?.role === 'owner';

  async function read(tx: Tx, asking: CaseAsking, caseId: string, forChange: boolean): Promise<CaseRow> {
    const row = await readCase(tx, caseId, { forChange });
    if (row?.tenant_id !== asking.tenantId) throw new AppError('not-found');
    if (!isOwner(asking) && !(await isMember(tx, caseId, asking.actor.accountId))) throw new AppError('not-found');
    return row;
  }

  return Object.freeze<CaseAccess>({
    isOwner,
    find: (tx, asking, caseId) => read(tx, asking, caseId, false),
    findLocked: (tx, asking, caseId) => read(tx, asking, caseId, true),
    async findOpen(tx, asking, caseId) {
      const row = await read(tx, asking, caseId, true);
      if (row.closed_at !== null) throw new AppError('cases.closed');
      return row;
    },
    note: (tx, { actor, caller }, { event, of, reason, details }) =>
      audit.record(tx, {
        event,
        actor: actorEntry(actor, caller),
        subject: { kind: 'case', id: of.case_id, name: of.matter },
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
      }),
    async details(tx, row) {
      const place = { tenantId: row.tenant_id, caseId: row.case_id };
      return {
        ...summaryOf(row),
        people: await membersOf(tx, row.case_id),
        custodians: await custodiansOf(tx, place),
        queries: (await queriesOf(tx, row.case_id)).map(queryOf),
        holds: await guardedBy(tx, await holds.ofCase(tx, row.case_id)),
        files: await filesOf(tx, row.case_id),
      };
    },
  });
}
