import { mayDo } from '@holdfast/contract/actions';
import type { signInRules, signInRulesBody } from '@holdfast/contract/sign-in-rules';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import { membershipIn, type Actor } from '../../access/actor.ts';
import { isWithin } from '../../access/networks.ts';
import type { AuditEntry } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry, type OrganisationsParts } from './organisations.service.ts';
import {
  alsoWithinEach,
  changeOrganisation,
  type createMembershipReader,
  listMemberships,
  readOrganisation,
  type OrganisationRow,
} from './organisations.store.ts';

type Rules = z.output<typeof signInRulesBody>;
type RulesView = ResponseOf<typeof signInRules.read>;

export interface SignInRulesParts extends Pick<OrganisationsParts, 'database' | 'clock' | 'audit' | 'announce'> {
  /** The organisation an actor chose last, where a request names none. */
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  readonly memberships: ReturnType<typeof createMembershipReader>;
}

export interface SignInRulesService {
  read(actor: Actor, organisationId: string | undefined, caller: Caller): Promise<RulesView>;
  change(actor: Actor, organisationId: string | undefined, rules: Rules, caller: Caller): Promise<RulesView>;
  /** The way back from the console: every organisation that this person owns opens from anywhere. Answers their names. */
  liftFor(accountId: string): Promise<readonly string[]>;
}

const rulesOf = ({ allowed_networks: networks, second_factor_required: secondFactor }: OrganisationRow): Rules => ({
  networks,
  secondFactor,
});

function details(before: Rules, after: Rules): NonNullable<AuditEntry['details']> {
  return {
    networksBefore: before.networks,
    networks: after.networks,
    secondFactorBefore: before.secondFactor,
    secondFactor: after.secondFactor,
  };
}

/** Nobody locks themselves out: whoever saves the rules keeps to them already. */
function refuseOwnExclusion(actor: Actor, rules: Rules, address: string): void {
  if (!isWithin(rules.networks, address)) throw new AppError('sign-in-rules.own-address', { details: { field: 'networks', address } });
  if (rules.secondFactor && actor.isMultiFactor !== true) {
    throw new AppError('sign-in-rules.own-factor', { details: { field: 'secondFactor' } });
  }
}

export function createSignInRulesService(parts: SignInRulesParts): SignInRulesService {
  const { database, clock, audit, announce, chosen } = parts;
  async function place(actor: Actor, organisationId: string | undefined): Promise<Scope> {
    const wanted = (organisationId ?? (await chosen(actor)) ?? actor.memberships[0]?.organisationId) as Scope['organisationId'];
    const membership = membershipIn(actor, wanted, clock.nowMs());
    if (!membership) throw new AppError('not-found');
    if (!mayDo(membership.role, 'organisation.manage')) throw new AppError('access-denied');
    return { organisationId: wanted, realm: actor.realm };
  }

  async function existing(tx: Tx): Promise<OrganisationRow> {
    const row = await readOrganisation(tx);
    if (!row) throw new AppError('not-found');
    return row;
  }

  /** The same people work in both realms, so the rules hold in both. */
  async function write(tx: Tx, scope: Scope, { networks, secondFactor }: Rules): Promise<void> {
    const columns = { allowed_networks: networks, second_factor_required: secondFactor };
    await changeOrganisation(tx, columns);
    const other: Scope = { ...scope, realm: scope.realm === 'production' ? 'staging' : 'production' };
    await alsoWithinEach(tx, scope, [other], () => changeOrganisation(tx, columns));
    // Streams that are open are decided again.
    for (const member of await listMemberships(tx)) await announce(tx, member.account_id);
  }

  async function lift(scope: Scope): Promise<string> {
    return database.within(scope, async (tx) => {
      const row = await existing(tx);
      const open: Rules = { networks: [], secondFactor: false };
      await write(tx, scope, open);
      await audit.record(tx, {
        event: 'organisations.sign-in-rules-changed',
        actor: { kind: 'console', name: 'console' },
        subject: { kind: 'organisation', id: scope.organisationId, name: row.name },
        details: details(rulesOf(row), open),
      });
      return row.name;
    });
  }

  return Object.freeze<SignInRulesService>({
    async read(actor, organisationId, { address }) {
      const row = await database.within(await place(actor, organisationId), existing);
      return { ...rulesOf(row), address };
    },
    async change(actor, organisationId, rules, caller) {
      const scope = await place(actor, organisationId);
      refuseOwnExclusion(actor, rules, caller.address);
      await database.within(scope, async (tx) => {
        const row = await existing(tx);
        await write(tx, scope, rules);
        await audit.record(tx, {
          event: 'organisations.sign-in-rules-changed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'organisation', id: scope.organisationId, name: row.name },
          details: details(rulesOf(row), rules),
        });
      });
      return { ...rules, address: caller.address };
    },
    async liftFor(accountId) {
      const owned = (await parts.memberships(accountId, 'production')).filter(({ role }) => role === 'owner');
      return Promise.all(owned.map(({ organisationId }) => lift({ organisationId, realm: 'production' })));
    },
  });
}
