import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { mayDo } from '@holdfast/contract/actions';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { windowOf } from '../../http/paging.ts';
import type { CaseAccess, CaseAsking, CasesParts } from './case-access.ts';
import { addCustodians, forgetFigures, removeCustodian } from './case-parts.store.ts';
import { addMember, membersOf, removeMember, userOf } from './cases.store.ts';
import { custodiansOf } from './custodians.views.ts';
import { peopleByKey, peoplePage } from './people.views.ts';

/** Who works on a case, whose data it is about, and the holds on that data. */
export interface CasePeopleService {
  addMember(asking: CaseAsking, caseId: string, userId: string): Promise<CaseDetails>;
  removeMember(asking: CaseAsking, caseId: string, userId: string): Promise<void>;
  people(
    asking: CaseAsking,
    caseId: string,
    query: { readonly search?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<CasePerson>>;
  addCustodians(asking: CaseAsking, caseId: string, keys: readonly string[]): Promise<CaseDetails>;
  removeCustodian(asking: CaseAsking, caseId: string, custodianId: string): Promise<void>;
  /** Places a hold on each resource of the custodians that none of this case guards. */
  placeHolds(asking: CaseAsking, caseId: string, body: { readonly name: string; readonly reason: string }): Promise<CaseDetails>;
}

function createMembers(parts: CasesParts, access: CaseAccess): Pick<CasePeopleService, 'addMember' | 'removeMember'> {
  const { database, clock } = parts;
  return {
    addMember: (asking, caseId, userId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const user = await userOf(tx, userId);
        if (!user || !mayDo(user.role, 'cases.work')) throw new AppError('cases.member-unknown');
        if (await addMember(tx, caseId, { accountId: userId, addedBy: asking.actor.accountId }, now(clock)))
          await access.note(tx, asking, { event: 'cases.member-added', of: row, details: { person: user.email } });
        return access.details(tx, row);
      }),
    removeMember: (asking, caseId, userId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const members = await membersOf(tx, caseId);
        const member = members.find((one) => one.userId === userId);
        if (!member) throw new AppError('not-found');
        if (members.length === 1) throw new AppError('cases.last-member');
        await removeMember(tx, caseId, userId);
        await access.note(tx, asking, { event: 'cases.member-removed', of: row, details: { person: member.email } });
      }),
  };
}

function createCustodians(parts: CasesParts, access: CaseAccess): Omit<CasePeopleService, 'addMember' | 'removeMember'> {
  const { database, clock, ids, holds } = parts;
  return {
    people: (asking, caseId, { search, ...paging }) =>
      database.within(asking.scope, async (tx) => {
        await access.find(tx, asking, caseId);
        return peoplePage(tx, asking.tenantId, { search, window: windowOf(paging) });
      }),
    addCustodians: (asking, caseId, keys) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const people = await peopleByKey(tx, asking.tenantId, keys);
        if (people.length < new Set(keys).size) throw new AppError('cases.person-unknown');
        const custodians = people.map((person) => ({ ...person, custodianId: ids.uuid() }));
        const added = await addCustodians(tx, caseId, custodians, now(clock));
        await forgetFigures(tx, caseId);
        if (added.length > 0) await access.note(tx, asking, { event: 'cases.custodians-added', of: row, details: { people: added } });
        return access.details(tx, row);
      }),
    removeCustodian: (asking, caseId, custodianId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const name = await removeCustodian(tx, caseId, custodianId);
        if (name === undefined) throw new AppError('not-found');
        await forgetFigures(tx, caseId);
        await access.note(tx, asking, { event: 'cases.custodian-removed', of: row, details: { person: name } });
      }),
    placeHolds: (asking, caseId, { name, reason }) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const custodians = await custodiansOf(tx, { tenantId: asking.tenantId, caseId });
        const resources = custodians.flatMap((custodian) => custodian.resources).filter(({ isHeld }) => !isHeld);
        const resourceIds = [...new Set(resources.map(({ resourceId }) => resourceId))];
        if (resourceIds.length === 0) throw new AppError('cases.nothing-to-hold');
        for (const resourceId of resourceIds) {
          await holds.placeForCase(tx, asking, { name, reason, resourceId, items: [], from: null, to: null, searchId: null }, caseId);
        }
        await access.note(tx, asking, { event: 'cases.held', of: row, reason, details: { holds: resourceIds.length, hold: name } });
        return access.details(tx, row);
      }),
  };
}

export function createCasePeopleService(parts: CasesParts, access: CaseAccess): CasePeopleService {
  return Object.freeze<CasePeopleService>({ ...createMembers(parts, access), ...createCustodians(parts, access) });
}
