import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsStore } from '../../runs/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { DueMessages } from '../retention/index.ts';
import { deletionEffects } from './deletion-effects.ts';
import { mountDeletions } from './deletions.routes.ts';
import { createDeletionsService, createDeletionSteps, type DeletionsParts } from './deletions.service.ts';
import { createDeletionsStore } from './deletions.store.ts';
import type { DeletionKeepers } from './keepers.ts';
import { createMentionsService } from './mentions.service.ts';
import { createPolicyLists } from './policy-lists.service.ts';

export interface DeletionsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly runs: RunsStore;
  readonly approvals: Approvals;
  readonly archiveKeepers: DeletionKeepers;
  readonly dueMessages: DueMessages;
  readonly contentAccess: Pick<ContentAccess, 'searchable'>;
  readonly erasureDrafted: DeletionsParts['erasureDrafted'];
}

const LOOK_MS = 60_000;
const AT_ONCE = 100;

/** Deletions of messages and files by four eyes. */
export function createDeletionsFeature(ports: DeletionsPorts): Feature {
  const { database, approvals, archiveKeepers: keepers, dueMessages, clock, logger } = ports;
  const store = createDeletionsStore(database);
  const lists = createPolicyLists({ ...ports, store, keepers });
  const service = createDeletionsService({ ...ports, store, keepers });
  const mentions = createMentionsService({ ...ports, store, keepers }, createDeletionSteps({ ...ports, store }));
  approvals.on('messageDeletion', deletionEffects({ store, clock }));
  dueMessages.onHalted((tx, halt) => lists.halted(tx, halt));
  const warn = (error: unknown): void => logger.warn({ err: error }, 'deletions that are due could not be listed or started');

  async function startAll(): Promise<void> {
    for (const { scope, policyId } of await dueMessages.toLookAt(new Date(clock.nowMs()), AT_ONCE))
      await lists.look(scope, policyId).catch(warn);
    for (const { scope, deletionId } of await store.due(new Date(clock.nowMs()), AT_ONCE))
      await service.startDue(scope, deletionId).catch(warn);
  }

  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountDeletions(app, { deletions: service, mentions }, realm)),
    start: { scheduler: () => clock.every(LOOK_MS, () => void startAll().catch(warn)) },
  });
}
