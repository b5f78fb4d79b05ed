import { createTaskQueue, type Scope, type TaskQueue } from '@holdfast/database';
import type { Catalog } from '@holdfast/engine';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { createIds, type Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { secureRandom, type Random } from '@holdfast/foundation/random';
import { recordCaptures } from '../features/archive/index.ts';
import { recordErasures } from '../features/deletions/index.ts';
import { createAuditInbox, type AuditInbox } from '../features/audit/index.ts';
import { createCatalog, type OnCaptured, type OnErased } from '../storage/index.ts';
import { createAuditorGround } from '../features/auditor-access/index.ts';
import { createCaseGround } from '../features/cases/index.ts';
import { createContentAccess, type ContentAccess } from '../features/content-access/index.ts';
import { createChoices, type Choices } from '../features/identity/index.ts';
import { allScopes } from '../features/organisations/index.ts';
import type { Config } from '../settings/config.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import type { Installation } from '../platform/installation.ts';
import { createKeysStore, type KeysStore } from '../keys/keys.store.ts';
import { createMasterKeys, type MasterKeys } from '../keys/master-keys.ts';
import { createSealing, type Sealing } from '../keys/sealing.ts';
import type { Role } from '../platform/feature.ts';

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
  readonly roles: readonly Role[];
  readonly choices: Choices;
  /** What links in mails start with; never taken from a request. */
  readonly publicUrl: () => string;
  /** Every organisation in every realm. */
  readonly scopes: () => Promise<Scope[]>;
  /** Told when a catalog takes captures and erasures. */
  readonly told: { readonly onCaptured: OnCaptured; readonly onErased: OnErased };
  /** What is kept of an organisation at a location. */
  readonly catalogOf: (scope: Scope, locationId: string) => Catalog;
}

/** Makes the ground of a process. */
export async function layGround(parts: {
  readonly config: Config;
  readonly logger: Logger;
  readonly installation: Installation;
  readonly roles: readonly Role[];
  readonly version: string;
  readonly publicUrl: () => string;
}): Promise<Ground> {
  const { logger, installation, roles } = parts;
  const { database } = installation;
  const clock = systemClock;
  const ids = createIds(clock, secureRandom);
  const masterKeys = createMasterKeys(installation.masterKey, installation.masterKey.others);
  const keys = createKeysStore(database);
  const metrics = createMetrics();
  metrics.gauge('database_connections', 'Connections to the database that this process has open.', () => database.usage().total);
  metrics.gauge('database_waiting', 'Requests of this process that wait for a connection.', () => database.usage().waiting);
  metrics.gauge('database_restarts', 'How often the embedded database ended and was started again.', () => installation.databaseRestarts());
  const audit = createAuditInbox({ clock, ids });
  const told = { onCaptured: recordCaptures(audit), onErased: recordErasures(audit) };
  return {
    ...parts,
    database,
    clock,
    ids,
    random: secureRandom,
    queue: await createTaskQueue({ database, logger, supervises: roles.includes('worker') || roles.includes('scheduler') }),
    masterKeys,
    keys,
    sealing: createSealing({ masterKeys, store: keys, ids }),
    audit,
    contentAccess: createContentAccess({ clock, cases: createCaseGround({ clock }), auditors: createAuditorGround({ clock }) }),
    metrics,
    choices: createChoices(database),
    scopes: () => allScopes(database),
    told,
    catalogOf: (scope, locationId) => createCatalog({ database, scope, locationId, ids, ...told }),
  };
}
