import type { CaseBody, CaseDetails, CaseEvent, CaseSummary } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { pageFrom, windowOf } from '../../http/paging.ts';
import { eventsAbout, type SubjectEvent } from '../audit/index.ts';
import type { CaseAccess, CaseAsking, CasesParts } from './case-access.ts';
import { forgetFigures } from './case-parts.store.ts';
import { addCase, addMember, casesPage, changeCase, setClosed, type CaseRow } from './cases.store.ts';

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Opening, changing, closing and reopening cases, and what was done in them. */
export interface CasesService {
  list(
    asking: CaseAsking,
    query: Paging & {
      readonly status?: CaseSummary['status'] | undefined;
      readonly search?: string | undefined;
      readonly sort?: string | undefined;
    },
  ): Promise<Page<CaseSummary>>;
  get(asking: CaseAsking, caseId: string): Promise<CaseDetails>;
  create(asking: CaseAsking, body: CaseBody): Promise<CaseDetails>;
  update(asking: CaseAsking, caseId: string, body: CaseBody): Promise<CaseDetails>;
  close(asking: CaseAsking, caseId: string, body: { readonly reason: string; readonly keepHolds: boolean }): Promise<CaseDetails>;
  reopen(asking: CaseAsking, caseId: string, reason: string): Promise<CaseDetails>;
  log(asking: CaseAsking, caseId: string, paging: Paging): Promise<Page<CaseEvent>>;
}

function eventOf({ at, event, payload }: SubjectEvent): CaseEvent {
  const details = payload.details as CaseEvent['details'];
  return { at: at.toISOString(), event, actor: payload.actor, subject: payload.subjectName, reason: payload.reason, details };
}

export function createCasesService(parts: CasesParts, access: CaseAccess): CasesService {
  const { database, clock, ids, holds } = parts;

  async function changed(tx: Tx, asking: CaseAsking, caseId: string): Promise<CaseDetails> {
    return access.details(tx, await access.find(tx, asking, caseId));
  }

  async function holdsInForce(tx: Tx, row: CaseRow): Promise<number> {
    return (await holds.ofCase(tx, row.case_id)).filter(({ status }) => status !== 'released').length;
  }

  return Object.freeze<CasesService>({
    list: (asking, { cursor, limit, ...wanted }) =>
      database.within(asking.scope, (tx) =>
        casesPage(tx, {
          tenantId: asking.tenantId,
          accountId: asking.actor.accountId,
          isOwner: access.isOwner(asking),
          ...wanted,
          window: windowOf({ cursor, limit }),
        }),
      ),
    get: (asking, caseId) => database.within(asking.scope, (tx) => changed(tx, asking, caseId)),
    create: (asking, { matter, reference, from, to }) =>
      database.within(asking.scope, async (tx) => {
        const { tenantId, actor } = asking;
        const caseId = ids.uuid();
        const made = { created_by: actor.accountId, creator: actor.email, created_at: now(clock), closed_at: null };
        await addCase(tx, { case_id: caseId, tenant_id: tenantId, matter, reference, from_at: from, to_at: to, ...made });
        await addMember(tx, caseId, { accountId: actor.accountId, addedBy: actor.accountId }, now(clock));
        await access.note(tx, asking, { event: 'cases.opened', of: { case_id: caseId, matter }, details: { reference, from, to } });
        return changed(tx, asking, caseId);
      }),
    update: (asking, caseId, body) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        await changeCase(tx, caseId, body);
        await forgetFigures(tx, caseId);
        const { matter, reference, from, to } = body;
        await access.note(tx, asking, {
          event: 'cases.changed',
          of: { case_id: caseId, matter },
          details: { before: row.matter, reference, from, to },
        });
        return changed(tx, asking, caseId);
      }),
    close: (asking, caseId, { reason, keepHolds }) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const kept = await holdsInForce(tx, row);
        if (kept > 0 && !keepHolds) throw new AppError('cases.holds-in-force');
        await setClosed(tx, caseId, now(clock));
        await access.note(tx, asking, { event: 'cases.closed', of: row, reason, details: { holds: kept } });
        return changed(tx, asking, caseId);
      }),
    reopen: (asking, caseId, reason) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findLocked(tx, asking, caseId);
        if (row.closed_at === null) throw new AppError('cases.not-closed');
        await setClosed(tx, caseId, null);
        await access.note(tx, asking, { event: 'cases.reopened', of: row, reason });
        return changed(tx, asking, caseId);
      }),
    log: (asking, caseId, paging) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.find(tx, asking, caseId);
        const window = windowOf(paging);
        const subjects = [caseId, ...(await holds.ofCase(tx, row.case_id)).map(({ holdId }) => holdId)];
        const { events, total } = await eventsAbout(tx, subjects, window);
        return pageFrom(events.map(eventOf), total, window);
      }),
  });
}
