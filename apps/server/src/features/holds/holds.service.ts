import type { GuardedByHold, Hold, HoldBody } from '@holdfast/contract/holds';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Actor } from '../../access/actor.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { guardedByHolds } from './guarded.views.ts';
import { createFindTarget } from './held-target.service.ts';
import type { HoldRow, HoldsStore } from './holds.store.ts';

/** Who asks, where. */
export interface HoldAsking {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly caller: Caller;
}

/** Asks a second person for the end of a hold, in the transaction that notes the wish. */
export interface HoldRelease {
  ask(tx: Tx, asking: HoldAsking, hold: Hold): Promise<void>;
}

export interface HoldsParts {
  readonly store: HoldsStore;
  readonly release: HoldRelease;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface HoldsService {
  list(scope: Scope, tenantId: string): Promise<{ items: Hold[] }>;
  /** What each hold in force guards now. */
  guarded(scope: Scope, tenantId: string): Promise<{ items: GuardedByHold[] }>;
  place(asking: HoldAsking, body: HoldBody): Promise<Hold>;
  /** Places a hold of a case, in the transaction of the caller. */
  placeForCase(tx: Tx, asking: HoldAsking, body: HoldBody, caseId: string): Promise<Hold>;
  /** Those of the files and folders that a restore point of a resource of the tenant has, under the names they had last. */
  itemsOf(
    tx: Tx,
    place: { readonly tenantId: string; readonly resourceId: string; readonly keys: readonly string[] },
  ): ReturnType<HoldsStore['itemsOf']>;
  /** The holds of a case, those that were released too. */
  ofCase(tx: Tx, caseId: string): Promise<readonly Hold[]>;
  /** Asks for the end of a hold. It lasts until that is decided. */
  release(asking: HoldAsking, holdId: string, reason: string): Promise<Hold>;
  /** A second person let a hold end, or refused. False when it has ended already. */
  decided(tx: Tx, holdId: string, decision: 'released' | 'kept'): Promise<boolean>;
}

function statusOf({ released_at, release_asked_at }: HoldRow): Hold['status'] {
  if (released_at !== null) return 'released';
  return release_asked_at === null ? 'active' : 'releasing';
}

function viewOf(row: HoldRow): Hold {
  const { resource_name: name, resource_address: address, resource_kind: kind } = row;
  return {
    holdId: row.hold_id,
    name: row.name,
    reason: row.reason,
    status: statusOf(row),
    resourceId: row.resource_id,
    resource: kind === null ? null : { name: name ?? '', address: address ?? '', kind },
    search: row.search_query === null ? null : { searchId: row.search_id, name: row.search_name ?? '', query: row.search_query },
    heldItems: row.items.map((item) => ({ nodeId: item.item_key, name: item.name, isContainer: item.is_container })),
    from: row.from_at?.toISOString() ?? null,
    to: row.to_at?.toISOString() ?? null,
    placer: row.placer,
    placedAt: row.placed_at.toISOString(),
    releaseReason: row.release_reason,
    releasedAt: row.released_at?.toISOString() ?? null,
  };
}

export function createHoldsService(parts: HoldsParts): HoldsService {
  const { store, release, audit, clock, ids } = parts;
  const findTarget = createFindTarget(store, clock);

  async function find(tx: Tx, { tenantId }: Pick<HoldAsking, 'tenantId'>, holdId: string): Promise<HoldRow> {
    const row = await store.read(tx, holdId);
    if (row?.tenant_id !== tenantId) throw new AppError('not-found');
    return row;
  }

  async function note(tx: Tx, asking: HoldAsking, event: AuditEvent, hold: Hold): Promise<void> {
    const { reason, from, to, releaseReason, heldItems, search } = hold;
    await audit.record(tx, {
      event,
      actor: actorEntry(asking.actor, asking.caller),
      subject: { kind: 'hold', id: hold.holdId, name: hold.name },
      details: {
        reason,
        from,
        to,
        resource: hold.resource?.name ?? null,
        items: heldItems.map(({ name }) => name),
        search: search?.query ?? null,
        releaseReason,
      },
    });
  }

  async function add(tx: Tx, asking: HoldAsking, body: HoldBody, caseId: string | null): Promise<Hold> {
    const { tenantId, actor } = asking;
    const holdId = ids.uuid();
    const { items, ...search } = await findTarget(tx, asking.tenantId, body);
    const row = {
      hold_id: holdId,
      tenant_id: tenantId,
      resource_id: body.resourceId,
      case_id: caseId,
      ...search,
      name: body.name,
      reason: body.reason,
      from_at: body.from,
      to_at: body.to,
      placed_by: actor.accountId,
      placer: actor.email,
      placed_at: now(clock),
      release_reason: null,
    };
    await store.add(tx, row, items);
    if (row.search_id !== null) await store.remember(tx, row);
    const hold = viewOf(await find(tx, asking, holdId));
    await note(tx, asking, 'holds.placed', hold);
    return hold;
  }

  return Object.freeze<HoldsService>({
    list: (scope, tenantId) => store.within(scope, async (tx) => ({ items: (await store.list(tx, tenantId)).map(viewOf) })),
    guarded: (scope, tenantId) => store.within(scope, async (tx) => ({ items: await guardedByHolds(tx, tenantId) })),
    place: (asking, body) => store.within(asking.scope, (tx) => add(tx, asking, body, null)),
    placeForCase: add,
    itemsOf: async (tx, { tenantId, resourceId, keys }) =>
      (await store.hasResource(tx, tenantId, resourceId)) ? store.itemsOf(tx, resourceId, keys) : [],
    ofCase: async (tx, caseId) => (await store.ofCase(tx, caseId)).map(viewOf),
    release: (asking, holdId, reason) =>
      store.within(asking.scope, async (tx) => {
        await find(tx, asking, holdId);
        const isThere = await store.change(tx, holdId, { release_reason: reason, release_asked_at: now(clock) });
        if (!isThere) throw new AppError('holds.not-active');
        const hold = viewOf(await find(tx, asking, holdId));
        await note(tx, asking, 'holds.release-asked', hold);
        await release.ask(tx, asking, hold);
        return hold;
      }),
    decided: (tx, holdId, decision) =>
      store.change(
        tx,
        holdId,
        decision === 'released' ? { released_at: now(clock), release_asked_at: null } : { release_reason: null, release_asked_at: null },
      ),
  });
}
