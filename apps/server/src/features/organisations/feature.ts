import type { BasePaths } from '@holdfast/contract/limits';
import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import { limitRequests } from '../../http/rate-limits.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { nothingToStop, type Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import {
  announceAccount,
  createIdentity,
  createPasswordHasher,
  type Choices,
  type Identity,
  type IdentityOptions,
  type PasswordHasher,
} from '../identity/index.ts';
import { createApproverReader } from './approvers.store.ts';
import type { MembersParts } from './members-access.service.ts';
import { createMembersService, type MembersService } from './members.service.ts';
import { mountAdministration, mountOrganisations } from './organisations.routes.ts';
import { createOrganisationsService, type OrganisationsParts, type OrganisationsService } from './organisations.service.ts';
import { createProvidedMembers, type ProvidedMembers } from './provided-members.service.ts';
import { createSignInRulesService, type SignInRulesService } from './sign-in-rules.service.ts';
import { createMembershipReader } from './organisations.store.ts';

/** What identity and organisations are made of. */
export interface AccessPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly mail: MailQueue;
  readonly hasMailTransport: boolean;
  readonly publicUrl: () => string;
  readonly basePaths: BasePaths;
  readonly options: IdentityOptions;
  readonly choices: Choices;
  readonly approverDays: number;
  readonly onFounded?: NonNullable<OrganisationsParts['onFounded']>;
  readonly onLeft?: NonNullable<MembersParts['onLeft']>;
}

/** The first owner, when the settings name one. */
export type NamedOwner = Pick<Config, 'HOLDFAST_OWNER_EMAIL' | 'HOLDFAST_OWNER_PASSWORD' | 'HOLDFAST_OWNER_ORGANISATION'>;

/** Who may come in and on whose behalf: identity and organisations, bound to each other through their ports. */
export interface AccessFeature extends Feature {
  readonly identity: Identity;
  readonly organisations: OrganisationsService;
  readonly members: MembersService;
  readonly signInRules: SignInRulesService;
  readonly providedMembers: ProvidedMembers;
  readonly hasher: PasswordHasher;
}

const TIDY_MS = 60_000;

async function makeFirstOwner({ bootstrap }: Identity, named: NamedOwner, logger: Logger): Promise<void> {
  const { HOLDFAST_OWNER_EMAIL: email, HOLDFAST_OWNER_PASSWORD: password, HOLDFAST_OWNER_ORGANISATION: organisation } = named;
  if (email === undefined || !password) return;
  const made = await bootstrap.createOwner({ email, password: password.reveal(), organisation }, true);
  if (made) logger.info({ email }, 'first owner created from the settings');
}

export function createAccessFeature(ports: AccessPorts, named?: NamedOwner): AccessFeature {
  const { database, clock, logger, options } = ports;
  const hasher = createPasswordHasher(options.hashCost);
  const organisations = createOrganisationsService({ ...ports, announce: announceAccount });
  const memberships = createMembershipReader(database, clock);
  const identity = createIdentity({ ...ports, hasher, memberships: { of: memberships } }, { founder: organisations, names: organisations });
  const members = createMembersService({
    ...ports,
    invitations: identity.invitations,
    approvers: createApproverReader(ports.approverDays),
    chosen: ports.choices.chosen,
    announce: announceAccount,
  });
  const signInRules = createSignInRulesService({ ...ports, memberships, chosen: ports.choices.chosen, announce: announceAccount });
  return Object.freeze<AccessFeature>({
    identity,
    organisations,
    members,
    signInRules,
    providedMembers: createProvidedMembers({ ...ports, announce: announceAccount }),
    hasher,
    guard(app) {
      if (identity.hasRateLimits) limitRequests(app, database, identity.devices);
    },
    mount(app) {
      inEachRealm((realm) => {
        identity.mountMain(app, realm);
        mountOrganisations(app, { organisations, members, signInRules }, realm);
      });
      identity.mountLegacy(app);
      mountAdministration(app, members);
    },
    start: {
      // Before the first request can come, so that nobody else becomes the first owner.
      async api() {
        if (named) await makeFirstOwner(identity, named, logger);
        return nothingToStop;
      },
      scheduler: () =>
        clock.every(TIDY_MS, () => {
          identity.tidy().catch((error: unknown) => logger.warn({ err: error }, 'tidying failed'));
        }),
    },
    close() {
      identity.sessions.close();
      hasher.close();
    },
  });
}
