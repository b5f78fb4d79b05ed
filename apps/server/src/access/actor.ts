import type { Role } from '@holdfast/contract/actions';
import type { OrganisationId, Realm } from '@holdfast/database';
import type { Brand } from '@holdfast/foundation/ids';

export type AccountId = Brand<'AccountId'>;
export type SessionId = Brand<'SessionId'>;

/** The three walls between tokens: /apollo, /apollo-beta and /api. */
export const audiences = ['main', 'staging', 'legacy'] as const;
export type Audience = (typeof audiences)[number];

/** What someone is in one organisation, read fresh for every request. */
export interface Membership {
  readonly organisationId: OrganisationId;
  readonly role: Role;
  /** Auditors only: their access ends here. */
  readonly endsAt?: Date;
}

/** What an organisation asks of whoever works in it. */
export interface SignInRules {
  /** Addresses and networks it opens to; anywhere where empty. */
  readonly networks: readonly string[];
  readonly secondFactor: boolean;
}

/** A membership with the rules of its organisation, before it is known who comes from where. */
export interface HeldMembership extends Membership {
  readonly rules: SignInRules;
}

/** An organisation of the person that stays closed to this request, and the rule that closes it. */
export interface Withheld {
  readonly organisationId: OrganisationId;
  readonly because: 'network' | 'second-factor';
}

/**
 * Why a signed-in session may not do anything yet: the second factor is not set up, or the address
 * is not confirmed. Only routes mounted with `restricted: 'allow'` answer such a session.
 */
export type Restriction = 'second-factor' | 'email-not-confirmed';

/** Who is asking: an account, through one session, in one realm. Plain data, made by the session reader. */
export interface Actor {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly audience: Audience;
  readonly realm: Realm;
  /** Those that are open to this request. */
  readonly memberships: readonly Membership[];
  readonly withheld?: readonly Withheld[];
  /** Whether the session has passed a second factor. */
  readonly isMultiFactor?: boolean;
  /** The provider of an organisation vouched for the person: the session changes nothing of the account. */
  readonly isProvided?: boolean;
  readonly restriction?: Restriction;
  /** The API key that acts for the person; absent when they have signed in themselves. */
  readonly apiKey?: { readonly apiKeyId: string; readonly name: string };
}

/** Whose hand it was, for the audit log. */
export function actorName({ email, apiKey }: Pick<Actor, 'email' | 'apiKey'>): string {
  return apiKey === undefined ? email : `${email} (API key ${apiKey.name})`;
}

/** The actor's membership in an organisation, if there is one that has not ended. */
export function membershipIn(actor: Actor, organisationId: OrganisationId, nowMs: number): Membership | undefined {
  return actor.memberships.find(
    (membership) =>
      membership.organisationId === organisationId && (membership.endsAt === undefined || membership.endsAt.getTime() > nowMs),
  );
}
