import { availableParallelism } from 'node:os';
import { nowIso } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore, ObjectLock } from './blob/blob-store.ts';
import { createStoredItemKeys } from './crypto/stored-item-keys.ts';
import type { VaultKeys } from './crypto/vault-keys.ts';
import { createVaultDocuments } from './documents/documents.ts';
import { vaultError } from './shared/errors.ts';
import { HEADER_COPY_NAME, HEADER_NAME, makeHeader, readHeader, writeHeader, type OpenedHeader } from './header/header.ts';
import type { BlobIndex } from './index/blob-index.ts';
import { createMemoryBlobIndex } from './index/memory.ts';
import { synchroniseIndex } from './pack/synchronise.ts';
import { DEFAULT_CHECKPOINTS, type CheckpointPolicy, type JournalContext } from './journal/context.ts';
import { listResources } from './journal/resources.ts';
import { createJournal } from './journal/store-journal.ts';
import { createMarkGuard } from './maintenance/mark-guard.ts';
import { createMaintenance } from './maintenance/create-maintenance.ts';
import { createInlineAssemblyPort, createThreadAssemblyPort, type AssemblyPort } from './read/assembly-port.ts';
import { createBlobReader } from './read/blobs.ts';
import { createFrameCache } from './read/frame-cache.ts';
import type { ContentRef } from './chunk/content-ref.ts';
import { createAnnouncedBlobs } from './read/announced-blobs.ts';
import { createReader } from './read/reader.ts';
import { createWriteMany } from './read/write-many.ts';
import type { VaultReader, VaultWriter } from './content/content.ts';
import type { CreateVaultOptions, OpenVaultOptions } from './opening/options.ts';
import type { Vault, VaultInfo } from './vault.ts';
import { createInlineIntakePort, createThreadIntakePort, type IntakePort } from './write/intake-port.ts';
import { createWritePath, type WritePath } from './write/write-path.ts';
import { createWriter } from './write/writer.ts';

/** Opened frames that the reader of single contents keeps. */
const READER_CACHE_BYTES = 16 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Sizes that tests make small; nobody else needs to. */
export interface VaultTuning {
  readonly packTargetBytes?: number;
  readonly checkpoints?: CheckpointPolicy;
}

/**
 * Creates an empty vault: its header, and so its keys. `vault.already-exists` when there is one.
 * Durable when it resolves; may be repeated after a crash.
 */
export async function createVault(options: CreateVaultOptions): Promise<VaultInfo> {
  const { store, keyRing, organisationId, clock, ids } = options;
  for (const name of [HEADER_NAME, HEADER_COPY_NAME]) {
    if (await store.stat(name)) throw vaultError('vault.already-exists', `There is a vault at ${store.description} already.`);
  }
  const made = await makeHeader({ vaultId: ids.uuid(), organisationId, name: options.name ?? '', createdAt: nowIso(clock), keyRing });
  await writeHeader(store, made.keys, made.header);
  return infoOf(made.header);
}

function infoOf(header: OpenedHeader['header']): VaultInfo {
  const { vaultId, organisationId, name, version, createdAt, keyVersion, organisationKey } = header;
  return { vaultId, organisationId, name, formatVersion: version, createdAt, keyVersion, masterKeyId: organisationKey.keyId };
}

function checkIdentity(options: OpenVaultOptions, header: OpenedHeader['header']): void {
  const isForeign =
    (options.organisationId !== undefined && options.organisationId !== header.organisationId) ||
    (options.vaultId !== undefined && options.vaultId !== header.vaultId);
  if (isForeign)
    throw vaultError('vault.foreign', `The vault at ${options.store.description} is another one.`, { vaultId: header.vaultId });
}

/** Starts what is needed at its first use, and ends it once. */
function lazily<Port extends { close(): Promise<void> }>(make: () => readonly Port[]) {
  let ports: readonly Port[] | undefined;
  return {
    get: () => (ports ??= make()),
    close: async () => void (await Promise.all((ports ?? []).map((port) => port.close()))),
  };
}

function portsOf<Port>(threads: number, inline: () => Port, thread: () => Port): readonly Port[] {
  return threads === 0 ? [inline()] : Array.from({ length: threads }, thread);
}

interface Parts {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly index: BlobIndex;
  readonly options: OpenVaultOptions;
  readonly tuning: VaultTuning;
}

/** Brings the index in line with the packs before the first thing that must not rely on packs which are gone. */
function createIndexGate({ store, keys, index, options }: Parts) {
  const look = async (): Promise<void> => {
    const { logger, signal } = options;
    await synchroniseIndex({ store, keys, index, logger, ...(signal ? { signal } : {}) });
  };
  let ready: Promise<void> | undefined;
  return {
    lookAgain: look,
    /** Once is enough; after a failure it is tried again. */
    ready: (): Promise<void> =>
      (ready ??= look().catch((error: unknown) => {
        ready = undefined;
        throw error;
      })),
  };
}

type IndexGate = ReturnType<typeof createIndexGate>;

