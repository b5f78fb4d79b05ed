import type { Database, Scope, Tx } from '@holdfast/database';
import type { PointMinimum } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { repeatInScopes } from '../../platform/repeat-in-scopes.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { KeptPlace } from '../../storage/index.ts';
import { createDeletedBy, type DeletedBy } from './deleted-by.service.ts';
import { createRetainedDirectory } from './directory.service.ts';
import { createDispositions } from './dispositions.service.ts';
import { remindReviewers, type TellReviewers } from './disposition-reminders.ts';
import { createHalts, type OnHalted } from './halts.service.ts';
import { createMaximums, type Maximums } from './maximums.service.ts';
import { createMinimums, type Minimums } from './minimums.service.ts';
import type { HoldsOnArchive } from './preview.service.ts';
import { activationEffects, endEffects } from './retention-effects.ts';
import { mountRetention } from './retention.routes.ts';
import { createRetentionService } from './retention.service.ts';
import { createRetentionStore } from './retention.store.ts';
import type { FindUses } from '../search/index.ts';
import { createPolicySearches } from './policy-searches.service.ts';

/** What retention policies stand on. */
export interface RetentionPorts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly holdsOnArchive: HoldsOnArchive;
  /** Whether scans are read: one that waits may be what a search will find. */
  readonly recognisesScans: boolean;
  readonly tellReviewers: TellReviewers;
  readonly graph: TenantGraph;
  scopes(): Promise<readonly Scope[]>;
}

/** What policies want deleted, for whoever deletes. */
export interface DueMessages extends Maximums {
  /** Stops the deletions of a policy; false when it deletes nothing. */
  stop(tx: Tx, policyId: string, by: string): Promise<boolean>;
  /** Says whom to tell when a policy deletes nothing any longer. */
  onHalted(listener: OnHalted): void;
}

/** Retention policies, and who must obey them. */
export interface RetentionFeature extends Feature {
  readonly due: DueMessages;
  /** On a resource in a location: asked by deletion runs and their previews. */
  minimumsOn(scope: Scope, place: KeptPlace): Promise<readonly PointMinimum[]>;
  /** The same in the transaction of a deletion: none can come into force before it has ended. */
  minimumsWithin: Minimums['within'];
  /** The policies that keep something of a tenant or of one of its locations, with the day on which that ends. */
  keptIn(tx: Tx, tenantId: string, locationId?: string): Promise<readonly string[]>;
  /** The policies that keep an archived message. */
  policiesOf: Minimums['ofMessage'];
  /** The policies that delete an archived message, and from when on. */
  readonly deletedBy: DeletedBy;
  /** The policies on what a saved search finds: such a search is not deleted. */
  readonly usesOfSearch: FindUses;
  /** The policies that keep each of some archived messages, in the transaction that erases them. */
  policiesOfMessages: Minimums['ofMessages'];
  /** The policies that will keep each of some messages that the archive of a mailbox has yet to take in. */
  policiesOfAwaited: Minimums['ofAwaited'];
  /** The policies that keep a file, or something that ever was in a folder. */
  policiesOfFile: Minimums['ofFile'];
}

const REMIND_MS = 60_000;
const DIRECTORY_MS = 15_000;

/** Policies come into force and end by four eyes. */
export function createRetentionFeature(ports: RetentionPorts, approvals: Approvals): RetentionFeature {
  const store = createRetentionStore(ports.database);
  const { clock, logger, database } = ports;
  const reminding = { database, store, tell: ports.tellReviewers, clock, logger };
  const minimums = createMinimums(store, ports);
  const searches = createPolicySearches({ ...ports, store });
  const halts = createHalts({ store, clock: ports.clock });
  const service = createRetentionService({ ...ports, store, approvals, halts });
  const directory = createRetainedDirectory({ ...ports, store });
  const effects = { store, approvals, halts, clock: ports.clock };
  approvals.on('retentionPolicy', activationEffects(effects));
  approvals.on('retentionEnd', endEffects(effects));
  return Object.freeze<RetentionFeature>({
    due: {
      ...createMaximums({ ...ports, store }),
      stop: async (...stopped) => (await halts.stop(...stopped)) !== undefined,
      onHalted: (listener) => halts.on(listener),
    },
    minimumsOn: (scope, place) => store.within(scope, (tx) => minimums.on(tx, place)),
    minimumsWithin: (...place) => minimums.within(...place),
    keptIn: (...place) => minimums.namesIn(...place),
    deletedBy: createDeletedBy({ ...ports, store }),
    usesOfSearch: async (tx, searchId) =>
      (await store.ofSearch(tx, searchId)).map((row) => ({ kind: 'policy', id: row.policy_id, name: row.name })),
    policiesOf: (...message) => minimums.ofMessage(...message),
    policiesOfMessages: (...messages) => minimums.ofMessages(...messages),
    policiesOfAwaited: (...messages) => minimums.ofAwaited(...messages),
    policiesOfFile: (...file) => minimums.ofFile(...file),
    mount: (app) =>
      inEachRealm((realm) =>
        mountRetention(app, { retention: service, dispositions: createDispositions({ ...ports, store }), directory }, realm),
      ),
    start: {
      worker: () => searches.start(),
      scheduler() {
        const stopReminding = clock.every(REMIND_MS, () => {
          remindReviewers(reminding).catch((error: unknown) =>
            logger.warn({ err: error }, 'reviewers could not be told what waits for them'),
          );
        });
        const stopReading = repeatInScopes({
          clock,
          scopes: () => ports.scopes(),
          everyMs: DIRECTORY_MS,
          turn: (scope) => directory.turn(scope),
          onError: (error) => logger.warn({ err: error }, 'directories could not be looked at'),
        });
        return async () => {
          stopReminding();
          await stopReading();
        };
      },
    },
  });
}
