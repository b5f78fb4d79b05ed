import type { Database, Scope, Tx } from '@holdfast/database';
import type { Catalog, Lease } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import { awaitedPoints, createArchiveKind, createArchiveSourcesStore, createAwaitedPointsStore } from '../features/archive/index.ts';
import type { AuditInbox } from '../features/audit/index.ts';
import {
  createAssuranceStore,
  createDeletionKind,
  createDrillKind,
  createDuePoints,
  createVerifyKind,
  type AwaitedIn,
  type KeptOn,
  type VaultMemoryStore,
  type WitnessFolder,
} from '../features/assurance/index.ts';
import {
  createAbsentOwnersStore,
  createCleanUpKind,
  createCleanUpsStore,
  createScanKind,
  createScanReportStore,
  createScanSourcesStore,
  createTrimmedVersionsStore,
} from '../features/compliance/index.ts';
import {
  createBackupKind,
  createCoverageReader,
  createCoverageViews,
  createJobResourcesStore,
  createNotCoveredStore,
  type SettingsReader,
  type TenantGraph,
} from '../features/backup/index.ts';
import {
  createCatalog,
  createErasingCatalog,
  createLease,
  type EraseDecision,
  type Kept,
  type KeptPlace,
  type OnCaptured,
  type OnErased,
  type ResourcesStore,
  type Vaults,
} from '../storage/index.ts';
import type { RunAccountsStore } from '../runs/index.ts';
import { createErasureKind, type DeletionKeepers } from '../features/deletions/index.ts';
import { createExportKind } from '../features/exports/index.ts';
import type { ContentAccess } from '../features/content-access/index.ts';
import { createImportKind } from '../features/imports/index.ts';
import type { DueMessages } from '../features/retention/index.ts';
import type { Notifications } from '../features/notifications/index.ts';
import { createRecoveryKind } from '../features/recovery/index.ts';
import { createThreadsKind } from '../features/reviews/index.ts';
import { createRestoreKind, createRestoreViews, createRunLinesStore, type ContentOpened } from '../features/restore/index.ts';
import { createUndoKind, createUndoViews } from '../features/undo/index.ts';
import { createSelectionReader } from '../features/search/index.ts';
import type { Sealing } from '../keys/sealing.ts';
import type { AnyJobKind } from '../runs/kind.ts';

/** What the kinds of job stand on. */
export interface KindPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly graph: TenantGraph;
  readonly configuration: SettingsReader;
  readonly vaults: Vaults;
  readonly accounts: RunAccountsStore;
  readonly resources: ResourcesStore;
  readonly memory: VaultMemoryStore;
  readonly witnesses: WitnessFolder;
  /** What people have ordered to be kept: a deletion's preview and its run both obey it. */
  readonly keptOn: KeptOn;
  /** The same in the transaction that deletes: an order that comes later finds what it is on, one that came before is obeyed. */
  keptWithin(tx: Tx, place: KeptPlace): Promise<Kept>;
  /** What people have ordered to be kept of archived messages, and item by item of anything else. */
  readonly archiveKeepers: DeletionKeepers;
  /** What policies want deleted of them. */
  readonly dueMessages: Pick<DueMessages, 'among'>;
  /** Somebody's content will be shown to somebody else. */
  readonly contentOpened: Notifications['contentOpened'];
  readonly contentAccess: ContentAccess;
  readonly audit: AuditInbox;
  /** The folders of this machine that mail may be imported from. */
  readonly importRoots: readonly string[];
  readonly monthlyReports: AnyJobKind;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Told when a catalog takes captures and erasures. */
  readonly told: { readonly onCaptured: OnCaptured; readonly onErased: OnErased };
}

/** Every kind of job that this server runs. A new one is a line here and an entry in the contract. */
export function composeKinds(ports: KindPorts): readonly AnyJobKind[] {
  const { database, clock, ids } = ports;
  const views = createCoverageViews({ database, clock });
  const parts = {
    ...ports,
    lines: createRunLinesStore({ database, sealing: ports.sealing }),
    leaseOf: (scope: Scope, locationId: string): Lease => createLease({ database, scope, locationId, clock, ids }),
    coverage: createCoverageReader({ ...ports, views }),
    notCovered: createNotCoveredStore({ database, clock }),
    jobResources: createJobResourcesStore(database),
  };
  const contentOpened: ContentOpened = (tx, { actor, scope }, { sourceId, reason }) =>
    ports.contentOpened(tx, scope, { content: { by: 'source', value: sourceId }, reader: actor, reason });
  const sparing = (scope: Scope, locationId: string): Catalog =>
    createCatalog({ database, scope, locationId, ids, keptWithin: (tx, place) => ports.keptWithin(tx, place) });
  const store = createAssuranceStore(database);
  const sources = createArchiveSourcesStore(database);
  const awaiting = { graph: ports.graph, logger: ports.logger, sources, store: createAwaitedPointsStore(database) };
  const awaitedIn: AwaitedIn = async (scope, tenantId, locationId) => {
    const awaitedOf = await awaitedPoints(awaiting, scope, tenantId);
    return (resource) => awaitedOf({ ...resource, locationId });
  };
  const deletion = { ...parts, views, store, awaitedIn, catalogOf: sparing };
  const selections = createSelectionReader(database);
  return [
    createBackupKind(parts),
    createArchiveKind({ ...parts, views, sources }),
    createImportKind({ ...parts, roots: ports.importRoots }),
    createRestoreKind({ ...parts, contentOpened, views: createRestoreViews(database) }),
    createRecoveryKind({ ...parts, contentOpened, views: createRestoreViews(database), selections }),
    createExportKind({ ...parts, selections }),
    createDeletionKind(deletion),
    createErasureKind({
      ...parts,
      erasingCatalogOf: (scope: Scope, locationId: string, decide: EraseDecision) =>
        createErasingCatalog({ database, scope, locationId, ids, decide, ...ports.told }),
    }),
    createVerifyKind({ ...parts, store }),
    createDrillKind(parts),
    createCleanUpKind({ ...parts, store: createCleanUpsStore(database) }),
    createScanKind({
      ...parts,
      sources: createScanSourcesStore(database),
      reports: createScanReportStore(database),
      trimmed: createTrimmedVersionsStore(database),
      owners: createAbsentOwnersStore(database),
      duePoints: createDuePoints(deletion),
    }),
    createThreadsKind(parts),
    createUndoKind({ ...parts, views: createUndoViews(database) }),
    ports.monthlyReports,
  ];
}
