import type { ExportFormat } from '@holdfast/contract/exports';
import type { Scope } from '@holdfast/database';
import {
  archivedFolder,
  createUniquePaths,
  exportedFiles,
  exportedFolder,
  exportFacts,
  fitsMbox,
  isSaid,
  safeName,
  type Catalog,
  type ItemVersion,
} from '@holdfast/engine';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { ConversationFrame } from '../content/index.ts';
import { batchesOf, type SelectedKey, type SelectionPart, type SelectionReader } from '../search/index.ts';
import { conversationPath } from './conversation-file.ts';
import type { ExportFilesStore, Listed } from './export-files.store.ts';
import { papersOf, TAKEN, type FileRow, type ItemRange, type ItemRow } from './export-rows.ts';
import { indexPath, indexRanges } from './index-ranges.ts';
import { docIdOf, nativePath, textPath } from './load-file.ts';

export interface ListParts {
  readonly selections: SelectionReader;
  readonly files: ExportFilesStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** The largest mailbox file. */
  readonly mboxBytes: number;
  /** What was said around messages of chats and channels, for whoever asked for the export. */
  conversations(scope: Scope, asked: AskedAround, messages: readonly MessagePlace[]): Promise<ReadonlyMap<string, ConversationFrame>>;
}

/** Whoever asked for an export of a case. */
interface AskedAround {
  readonly tenantId: string;
  readonly accountId: string;
}

/** A message of a chat or channel in a restore point. */
interface MessagePlace {
  readonly locationId: string;
  readonly sourceId: string;
  readonly nodeId: string;
  readonly sequence: number;
}

/** An export whose list is made. */
export interface Listing {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly exportId: string;
  readonly selectionId: string;
  readonly format: ExportFormat;
  /** Whoever asked for an export of a case: its messages of chats and channels come with what was said around them. */
  readonly aroundFor: string | null;
  readonly signal: AbortSignal;
}

const ACCOUNT_LENGTH = 40;
const FOLDERS_REMEMBERED = 10_000;

const inOrder = (a: SelectionPart, b: SelectionPart): number =>
  a.sourceId === b.sourceId ? a.sequence - b.sequence : a.sourceId < b.sourceId ? -1 : 1;

/** The folder of each source. One that is listed already keeps its own: a mailbox that is renamed meanwhile stays one folder. */
function accountNames(parts: readonly SelectionPart[], known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const unique = createUniquePaths();
  for (const taken of TAKEN) unique('', taken);
  const names = new Map<string, string>();
  for (const { sourceId, resource } of parts) {
    if (names.has(sourceId)) continue;
    const kind = resource.kind === 'mailbox' ? '' : ` - ${resource.kind}`;
    const own = known.get(sourceId) ?? `${safeName(cutName(resource.name), 'account')}${kind}`;
    const given = unique('', own);
    names.set(sourceId, known.get(sourceId) ?? given);
  }
  return names;
}

const cutName = (name: string): string => Array.from(name).slice(0, ACCOUNT_LENGTH).join('');

/** The names of the folders that items lie in, from the outermost on. Remembers some of them. */
function createFolders(catalog: Catalog, { resource, sequence }: SelectionPart) {
  const known = new Map<string, { readonly name: string; readonly parentKey: string | null }>();

  async function learn(keys: ReadonlySet<string>): Promise<void> {
    let wanted = [...keys].filter((key) => !known.has(key));
    if (known.size > FOLDERS_REMEMBERED) known.clear();
    for (let depth = 0; wanted.length > 0 && depth < 200; depth += 1) {
      const found = new Set<string>();
      for await (const { key, name, parentKey } of catalog.items(resource.id, sequence, { keys: wanted })) {
        known.set(key, { name, parentKey });
        if (parentKey !== null && !known.has(parentKey)) found.add(parentKey);
      }
      wanted = [...found];
    }
  }

  function levels(item: ItemVersion): readonly string[] {
    const archived = archivedFolder(item);
    if (archived !== undefined) return archived.split('/').filter((level) => level !== '');
    const names: string[] = [];
    for (let key = item.parentKey; key !== null && names.length < 200;) {
      const folder = known.get(key);
      if (!folder) break;
      names.unshift(folder.name);
      key = folder.parentKey;
    }
    return names;
  }

  return { learn, levels };
}

