import type { Database, Scope, Tx } from '@holdfast/database';
import type { Role } from '@holdfast/contract/actions';
import type { organisation, organisationBody } from '@holdfast/contract/members';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { z } from 'zod';
import { actorName, type Actor } from '../../access/actor.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Caller, OrganisationFounder, OrganisationNames } from '../identity/index.ts';
import {
  addMembership,
  addOrganisation,
  changeOrganisation,
  freeAbbreviation,
  listMemberships,
  readOrganisation,
  type OrganisationRow,
} from './organisations.store.ts';

type OrganisationView = z.input<typeof organisation>;

export interface OrganisationsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  /** Every process forgets what it remembers of an account when this transaction commits. */
  readonly announce: (tx: Tx, accountId: string) => Promise<void>;
  /** A new organisation gets what else it needs (its worker). */
  readonly onFounded?: (organisationId: Scope['organisationId']) => Promise<void>;
}

export interface OrganisationsService extends OrganisationFounder, OrganisationNames {
  list(actor: Actor): Promise<OrganisationView[]>;
  create(actor: Actor, organisation: { name: string; timeZone?: string | undefined }, caller: Caller): Promise<OrganisationView>;
  update(actor: Actor, organisationId: string, change: z.output<typeof organisationBody>, caller: Caller): Promise<OrganisationView>;
}

function viewOf(row: OrganisationRow, role: Role): OrganisationView {
  return {
    organisationId: row.organisation_id,
    name: row.name,
    role,
    timeZone: row.time_zone,
    notifyContentAccess: row.notify_content_access,
    reportLanguage: row.report_language,
    mailReports: row.mail_reports,
  };
}

/** What was sent as columns; what was not stays as it is. */
function columnsOf({ name, timeZone, notifyContentAccess, reportLanguage, mailReports }: z.output<typeof organisationBody>) {
  return {
    name,
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(notifyContentAccess === undefined ? {} : { notify_content_access: notifyContentAccess }),
    ...(reportLanguage === undefined ? {} : { report_language: reportLanguage }),
    ...(mailReports === undefined ? {} : { mail_reports: mailReports }),
  };
}

/** A short name for file names and reports: letters and digits of the name, lower case. */
export function abbreviationOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  return plain.slice(0, 12) || 'customer';
}

/** Whose hand did it, for the audit log; without a caller when the product itself acts for somebody. */
export function actorEntry(
  actor: Pick<Actor, 'accountId' | 'email' | 'apiKey'>,
  caller: Pick<Caller, 'address' | 'requestId'> | undefined,
) {
  const from = caller && { address: caller.address, requestId: caller.requestId };
  return { kind: 'account' as const, id: actor.accountId, name: actorName(actor), ...from };
}

export function createOrganisationsService(parts: OrganisationsParts): OrganisationsService {
  const { database, clock } = parts;

  async function found(tx: Tx, founding: Parameters<OrganisationFounder['found']>[1]): Promise<void> {
    const { name, timeZone = null } = founding;
    const abbr = await freeAbbreviation(database, tx, abbreviationOf(name));
    await addOrganisation(tx, { name, abbr, timeZone, at: now(clock) });
    const entitlement = { entitled_by: founding.ownerId, confirmed_at: now(clock), confirmed_by: founding.ownerId };
    await addMembership(tx, { accountId: founding.ownerId, role: 'owner', at: now(clock), entitlement });
    await parts.announce(tx, founding.ownerId);
  }

  async function mirror(organisationId: string): Promise<void> {
    const id = organisationId as Scope['organisationId'];
    const source = await database.within({ organisationId: id, realm: 'production' }, async (tx) => ({
      organisation: await readOrganisation(tx),
      members: await listMemberships(tx),
    }));
    const { organisation: own } = source;
    if (!own) return;
    await database.within({ organisationId: id, realm: 'staging' }, async (tx) => {
      await addOrganisation(tx, { name: own.name, abbr: own.abbr, timeZone: own.time_zone, at: now(clock) });
      for (const member of source.members) {
        await addMembership(tx, { accountId: member.account_id, role: member.role, at: now(clock), entitlement: member });
      }
    });
    await parts.onFounded?.(id);
  }

  async function view(actor: Actor, organisationId: Scope['organisationId']): Promise<OrganisationView> {
    const row = await database.within({ organisationId, realm: actor.realm }, readOrganisation);
    const role = actor.memberships.find((membership) => membership.organisationId === organisationId)?.role;
    if (!row || role === undefined) throw new AppError('not-found');
    return viewOf(row, role);
  }

  async function refuseTaken(actor: Actor, name: string, except?: string): Promise<void> {
    const mine = await Promise.all(actor.memberships.map(({ organisationId }) => view(actor, organisationId)));
    const isTaken = mine.some((other) => other.organisationId !== except && other.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw new AppError('organisations.name-taken', { details: { field: 'name' } });
  }

  return Object.freeze<OrganisationsService>({
    found,
    mirror,
    async nameOf(organisationId, realm) {
      const row = await database.within({ organisationId: organisationId as Scope['organisationId'], realm }, readOrganisation);
      return row?.name ?? '';
    },
    list: (actor) => Promise.all(actor.memberships.map(({ organisationId }) => view(actor, organisationId))),
    async create(actor, { name, timeZone }, caller) {
      await refuseTaken(actor, name);
      const organisationId = parts.ids.uuid() as Scope['organisationId'];
      await database.within({ organisationId, realm: 'production' }, async (tx) => {
        await found(tx, { organisationId, name, ownerId: actor.accountId, timeZone });
        await parts.audit.record(tx, {
          event: 'organisations.created',
          actor: actorEntry(actor, caller),
          subject: { kind: 'organisation', id: organisationId, name },
        });
      });
      await mirror(organisationId);
      const row = await database.within({ organisationId, realm: 'production' }, readOrganisation);
      if (!row) throw new AppError('not-found');
      return viewOf(row, 'owner');
    },
    async update(actor, organisationId, change, caller) {
      const current = await view(actor, organisationId as Scope['organisationId']);
      if (current.role !== 'owner') throw new AppError('access-denied');
      await refuseTaken(actor, change.name, organisationId);
      await database.within({ organisationId: organisationId as Scope['organisationId'], realm: actor.realm }, async (tx) => {
        await changeOrganisation(tx, columnsOf(change));
        await parts.audit.record(tx, {
          event: 'organisations.changed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'organisation', id: organisationId, name: change.name },
          details: { before: current.name },
        });
      });
      return view(actor, organisationId as Scope['organisationId']);
    },
  });
}