function createReading({ store, keys, index, options }: Parts, gate: IndexGate) {
  const itemKeys = options.itemKeys ?? createStoredItemKeys(store, keys);
  const threads = options.threads ?? availableParallelism();
  const assemblies = lazily<AssemblyPort>(() =>
    portsOf(
      threads,
      () => createInlineAssemblyPort(keys),
      () => createThreadAssemblyPort(keys),
    ),
  );
  const blobs = createBlobReader({
    keys,
    index,
    frames: createFrameCache(store, keys, READER_CACHE_BYTES),
    lookAgain: gate.lookAgain,
  });
  const many = createWriteMany({ store, blobs, itemKeys, ports: assemblies.get, stream: (content) => reader.read(content) });
  const reader: VaultReader = createReader({ blobs, itemKeys, many });
  const readerOf = (announced: readonly ContentRef[]): VaultReader =>
    announced.length === 0 ? reader : createReader({ blobs: createAnnouncedBlobs(blobs, announced), itemKeys, many });
  return { itemKeys, blobs, reader, readerOf, assemblies: assemblies.get, close: assemblies.close };
}

function createWriting({ store, keys, index, options, tuning }: Parts, lockForNow: () => ObjectLock | undefined) {
  const guard = createMarkGuard({ store, keys, clock: options.clock });
  const threads = options.threads ?? availableParallelism();
  const { packTargetBytes } = tuning;
  let path: WritePath | undefined;
  const intakes = (): readonly IntakePort[] =>
    portsOf(
      threads,
      () => createInlineIntakePort(keys, packTargetBytes),
      () => createThreadIntakePort(keys, packTargetBytes),
    );
  return {
    guard,
    path: () => (path ??= createWritePath({ store, index, ports: intakes(), isBlocked: guard.isMarked, lockForNow })),
    close: async () => path?.close(),
  };
}

/**
 * Opens a vault. `vault.not-found`, `vault.wrong-key`, `vault.foreign`, `vault.newer-format` and
 * `vault.damaged` (naming the object) say why not. Changes nothing, and reads the header only: the
 * index is brought in line with the packs when something is written, or not found.
 */
export async function openVault(options: OpenVaultOptions, tuning: VaultTuning = {}): Promise<Vault> {
  const { store, keyRing, clock, ids, logger } = options;
  const header = await readHeader(store, keyRing);
  checkIdentity(options, header.header);
  for (const problem of header.problems) logger.warn(problem, 'one of the two headers of the vault is not right');
  const { keys } = header;
  const index = options.index ?? createMemoryBlobIndex();

  const lockForNow = (): ObjectLock | undefined =>
    options.lock && { mode: options.lock.mode, until: new Date(clock.nowMs() + options.lock.days * DAY_MS) };
  const parts: Parts = { store, keys, index, options, tuning };
  const gate = createIndexGate(parts);
  const reading = createReading(parts, gate);
  const writing = createWriting(parts, lockForNow);
  const { guard } = writing;
  const open = new Set<VaultWriter>();
  let isClosed = false;

  async function openWriter(request: { readonly resourceId: string; readonly signal?: AbortSignal }): Promise<VaultWriter> {
    if (isClosed) throw vaultError('vault.writer-closed', 'The vault is closed.');
    if (request.resourceId.length === 0) throw vaultError('vault.bad-input', 'A resource has an id.', { field: 'resourceId' });
    await Promise.all([guard.refresh(), gate.ready()]);
    const writer = createWriter({ ...request, path: writing.path(), itemKeys: reading.itemKeys, ids, checkUsedPacks: guard.checkPacks });
    open.add(writer);
    return writer;
  }

  async function checkBlobs(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length === 0) return;
    await gate.ready();
    const asked = [...new Set(blobIds)];
    if (await guard.isClear()) {
      await reading.blobs.checkThere(asked);
      return;
    }
    const places = await reading.blobs.find(asked);
    await guard.checkPacks(new Set(places.map((place) => place.packId)));
  }

  const journalContext: JournalContext = {
    store,
    keys,
    clock,
    reader: reading.reader,
    checkpoints: tuning.checkpoints ?? DEFAULT_CHECKPOINTS,
    openWriter: (resourceId) => openWriter({ resourceId }),
    checkBlobs,
    lockForNow,
  };

  return {
    info: infoOf(header.header),
    store,
    openWriter,
    reader: (announced = []) => reading.readerOf(announced),
    journal: (resourceId) => createJournal(journalContext, resourceId),
    resources: (request) => listResources(journalContext, request),
    documents: createVaultDocuments(store, keys),
    maintenance: createMaintenance({
      ...parts,
      header,
      journalContext,
      reading,
      guard,
      indexReady: gate.ready,
      path: writing.path,
      assemblies: reading.assemblies,
    }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const writer of open) await writer.abort();
      await writing.close();
      await reading.close();
      await index.close();
    },
  };
}

/** Whether an error says that there is no vault yet, so that one may be created. */
export function isNoVault(error: unknown): boolean {
  return isAppError(error, 'vault.not-found');
}
