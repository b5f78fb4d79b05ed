import { mayHandleRole } from '@holdfast/contract/actions';
import type { Database, Realm, Scope } from '@holdfast/database';
import { sha256 } from '@holdfast/foundation/bytes';
import type { Clock } from '@holdfast/foundation/clock';
import { admit } from '../../access/admission.ts';
import type { AccountId, Actor, HeldMembership, Membership, SessionId } from '../../access/actor.ts';
import type { Credentials, SessionReader } from '../../http/ports.ts';
import { findApiKey, noteUse, readApiKey, type ApiKeyRow } from './api-keys.store.ts';
import { isWithin } from '../../access/networks.ts';

/** What every key begins with, so that people and secret scanners know it. Nothing else is read from a key. */
export const keyPrefix = 'hf_key_';

/** How often the last use of a key is written down. */
const NOTE_MS = 60_000;

/** The person a key acts for, as their account is now. */
export interface KeyPerson {
  readonly email: string;
  readonly isDisabled: boolean;
}

export interface ApiKeyReaderPorts {
  readonly database: Database;
  readonly clock: Clock;
  /** Memberships that hold now. */
  memberships(accountId: string, realm: Realm): Promise<readonly HeldMembership[]>;
  person(accountId: string): Promise<KeyPerson | undefined>;
}

/** The membership that a key acts within: that of its person, if their role is not below the key's. */
export function membershipOfKey(key: Pick<ApiKeyRow, 'role'>, scope: Scope, memberships: readonly Membership[]): Membership | undefined {
  const own = memberships.find(({ organisationId }) => organisationId === scope.organisationId);
  return own && mayHandleRole(own.role, key.role) ? { ...own, role: key.role } : undefined;
}

/**
 * Reads API keys where a session would be read: each time from the database, so that a key that ended opens nothing in
 * any process. Keys open the main surface of their realm and nothing else.
 */
export function createApiKeyReader(ports: ApiKeyReaderPorts) {
  const { database, clock } = ports;

  /** The key behind a secret, if it may be used now, here and from there. */
  async function usable({ audience, address }: Credentials, token: string): Promise<{ scope: Scope; key: ApiKeyRow } | undefined> {
    const found = await findApiKey(database, sha256(token));
    if (!found || audience !== (found.scope.realm === 'staging' ? 'staging' : 'main')) return undefined;
    const { scope, apiKeyId } = found;
    const key = await database.within(scope, (tx) => readApiKey(tx, apiKeyId));
    if (!key || key.ended_at !== null || key.expires_at.getTime() <= clock.nowMs()) return undefined;
    return isWithin(key.networks, address) ? { scope, key } : undefined;
  }

  async function note(scope: Scope, key: ApiKeyRow, address: string): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - (key.last_used_at?.getTime() ?? 0) < NOTE_MS && key.last_used_address === address) return;
    await database.within(scope, (tx) => noteUse(tx, key.api_key_id, { at: new Date(nowMs), address }));
  }

  async function open(credentials: Credentials, token: string): Promise<Actor | undefined> {
    const found = await usable(credentials, token);
    if (!found) return undefined;
    const { scope, key } = found;
    const person = await ports.person(key.account_id);
    // A program has no second factor: the person who created it had.
    const arrival = { address: credentials.address, isMultiFactor: true };
    const { memberships } = admit(await ports.memberships(key.account_id, scope.realm), arrival);
    const membership = membershipOfKey(key, scope, memberships);
    if (!person || person.isDisabled || !membership) return undefined;
    await note(scope, key, credentials.address);
    return {
      accountId: key.account_id as AccountId,
      sessionId: key.api_key_id as SessionId,
      email: person.email,
      isEmailConfirmed: false,
      audience: credentials.audience,
      realm: scope.realm,
      memberships: [membership],
      apiKey: { apiKeyId: key.api_key_id, name: key.name },
    };
  }

  return {
    /** Reads keys, and leaves everything else to the sessions. */
    over(sessions: SessionReader): SessionReader {
      return {
        read: async (credentials) =>
          credentials.token?.startsWith(keyPrefix) === true ? open(credentials, credentials.token) : sessions.read(credentials),
        watch: (actor, onChange) => sessions.watch(actor, onChange),
      };
    },
  };
}
