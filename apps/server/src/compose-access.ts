import type { BasePaths } from '@holdfast/contract/limits';
import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Random } from '@holdfast/foundation/random';
import type { Actor } from './access/actor.ts';
import type { AuditInbox } from './features/audit/index.ts';
import {
  announceAccount,
  createIdentity,
  createPasswordHasher,
  lastChoice,
  type Identity,
  type IdentityOptions,
  type PasswordHasher,
} from './features/identity/index.ts';
import {
  createApproverReader,
  createMembershipReader,
  createMembersService,
  createOrganisationsService,
  type MembersService,
  type OrganisationsParts,
  type OrganisationsService,
} from './features/organisations/index.ts';
import type { Sealing } from './keys/sealing.ts';
import type { MailQueue } from './mail/mail-queue.ts';

/** What identity and organisations are made of. */
export interface AccessOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly mail: MailQueue;
  readonly hasMailTransport: boolean;
  readonly publicUrl: () => string;
  readonly basePaths: BasePaths;
  readonly identity: IdentityOptions;
  readonly approverDays: number;
  readonly onFounded?: NonNullable<OrganisationsParts['onFounded']>;
}

/** Who may come in and on whose behalf: identity and organisations, bound to each other through their ports. */
export interface Access {
  readonly identity: Identity;
  readonly organisations: OrganisationsService;
  readonly members: MembersService;
  readonly hasher: PasswordHasher;
  /** The organisation an actor chose last, if they still belong to it; else their first. */
  chosen(actor: Actor): Promise<string | undefined>;
}

export function composeAccess(options: AccessOptions): Access {
  const { database, clock, ids, random, sealing, audit, mail } = options;
  const hasher = createPasswordHasher(options.identity.hashCost);
  const organisations = createOrganisationsService({
    database,
    clock,
    ids,
    audit,
    announce: announceAccount,
    ...(options.onFounded ? { onFounded: options.onFounded } : {}),
  });
  const identity = createIdentity(
    {
      database,
      clock,
      ids,
      random,
      sealing,
      audit,
      mail,
      hasher,
      options: options.identity,
      hasMailTransport: options.hasMailTransport,
      publicUrl: options.publicUrl,
      basePaths: options.basePaths,
      memberships: {
        of: createMembershipReader(database, clock),
      },
    },
    { founder: organisations, names: organisations },
  );
  async function chosen(actor: Actor): Promise<string | undefined> {
    const choice = await database.installation((tx) => lastChoice(tx, actor.accountId, actor.realm));
    const isMember = actor.memberships.some(({ organisationId }) => organisationId === choice?.organisationId);
    return isMember ? choice?.organisationId : actor.memberships[0]?.organisationId;
  }
  const members = createMembersService({
    database,
    clock,
    ids,
    audit,
    invitations: identity.invitations,
    approvers: createApproverReader(options.approverDays),
    chosen,
    announce: announceAccount,
  });
  return Object.freeze<Access>({ identity, organisations, members, hasher, chosen });
}
