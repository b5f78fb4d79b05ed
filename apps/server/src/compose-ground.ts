import { createTaskQueue, type TaskQueue } from '@holdfast/database';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { createIds, type Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { secureRandom, type Random } from '@holdfast/foundation/random';
import { createAuditInbox, type AuditInbox } from './features/audit/index.ts';
import { createCaseGround } from './features/cases/index.ts';
import { createContentAccess, type ContentAccess } from './features/content-access/index.ts';
import type { Config } from './config.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import type { Installation } from './installation.ts';
import { createKeysStore, type KeysStore } from './keys/keys.store.ts';
import { createMasterKeys, type MasterKeys } from './keys/master-keys.ts';
import { createSealing, type Sealing } from './keys/sealing.ts';

/** What every feature stands on. */
export interface Ground {
  readonly config: Config;
  readonly logger: Logger;
  readonly installation: Installation;
  readonly database: Installation['database'];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly queue: TaskQueue;
  readonly masterKeys: MasterKeys;
  readonly keys: KeysStore;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly contentAccess: ContentAccess;
  readonly metrics: Metrics;
  readonly version: string;
}

/** Makes the ground of a process. `supervises` for those that work or schedule. */
export async function layGround(parts: {
  readonly config: Config;
  readonly logger: Logger;
  readonly installation: Installation;
  readonly supervises: boolean;
  readonly version: string;
}): Promise<Ground> {
  const { config, logger, installation, version } = parts;
  const { database } = installation;
  const clock = systemClock;
  const ids = createIds(clock, secureRandom);
  const masterKeys = createMasterKeys(installation.masterKey, installation.masterKey.others);
  const keys = createKeysStore(database);
  const metrics = createMetrics();
  metrics.gauge('database_connections', 'Connections to the database that this process has open.', () => database.usage().total);
  metrics.gauge('database_waiting', 'Requests of this process that wait for a connection.', () => database.usage().waiting);
  metrics.gauge('database_restarts', 'How often the embedded database ended and was started again.', () => installation.databaseRestarts());
  return {
    config,
    logger,
    installation,
    database,
    clock,
    ids,
    random: secureRandom,
    queue: await createTaskQueue({ database, logger, supervises: parts.supervises }),
    masterKeys,
    keys,
    sealing: createSealing({ masterKeys, store: keys, ids }),
    audit: createAuditInbox({ clock, ids }),
    contentAccess: createContentAccess({ clock, cases: createCaseGround({ clock }) }),
    metrics,
    version,
  };
}