/** What one batch adds. The numbers of files and items go on from those that are there. */
class Batch {
  readonly files: (Pick<FileRow, 'file_no' | 'kind' | 'path' | 'first_item' | 'last_item'> & {
    readonly export_id: string;
    readonly path_key: string;
    readonly conversation: string | null;
  })[] = [];
  readonly items: (ItemRow & { readonly export_id: string })[] = [];
  readonly #exportId: string;
  #at: Listed;

  constructor(exportId: string, at: Listed) {
    this.#exportId = exportId;
    this.#at = at;
  }

  get after(): Listed {
    return this.#at;
  }

  /** Files that are made of the words of items say of which. */
  file(kind: FileRow['kind'], path: string, of?: ItemRange, frame?: ConversationFrame): number {
    const fileNo = this.#at.nextFile;
    const items = { first_item: of?.first ?? null, last_item: of?.last ?? null };
    const conversation = frame === undefined ? null : JSON.stringify(frame);
    this.files.push({ export_id: this.#exportId, file_no: fileNo, kind, path, path_key: path.toLowerCase(), ...items, conversation });
    this.#at = { ...this.#at, nextFile: fileNo + 1 };
    return fileNo;
  }

  item(row: Omit<ItemRow, 'item_no'>): void {
    this.items.push({ ...row, export_id: this.#exportId, item_no: this.#at.nextItem });
    this.#at = { ...this.#at, nextItem: this.#at.nextItem + 1 };
  }

  /** The mailbox file of a source that has room for a message, or a new one. */
  mbox(sourceId: string, account: string, sizeBytes: number, limit: number): number {
    const open = this.#at.mbox?.sourceId === sourceId ? this.#at.mbox : undefined;
    if (open && open.bytes + sizeBytes <= limit) {
      this.#at = { ...this.#at, mbox: { ...open, bytes: open.bytes + sizeBytes } };
      return open.fileNo;
    }
    const number = (open?.number ?? 0) + 1;
    const fileNo = this.file('mbox', `${account}/${account}${number === 1 ? '' : ` ${number}`}.mbox`);
    this.#at = { ...this.#at, mbox: { fileNo, sourceId, bytes: sizeBytes, number } };
    return fileNo;
  }
}

interface Adding {
  readonly parts: ListParts;
  readonly listing: Listing;
  readonly part: SelectionPart;
  readonly account: string;
  readonly folders: ReturnType<typeof createFolders>;
}

function rowOf(
  { part, account, folders }: Adding,
  { key, kind, name, sizeBytes, review, reviewTags, reviewNotes }: SelectedKey,
  item: ItemVersion | undefined,
) {
  const facts = item ? exportFacts(item) : { sender: '', sentAt: null, receivedAt: null, messageId: '' };
  return {
    source_id: part.sourceId,
    sequence: part.sequence,
    item_key: key,
    content: null,
    size_bytes: sizeBytes,
    sha256: null,
    code: item ? null : 'content.item-unknown',
    account,
    folder: item ? folders.levels(item).join('/') : '',
    kind,
    name: item?.name ?? name,
    sender: facts.sender,
    sent_at: facts.sentAt,
    received_at: facts.receivedAt,
    message_id: facts.messageId,
    review,
    review_tags: reviewTags,
    review_notes: reviewNotes,
  } as const;
}

interface Found {
  readonly item: ItemVersion | undefined;
  readonly frame: ConversationFrame | undefined;
}

function addItem(batch: Batch, adding: Adding, chosen: SelectedKey, { item, frame }: Found): void {
  const { parts, listing, part, account, folders } = adding;
  const row = rowOf(adding, chosen, item);
  if (!item) {
    batch.item({ ...row, file_no: null });
    return;
  }
  const inMbox = listing.format === 'mbox' && fitsMbox(item);
  const isLoaded = listing.format === 'loadFile';
  const folder = exportedFolder(folders.levels(item));
  const first = batch.after.nextItem;
  const pathOf = (name: string): string => {
    const own = `${account}/${folder === '' ? '' : `${folder}/`}${name}`;
    return isLoaded ? nativePath(docIdOf(batch.after.nextItem), name) : own;
  };
  const files = exportedFiles(item);
  const beside = conversationPath(pathOf(files[0]?.name ?? ''));
  for (const { content, name, sizeBytes, sha256 } of files) {
    const path = pathOf(name);
    const fileNo = inMbox ? batch.mbox(part.sourceId, account, sizeBytes, parts.mboxBytes) : batch.file('item', path);
    batch.item({ ...row, file_no: fileNo, content, size_bytes: sizeBytes, sha256: sha256 ?? null });
  }
  if (isLoaded) batch.file('text', textPath(docIdOf(first)), { first, last: first });
  if (frame) batch.file('conversation', beside, { first, last: first }, frame);
}

/** What was said around the messages of chats and channels of a batch, where the export has that. */
async function framesOf({ parts, listing, part }: Adding, found: ReadonlyMap<string, ItemVersion>) {
  const { scope, tenantId, aroundFor: accountId } = listing;
  if (accountId === null) return new Map<string, ConversationFrame>();
  const { locationId, sourceId, sequence } = part;
  const said = [...found.values()].filter(({ kind }) => isSaid(kind));
  return parts.conversations(
    scope,
    { tenantId, accountId },
    said.map(({ key: nodeId }) => ({ locationId, sourceId, nodeId, sequence })),
  );
}

async function addBatch(adding: Adding, keys: readonly SelectedKey[], at: Listed): Promise<Listed> {
  const { parts, listing, part, folders } = adding;
  const catalog = parts.catalogOf(listing.scope, part.locationId);
  const found = new Map<string, ItemVersion>();
  for await (const item of catalog.items(part.resource.id, part.sequence, { keys: keys.map(({ key }) => key) })) found.set(item.key, item);
  await folders.learn(new Set([...found.values()].flatMap(({ parentKey }) => parentKey ?? [])));
  const frames = await framesOf(adding, found);
  const batch = new Batch(listing.exportId, at);
  for (const chosen of keys) addItem(batch, adding, chosen, { item: found.get(chosen.key), frame: frames.get(chosen.key) });
  await parts.files.add(listing.scope, listing.exportId, batch);
  await crashPoint('export.listed-batch');
  return batch.after;
}

/** The names of the files that tell of the others are taken before any account can have them. */
async function reservePapers({ files }: ListParts, { scope, exportId, format }: Listing, at: Listed): Promise<Listed> {
  const papers = papersOf(format);
  if (at.nextFile > papers.length) return at;
  const batch = new Batch(exportId, at);
  for (const paper of papers) batch.file('paper', paper);
  await files.add(scope, exportId, batch);
  return batch.after;
}

/** Gives every item of the selection its place in the export. Goes on after the last item that has one. */
export async function listExport(parts: ListParts, listing: Listing): Promise<void> {
  const { scope, tenantId, selectionId, exportId, signal } = listing;
  const chosen = (await parts.selections.parts(scope, tenantId, selectionId)).toSorted(inOrder);
  const accounts = accountNames(chosen, await parts.files.accountFolders(scope, exportId));
  let at = await reservePapers(parts, listing, await parts.files.listed(scope, exportId));
  const { last } = at;
  for (const part of chosen) {
    const isBehind = last !== undefined && inOrder(part, { ...part, ...last }) < 0;
    if (isBehind) continue;
    const isOpen = last !== undefined && last.sourceId === part.sourceId && last.sequence === part.sequence;
    const folders = createFolders(parts.catalogOf(scope, part.locationId), part);
    const adding = { parts, listing, part, folders, account: accounts.get(part.sourceId) ?? 'account' };
    for await (const keys of batchesOf(parts.selections, scope, selectionId, isOpen ? { ...part, after: last.key } : part)) {
      signal.throwIfAborted();
      at = await addBatch(adding, keys, at);
    }
  }
  if (listing.format === 'searchable') await addIndex(parts.files, listing, at);
}

/** The files of the index: each is made of as many items as are worked on in memory. They are all there, or none is. */
async function addIndex(files: ExportFilesStore, { scope, exportId }: Listing, at: Listed): Promise<void> {
  if (await files.hasIndex(scope, exportId)) return;
  const batch = new Batch(exportId, at);
  for (const range of await indexRanges((after) => files.allItems(scope, exportId, after))) {
    batch.file('index', indexPath(batch.files.length + 1), range);
  }
  await files.add(scope, exportId, batch);
  await crashPoint('export.index-listed');
}
