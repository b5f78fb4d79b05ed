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
  readonly memberships: readonly Membership[];
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
