import type { HeldItem } from '@holdfast/contract/holds';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { FindUses } from '../search/index.ts';
import { mountHolds } from './holds.routes.ts';
import { createHoldsService, type HoldsService } from './holds.service.ts';
import type { KeptPlace } from '../../storage/index.ts';
import { createHoldsStore } from './holds.store.ts';
import { createStandingHolds } from './standing-holds.service.ts';

/** What legal holds stand on. */
export interface HoldsPorts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whether scans are read: one that waits may be what a search will find. */
  readonly recognisesScans: boolean;
  scopes(): Promise<readonly Scope[]>;
}

/** Legal holds, and who must obey them. */
export interface Holds extends Feature {
  /** On a resource in a location: asked by deletion runs and their previews. */
  holdsOn(scope: Scope, place: KeptPlace): Promise<readonly PointHold[]>;
  /** The same in the transaction of a deletion: none can be placed before it has ended. */
  holdsWithin(tx: Tx, place: KeptPlace): Promise<readonly PointHold[]>;
  /** The names of those that keep the messages of an archived mailbox: none can be placed before the transaction has ended. */
  holdsOnArchive(tx: Tx, resourceId: string): Promise<readonly string[]>;
  /** The names of those on anything of a tenant: asked before it is removed. */
  heldBy(tx: Tx, tenantId: string): Promise<readonly string[]>;
  /** The holds in force on what a saved search finds: such a search is not deleted, nor narrowed by one person. */
  readonly usesOfSearch: FindUses;
  /** The holds of cases. */
  readonly ofCases: Pick<HoldsService, 'placeForCase' | 'itemsOf' | 'ofCase'>;
}

/** The site, or the files and folders of it that a hold names: a second person reads what would be let go. */
function placeOf(site: string, items: readonly HeldItem[]): string {
  const names = items.slice(0, 3).map(({ name }) => name);
  return items.length === 0 ? site : `${site}: ${names.join(', ')}${items.length > names.length ? ', …' : ''}`;
}

/** Holds end by four eyes. */
export function createHoldsFeature(ports: HoldsPorts, approvals: Approvals): Holds {
  const { database, audit, clock, ids } = ports;
  const store = createHoldsStore(database, ports);
  const standing = createStandingHolds({ ...ports, store });
  const service = createHoldsService({
    store,
    audit,
    clock,
    ids,
    release: {
      ask: (tx, { actor, scope, tenantId }, { holdId, name, reason, releaseReason, resource, heldItems, search }) =>
        approvals.ask(tx, {
          actor,
          scope,
          tenantId,
          kind: 'holdRelease',
          subject: { id: holdId, name },
          details: { resource: search?.name ?? placeOf(resource?.name ?? '', heldItems), reason, releaseReason: releaseReason ?? '' },
        }),
    },
  });
  approvals.on('holdRelease', {
    apply: (tx, { subjectId }) => service.decided(tx, subjectId, 'released'),
    drop: async (tx, { subjectId }) => void (await service.decided(tx, subjectId, 'kept')),
  });
  return Object.freeze<Holds>({
    holdsOn: (scope, place) => store.within(scope, (tx) => store.on(tx, place)),
    holdsWithin: (tx, place) => store.on(tx, place),
    holdsOnArchive: (tx, resourceId) => store.onArchive(tx, resourceId),
    heldBy: (tx, tenantId) => store.heldBy(tx, tenantId),
    usesOfSearch: async (tx, searchId) =>
      (await store.ofSearch(tx, searchId)).map((row) => ({ kind: 'hold', id: row.hold_id, name: row.name })),
    ofCases: service,
    start: { worker: () => standing.start() },
    mount: (app) => inEachRealm((realm) => mountHolds(app, service, realm)),
  });
}
