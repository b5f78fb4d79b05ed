/**
 * The engine backs up Microsoft 365 into a vault and puts it back.
 *
 * `createBackup(…).run({ resource, selections, runId, signal })` takes one resource (mailbox, drive,
 * site, team, chat) through the pipeline: enumerate by delta, fetch, store, commit. What it commits
 * is durable in this order and no other: packs, journal segment, catalog, cursor; the cursor is the
 * one inside the last segment. A run can be killed at any moment and is taken up where it is durable.
 * `createRestore(…)` plans (dry run) and runs the way back, item by item, with a report; it sends no
 * invitation and deletes nothing before the replacement is whole.
 *
 * It knows no HTTP and no SQL. What it needs of the outside are the ports: `Catalog`, `Progress`,
 * `Lease`, `Problems`. Schedules, selection of resources by group and who may do what are not its
 * business.
 */
export type { Catalog, CatalogErrorCode, CatalogHead, CatalogSegment, ErasingCatalog, ItemsQuery, RestorePoint } from './ports/catalog.ts';
export { fileVersions, type FileVersion } from './ports/file-versions.ts';
export { isContainer, itemKinds, resourceKinds } from './ports/item.ts';
export type { Content, ContentRole, ItemKind, ItemVersion, Json, JsonObject, Resource, ResourceKind } from './ports/item.ts';
export type { HeldLease, Lease, LeaseErrorCode } from './ports/lease.ts';
export { adviceFor } from './pipeline/failure.ts';
export type { Advice, Problem, ProblemOutcome, Problems } from './ports/problems.ts';
export { silentProgress, stages } from './ports/progress.ts';
export type { Progress, ProgressReport, Stage } from './ports/progress.ts';
export type {
  BackupRequest,
  ChosenChannel,
  MailboxSelection,
  RunCounts,
  RunResult,
  RunStatus,
  Selection,
  Selections,
} from './ports/run.ts';
export { collisionPolicies } from './restore/request.ts';
export type {
  CollisionPolicy,
  EarlierWork,
  OpenUpload,
  RestoreLine,
  RestoreOptions,
  RestoreOutcome,
  RestorePlan,
  RestoreReport,
  RestoreRequest,
  RestoreResult,
  RestoreSelection,
  RestoreTarget,
  Written,
  WrittenThing,
} from './restore/request.ts';
export { createUndo, type Undo, type UndoEngineOptions } from './undo/create-undo.ts';
export { keptBefore } from './undo/kept-before.ts';
export type { PointBefore, EarlierUndo, UndoItem, UndoLine, UndoOutcome, UndoReport, UndoRequest, UndoResult } from './undo/request.ts';
export { createBackup } from './backup/create-backup.ts';
export type { Backup, BackupOptions } from './backup/create-backup.ts';
export { archiveExclusion, archiveWorkload, capturedUpTo, hasCaptured } from './workloads/archive/archive-workload.ts';
export type { ArchiveSource, CapturePlace, StoredMessage } from './workloads/archive/archive-source.ts';
export { importWorkload, type ImportCounts, type ImportSource } from './workloads/archive/import-workload.ts';
export { openReceiving, type Receiving, type ReceivingOptions } from './receiving/open-receiving.ts';
export type { ReceivedMail } from './workloads/journal/received-mail.ts';
export { readJournalReport, type JournalReport, type JournalRecipient } from './workloads/journal/journal-report.ts';
export { journalWorkload, type JournaledMessage, type JournalEnvelope, type JournalRole } from './workloads/journal/journal-workload.ts';
export { formatOfMailFile, readMailFiles } from './mail-files/read-mail-files.ts';
export type { FoundFault, MailFile, MailFileEntry, MailFileFault, MailFileFormat, MailPlace } from './mail-files/mail-file.ts';
export { readMailFacts } from './mime/mail-facts.ts';
export { placementsOf } from './workloads/archive/archived-message.ts';
export type { FolderNode } from './workloads/exchange/folder-selection.ts';
export { graphWorkloads } from './workloads/workloads.ts';
export type { CheckpointRule } from './pipeline/run-resource.ts';
export { createRestore } from './restore/create-restore.ts';
export { pointOf } from './restore/point.ts';
export type { Restore, RestoreEngineOptions, RestoreErrorCode } from './restore/create-restore.ts';
export { openCollection, type CollectionPart } from './download/open-collection.ts';
export { openDownload, type Download } from './download/open-download.ts';
export type { DownloadFormat, DownloadRequest, FailedItem } from './download/source.ts';
export { openPointCatalog, type PointCatalog } from './download/point-catalog.ts';
export { createUniquePaths, safeName } from './download/safe-name.ts';
export {
  archivedFolder,
  exportedFiles,
  exportedFolder,
  exportedMbox,
  exportFacts,
  fitsMbox,
  openExported,
  type ExportedFile,
} from './download/exported-item.ts';
export { PAGE_END, pageMessage, pageNote, pageStart } from './download/conversation-page.ts';
export { zipStream, type ZipEntry } from './download/zip-stream.ts';
export { createItemReader } from './preview/create-item-reader.ts';
export type { ItemFile, ItemReader, ItemReaderErrorCode, OpenedMail } from './preview/create-item-reader.ts';
export type { ItemPreview, PreviewAttachment, PreviewProperty } from './preview/item-preview.ts';
export type { MailInThread } from './preview/mail-in-thread.ts';
export { factsOf, type ItemFacts } from './preview/item-facts.ts';
export { isSaid, saidMessage, type SaidMessage } from './preview/said-message.ts';
export { asSent, type AsSent, type PointedVersion } from './preview/as-sent.ts';
export { addressKeyOf } from './preview/links.ts';
export type { DocumentWordsReader, InvoiceWords } from './preview/document-words.ts';
export type { AttachmentText, ItemWords } from './preview/item-words.ts';
export { heldBy, isKeptBy, pointDispositions, runningMinimums } from './retention/disposition.ts';
export type {
  AwaitedPoints,
  DatedPoint,
  KeepReason,
  PointDisposition,
  PointHold,
  PointKeepers,
  PointMinimum,
  PointRetention,
} from './retention/disposition.ts';
export { endOfDay, lastKeptDay, localDay } from './retention/kept-until.ts';
export type { MessageDays, RetentionPeriod } from './retention/kept-until.ts';
export { eraseItems, type ErasingOptions, type ErasureRequest } from './retention/erase-items.ts';
export { createRetention } from './retention/create-retention.ts';
export type {
  AwaitedOf,
  RetainedResource,
  Retention,
  RetentionOptions,
  RetentionPreview,
  RetentionResult,
} from './retention/create-retention.ts';
export { readCoverage, unreadableFeatures } from './coverage/read-coverage.ts';
export type { CoverageLine } from './coverage/read-coverage.ts';
export { createDrill, drawSamples } from './drill/create-drill.ts';
export type { Drill, DrilledItem, DrillEvidence, DrillOptions, DrillPlan, DrillRequest } from './drill/create-drill.ts';
export { clearScratch } from './drill/scratch.ts';
export type { Remainder, RemainderCode } from './drill/scratch.ts';
export { catchUpCatalog } from './pipeline/catch-up.ts';
export { readResource } from './pipeline/resource-note.ts';
