import { sha256 } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import type { Scope } from '@holdfast/database';
import type { JoinTokenEntry, Worker } from '@holdfast/contract/workers';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import {
  organisationIn,
  refuseSkew,
  tokenFor,
  type createAccess,
  type createViews,
  type WorkerBody,
  type WorkersParts,
} from './worker-access.service.ts';
import {
  addJoinToken,
  addWorker,
  changeWorker,
  hasJoinToken,
  openJoinTokens,
  removeJoinToken,
  removeWorker,
  takeJoinToken,
  workerAt,
} from './workers.store.ts';

/** Workers come, change and go. */
export interface JoiningService {
  createJoinToken(actor: Actor, organisationId: string | undefined, caller: Caller): Promise<{ token: string; expiresAt: string }>;
  /** The tokens that nobody has used yet; never the token itself. */
  joinTokens(actor: Actor, organisationId: string | undefined): Promise<JoinTokenEntry[]>;
  revokeJoinToken(actor: Actor, joinTokenId: string, caller: Caller): Promise<void>;
  join(
    request: WorkerBody & { joinToken: string; version: string },
    caller: Caller,
  ): Promise<{ workerId: string; heartbeatToken: string; heartbeatSeconds: number }>;
  update(actor: Actor, workerId: string, body: WorkerBody, caller: Caller): Promise<Worker>;
  remove(actor: Actor, workerId: string, caller: Caller): Promise<void>;
}

const JOIN_MS = 86_400_000;
const heartbeatSeconds = 30;

/** Tokens wait for workers. */
function createTokens(
  parts: WorkersParts,
  access: ReturnType<typeof createAccess>,
): Pick<JoiningService, 'createJoinToken' | 'joinTokens' | 'revokeJoinToken'> {
  const { database, clock, ids } = parts;
  const { manage } = access;
  return {
    async createJoinToken(actor, organisationId, caller) {
      const scope = await manage(actor, organisationId);
      const token = tokenFor('wj', scope.organisationId, ids.token(32));
      const expiresAt = new Date(clock.nowMs() + JOIN_MS);
      await database.within(scope, async (tx) => {
        const row = { tokenId: ids.uuid(), hash: sha256(token), at: now(clock), expiresAt, createdBy: actor.email };
        await addJoinToken(tx, row);
        await parts.audit.record(tx, { event: 'workers.join-token-made', actor: actorEntry(actor, caller) });
      });
      return { token, expiresAt: expiresAt.toISOString() };
    },
    async joinTokens(actor, organisationId) {
      const scope = await manage(actor, organisationId);
      const rows = await database.within(scope, (tx) => openJoinTokens(tx, now(clock)));
      return rows.map((row) => ({
        joinTokenId: row.token_id,
        createdBy: row.created_by,
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      }));
    },
    async revokeJoinToken(actor, joinTokenId, caller) {
      for (const { organisationId } of actor.memberships) {
        const scope: Scope = { organisationId, realm: actor.realm };
        if (!(await database.within(scope, (tx) => hasJoinToken(tx, joinTokenId)))) continue;
        await manage(actor, organisationId);
        await database.within(scope, async (tx) => {
          await removeJoinToken(tx, joinTokenId);
          await parts.audit.record(tx, { event: 'workers.join-token-revoked', actor: actorEntry(actor, caller) });
        });
        return;
      }
      throw new AppError('not-found');
    },
  };
}

export function createJoining(
  parts: WorkersParts,
  views: ReturnType<typeof createViews>,
  access: ReturnType<typeof createAccess>,
): JoiningService {
  const { database, clock, ids } = parts;
  const { tenantsOf, viewOf } = views;
  const { scopeOfWorker, existing } = access;
  return {
    ...createTokens(parts, access),
    async join(request, caller) {
      const organisationId = organisationIn(request.joinToken);
      if (!organisationId) throw new AppError('workers.join-refused');
      await refuseSkew(database, request.version);
      const heartbeatToken = tokenFor('wh', organisationId, ids.token(32));
      const workerId = ids.uuid();
      const { name, ip, indexIp, version } = request;
      const own = { workerId, name, ip, indexIp, version, heartbeatHash: sha256(heartbeatToken), isLocal: false, at: now(clock) };
      await database.within({ organisationId, realm: 'production' }, async (tx) => {
        if (!(await takeJoinToken(tx, sha256(request.joinToken), now(clock)))) throw new AppError('workers.join-refused');
        if (!(await addWorker(tx, own))) throw new AppError('workers.address-taken', { details: { field: 'ip' } });
        await parts.audit.record(tx, {
          event: 'workers.joined',
          actor: { kind: 'worker', id: workerId, name, address: caller.address, requestId: caller.requestId },
          subject: { kind: 'worker', id: workerId, name },
          details: { ip, indexIp },
        });
      });
      await database.within({ organisationId, realm: 'staging' }, (tx) => addWorker(tx, own));
      return { workerId, heartbeatToken, heartbeatSeconds };
    },
    async update(actor, workerId, body, caller) {
      const scope = await scopeOfWorker(actor, workerId);
      await database.within(scope, async (tx) => {
        const row = await existing(tx, workerId);
        const other = await workerAt(tx, body.ip);
        if (other && other.worker_id !== workerId) throw new AppError('workers.address-taken', { details: { field: 'ip' } });
        await changeWorker(tx, workerId, { name: body.name, ip: body.ip, index_ip: body.indexIp });
        await parts.audit.record(tx, {
          event: 'workers.changed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'worker', id: workerId, name: body.name },
          details: { before: row.ip, ip: body.ip },
        });
      });
      const row = await database.within(scope, (tx) => existing(tx, workerId));
      return viewOf(row, await tenantsOf(scope));
    },
    async remove(actor, workerId, caller) {
      const scope = await scopeOfWorker(actor, workerId);
      await database.within(scope, async (tx) => {
        const row = await existing(tx, workerId);
        // The worker inside the server says so every half minute: it would be back at once.
        if (row.is_local) throw new AppError('workers.local-stays');
        await removeWorker(tx, workerId);
        await parts.audit.record(tx, {
          event: 'workers.removed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'worker', id: workerId, name: row.name },
        });
      });
      // It joined both realms at once, and leaves both.
      const other = scope.realm === 'production' ? 'staging' : 'production';
      await database.within({ ...scope, realm: other }, (tx) => removeWorker(tx, workerId));
    },
  };
}
