import type { ProxyAction } from '@holdfast/contract/proxy-rights';
import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor, type Membership } from '../../access/actor.ts';
import {
  areWithin,
  groundsOn,
  itemsIn,
  nothingReached,
  personById,
  reachedBy,
  reachesAnything,
  unlimitedReach,
  type ContentGround,
  type Person,
  type SearchReach,
} from './reach.views.ts';

/** Who wants to open content, where. */
export interface ContentAsking {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly tenantId: string;
}

export interface WantedContent {
  readonly action: ProxyAction;
  readonly resourceId: string;
  /** Item keys; `all` for the whole resource. */
  readonly items: 'all' | readonly string[];
}

/** Decides who opens what is kept of somebody. Everything that shows contents asks it. */
export interface ContentAccess {
  /** Refuses whoever may not do this to these items; answers why they may, for the audit log. */
  require(tx: Tx, asking: ContentAsking, wanted: WantedContent): Promise<ContentGround>;
  /** What somebody may search. Refuses whoever may search nothing at all. */
  searchable(tx: Tx, asking: ContentAsking): Promise<SearchReach>;
  /** The same for an account that nobody is signed in to, without a refusal: alerts run on their own. */
  searchableBy(tx: Tx, account: { readonly tenantId: string; readonly accountId: string }): Promise<SearchReach>;
}

const REFUSALS = {
  read: 'content.read-right-needed',
  export: 'content.export-right-needed',
  restore: 'content.restore-right-needed',
} as const satisfies Record<ProxyAction, string>;

/** What the rule of the organisation depends on, read in the transaction that opens the content. */
async function isOpenTo(tx: Tx, role: Membership['role'] | undefined): Promise<boolean> {
  if (role !== 'owner' && role !== 'administrator') return false;
  const row = await tx.selectFrom('organisations').select('content_access').executeTakeFirst();
  return row?.content_access === 'open';
}

function personOf({ actor, tenantId }: ContentAsking): Person {
  return { tenantId, accountId: actor.accountId, address: actor.isEmailConfirmed ? actor.email.toLowerCase() : undefined };
}

export function createContentAccess({ clock }: { readonly clock: Clock }): ContentAccess {
  const roleOf = ({ actor, scope }: ContentAsking) => membershipIn(actor, scope.organisationId, clock.nowMs())?.role;

  return Object.freeze<ContentAccess>({
    async require(tx, asking, { action, resourceId, items }) {
      if (await isOpenTo(tx, roleOf(asking))) return { by: 'role' };
      const grounds = await groundsOn(tx, reachedBy(personOf(asking), action, now(clock)), resourceId);
      for (const ground of grounds) {
        const isLimited = ground.from_at !== null || ground.to_at !== null;
        if (isLimited && (items === 'all' || !(await areWithin(tx, resourceId, items, ground)))) continue;
        return ground.proxy_right_id === null ? { by: 'own' } : { by: 'proxy', proxyRightId: ground.proxy_right_id };
      }
      throw new AppError(grounds.length > 0 ? 'content.outside-period' : REFUSALS[action]);
    },
    async searchable(tx, asking) {
      if (await isOpenTo(tx, roleOf(asking))) return unlimitedReach;
      const reached = reachedBy(personOf(asking), 'read', now(clock));
      if (!(await reachesAnything(tx, reached))) throw new AppError(REFUSALS.read);
      return itemsIn(reached);
    },
    async searchableBy(tx, { tenantId, accountId }) {
      const at = now(clock);
      const found = await personById(tx, tenantId, accountId, at);
      if (!found) return nothingReached;
      if (await isOpenTo(tx, found.role)) return unlimitedReach;
      return itemsIn(reachedBy(found.person, 'read', at));
    },
  });
}
