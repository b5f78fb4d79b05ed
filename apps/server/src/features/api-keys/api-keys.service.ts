import { mayDo, mayHandleRole, type Role } from '@holdfast/contract/actions';
import type { ApiKey, ApiKeyBody } from '@holdfast/contract/api-keys';
import type { Database, Realm, Scope, Tx } from '@holdfast/database';
import { sha256 } from '@holdfast/foundation/bytes';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn, type Actor, type Membership } from '../../access/actor.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { keyPrefix, membershipOfKey, type KeyPerson } from './api-key-reader.ts';
import { addApiKey, countOpen, endApiKey, endApiKeysOf, listApiKeys, readApiKey, type ApiKeyRow } from './api-keys.store.ts';

const DAY_MS = 86_400_000;
const SECRET_BYTES = 32;
/** Keys that open something, of one organisation. */
const MOST = 100;
/** Ended and expired keys stay on the list for so long. */
const SHOWN_MS = 365 * DAY_MS;

export interface ApiKeysPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  /** The organisation an actor chose last, where a request names none. */
  chosen(actor: Actor): Promise<string | undefined>;
  memberships(accountId: string, realm: Realm): Promise<readonly Membership[]>;
  person(accountId: string): Promise<KeyPerson | undefined>;
  /** Streams that a key holds open are decided again when this transaction commits. */
  announce(tx: Tx, apiKeyId: string): Promise<void>;
}

export interface ApiKeysService {
  list(actor: Actor, organisationId: string | undefined): Promise<ApiKey[]>;
  create(actor: Actor, organisationId: string | undefined, body: ApiKeyBody, caller: Caller): Promise<ApiKey & { key: string }>;
  end(actor: Actor, apiKeyId: string, organisationId: string | undefined, caller: Caller): Promise<void>;
  /** Ends the keys of somebody who is no member any more, within the transaction that ends the membership. */
  endOf(tx: Tx, accountId: string, by: string): Promise<void>;
}

function viewOf(row: ApiKeyRow, isSuspended: boolean, nowMs: number): ApiKey {
  const state = (): ApiKey['state'] => {
    if (row.ended_at !== null) return 'ended';
    if (row.expires_at.getTime() <= nowMs) return 'expired';
    return isSuspended ? 'suspended' : 'active';
  };
  return {
    apiKeyId: row.api_key_id,
    name: row.name,
    role: row.role,
    state: state(),
    networks: row.networks,
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
  };
}

export function createApiKeysService(ports: ApiKeysPorts): ApiKeysService {
  const { database, clock, ids, audit } = ports;

  /** The organisation a request means and the caller's role in it: not a member, not found; no right, denied. */
  async function place(actor: Actor, organisationId: string | undefined): Promise<{ scope: Scope; role: Role }> {
    const wanted = (organisationId ?? (await ports.chosen(actor))) as Scope['organisationId'];
    const membership = membershipIn(actor, wanted, clock.nowMs());
    if (!membership) throw new AppError('not-found');
    if (!mayDo(membership.role, 'apiKeys.manage')) throw new AppError('access-denied');
    return { scope: { organisationId: wanted, realm: actor.realm }, role: membership.role };
  }

  async function isSuspended(scope: Scope, row: Pick<ApiKeyRow, 'account_id' | 'role'>): Promise<boolean> {
    const person = await ports.person(row.account_id);
    if (!person || person.isDisabled) return true;
    return membershipOfKey(row, scope, await ports.memberships(row.account_id, scope.realm)) === undefined;
  }

  const note = (tx: Tx, event: AuditEvent, { actor, caller, row }: { actor: Actor; caller: Caller; row: ApiKeyRow }): Promise<void> =>
    audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'api-key', id: row.api_key_id, name: row.name },
      details: { role: row.role, creator: row.creator, expiresAt: row.expires_at.toISOString(), networks: row.networks },
    });

  return {
    async list(actor, organisationId) {
      const { scope } = await place(actor, organisationId);
      const nowMs = clock.nowMs();
      const rows = await database.within(scope, (tx) => listApiKeys(tx, new Date(nowMs - SHOWN_MS)));
      return Promise.all(rows.map(async (row) => viewOf(row, await isSuspended(scope, row), nowMs)));
    },
    async create(actor, organisationId, body, caller) {
      const { scope, role } = await place(actor, organisationId);
      if (!mayHandleRole(role, body.role)) throw new AppError('api-keys.above-role');
      const key = `${keyPrefix}${ids.token(SECRET_BYTES)}`;
      const row: ApiKeyRow = {
        organisation_id: scope.organisationId,
        realm: scope.realm,
        api_key_id: ids.uuid(),
        account_id: actor.accountId,
        creator: actor.email,
        name: body.name,
        role: body.role,
        networks: body.networks,
        secret_hash: sha256(key),
        created_at: now(clock),
        expires_at: new Date(clock.nowMs() + body.days * DAY_MS),
        ended_at: null,
        ended_by: null,
        last_used_at: null,
        last_used_address: null,
      };
      await database.within(scope, async (tx) => {
        if ((await countOpen(tx, row.created_at)) >= MOST) throw new AppError('api-keys.too-many');
        await addApiKey(tx, row);
        await note(tx, 'api-keys.created', { actor, caller, row });
      });
      return { ...viewOf(row, false, clock.nowMs()), key };
    },
    async end(actor, apiKeyId, organisationId, caller) {
      const { scope, role } = await place(actor, organisationId);
      await database.within(scope, async (tx) => {
        const row = await readApiKey(tx, apiKeyId);
        if (!row) throw new AppError('not-found');
        if (!mayHandleRole(role, row.role)) throw new AppError('api-keys.above-role');
        if (!(await endApiKey(tx, apiKeyId, { at: now(clock), by: actor.email }))) throw new AppError('api-keys.over');
        await note(tx, 'api-keys.ended', { actor, caller, row });
        await ports.announce(tx, apiKeyId);
      });
    },
    async endOf(tx, accountId, by) {
      for (const ended of await endApiKeysOf(tx, accountId, { at: now(clock), by })) await ports.announce(tx, ended);
    },
  };
}
