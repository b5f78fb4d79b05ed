import type { Scope, Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import type { Ground } from './compose-ground.ts';
import type { Approvals } from './features/approvals/index.ts';
import { createHoldsService, createHoldsStore, mountHolds } from './features/holds/index.ts';
import type { HttpApp } from './http/http-app.ts';

/** Legal holds, and who must obey them. */
export interface Holds {
  /** On a resource: asked by deletion runs and their previews. */
  holdsOn(scope: Scope, resourceId: string): Promise<readonly PointHold[]>;
  /** The same in the transaction of a deletion: none can be placed before it has ended. */
  holdsWithin(tx: Tx, resourceId: string): Promise<readonly PointHold[]>;
  /** On anything of a tenant: asked before it is removed. */
  isHeld(tx: Tx, tenantId: string): Promise<boolean>;
  mount(app: HttpApp, realm: 'production' | 'staging'): void;
}

/** Holds end by four eyes. */
export function composeHolds({ database, audit, clock, ids }: Ground, approvals: Approvals): Holds {
  const store = createHoldsStore(database);
  const service = createHoldsService({
    store,
    audit,
    clock,
    ids,
    release: {
      ask: (tx, { actor, scope, tenantId }, { holdId, name, reason, releaseReason, resource }) =>
        approvals.ask(tx, {
          actor,
          scope,
          tenantId,
          kind: 'holdRelease',
          subject: { id: holdId, name },
          details: { resource: resource?.name ?? '', reason, releaseReason: releaseReason ?? '' },
        }),
    },
  });
  approvals.on('holdRelease', {
    apply: (tx, { subjectId }) => service.decided(tx, subjectId, 'released'),
    drop: async (tx, { subjectId }) => void (await service.decided(tx, subjectId, 'kept')),
  });
  return {
    holdsOn: (scope, resourceId) => store.within(scope, (tx) => store.on(tx, resourceId)),
    holdsWithin: (tx, resourceId) => store.on(tx, resourceId),
    isHeld: (tx, tenantId) => store.isHeld(tx, tenantId),
    mount: (app, realm) => mountHolds(app, service, realm),
  };
}
