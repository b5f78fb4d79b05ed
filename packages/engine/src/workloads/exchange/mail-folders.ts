import { isGraphError, type DeltaEntry, type MailCalls } from '@holdfast/m365';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { followDelta } from '../follow-delta.ts';
import { AREAS } from './areas.ts';
import { folderExclusion, type FolderNode } from './folder-selection.ts';

const WELL_KNOWN = ['inbox', 'drafts', 'sentitems', 'deleteditems', 'junkemail', 'archive', 'outbox', 'conversationhistory'] as const;
const WELL_KNOWN_SCOPE = 'mail:wellKnown';
const RECOVERABLE_ROOT = 'recoverableitemsroot';
const FOLDERS_SCOPE = 'mail:folders';

/** A folder whose messages are to be enumerated. */
export interface SelectedFolder {
  readonly id: string;
  /** Where its messages are in the vault: the folder itself, or the area for those at the mailbox's root. */
  readonly key: string;
  readonly name: string;
}

interface MailFolder {
  readonly displayName?: string | null;
  readonly parentFolderId?: string | null;
  readonly isHidden?: boolean | null;
}

interface KnownNames {
  readonly root: string;
  readonly names: Readonly<Record<string, string>>;
}

async function folderId(mail: MailCalls, userId: string, name: string): Promise<string | undefined> {
  try {
    return (await mail.folder({ userId, folderId: name })).id;
  } catch (error) {
    if (isGraphError(error, 'graph.folder-gone', 'graph.item-gone', 'graph.bad-request')) return undefined;
    throw error;
  }
}

async function findWellKnown(mail: MailCalls, userId: string): Promise<KnownNames> {
  const names: Record<string, string> = {};
  const root = (await folderId(mail, userId, 'msgfolderroot')) ?? '';
  for (const name of WELL_KNOWN) {
    const id = await folderId(mail, userId, name);
    if (id !== undefined) names[id] = name;
  }
  return { root, names };
}

function nodeOf(item: ItemVersion): FolderNode {
  const { wellKnown } = item.properties;
  const node = { id: item.key, name: item.name, parentId: item.parentKey === AREAS.mail ? null : item.parentKey };
  return typeof wellKnown === 'string' ? { ...node, wellKnown } : node;
}

interface FolderChanges {
  readonly nodes: Map<string, FolderNode>;
  readonly hidden: Map<string, boolean>;
  readonly removed: Set<string>;
}

async function knownFolders(context: EnumerateContext): Promise<FolderChanges> {
  const nodes = new Map<string, FolderNode>();
  const hidden = new Map<string, boolean>();
  for await (const item of context.known.items({ kinds: ['mailFolder'] })) {
    if (item.properties['isRecoverable'] === true) continue;
    nodes.set(item.key, nodeOf(item));
    hidden.set(item.key, item.properties['isHidden'] === true);
  }
  return { nodes, hidden, removed: new Set() };
}

function put(folder: FolderNode, isHidden: boolean, reason: string | undefined, previous: ItemVersion | undefined): Step {
  const properties: JsonObject = {
    ...(folder.wellKnown === undefined ? {} : { wellKnown: folder.wellKnown }),
    ...(isHidden ? { isHidden } : {}),
    ...(reason === undefined ? {} : { notProtected: reason }),
  };
  const draft = { key: folder.id, kind: 'mailFolder', name: folder.name, contentTag: '', properties } as const;
  return { step: 'put', draft: { ...draft, parentKey: folder.parentId ?? AREAS.mail }, previous };
}

/** One entry of the folder delta. */
function take(known: FolderChanges, seen: Set<string>, entry: DeltaEntry<MailFolder>, { root, names }: KnownNames): void {
  const { nodes, hidden, removed } = known;
  if (entry.kind === 'removed') {
    removed.add(entry.id);
    return;
  }
  const { displayName, parentFolderId, isHidden } = entry.item;
  const parent = parentFolderId ?? null;
  const wellKnown = names[entry.id];
  const node = { id: entry.id, name: displayName ?? '', parentId: parent === root ? null : parent };
  removed.delete(entry.id);
  seen.add(entry.id);
  nodes.set(entry.id, wellKnown === undefined ? node : { ...node, wellKnown });
  hidden.set(entry.id, isHidden ?? false);
}

async function collect(context: EnumerateContext, mail: MailCalls, names: KnownNames): Promise<FolderChanges & { after: Step[] }> {
  const userId = context.resource.graphId;
  const known = await knownFolders(context);
  const { nodes, removed } = known;
  const before = new Set(nodes.keys());
  let seen = new Set<string>();
  const after: Step[] = [];
  const open = (cursor: Parameters<MailCalls['folderDelta']>[1]) => mail.folderDelta({ userId }, cursor);
  const pages = followDelta(context, { scope: FOLDERS_SCOPE, open, hasKnown: async () => before.size > 0 });
  for await (const page of pages) {
    if (page === 'restarted') {
      seen = new Set();
      continue;
    }
    for (const entry of page.entries) if (entry.id !== names.root) take(known, seen, entry, names);
    if (page.last && page.isComparison) for (const id of before) if (!seen.has(id)) removed.add(id);
    if (page.last) after.push(...page.afterwards);
  }
  for (const id of removed) nodes.delete(id);
  return { ...known, after };
}

export interface EnumeratedFolders {
  readonly selected: readonly SelectedFolder[];
  /** Gone folders: to be removed with what is left in them when all moves are known. */
  readonly removed: readonly string[];
  readonly rootId: string;
  /** To be yielded once the removals are remembered. */
  readonly after: readonly Step[];
}

/**
 * The mailbox's folders: puts them with what selection says of each, and returns those whose
 * messages follow, and the folders that are gone (to be removed when all moves are known).
 */
export async function* enumerateFolders(context: EnumerateContext, mail: MailCalls): AsyncGenerator<Step, EnumeratedFolders, undefined> {
  const stored = context.cursor(WELL_KNOWN_SCOPE);
  const names = stored === undefined ? await findWellKnown(mail, context.resource.graphId) : (JSON.parse(stored) as KnownNames);
  if (stored === undefined) yield { step: 'cursor', scope: WELL_KNOWN_SCOPE, value: JSON.stringify(names) };
  const { nodes, hidden, removed, after } = await collect(context, mail, names);
  const selected: SelectedFolder[] = [];
  const isWhole = context.selections.some(({ include }) => !include || include.length === 0);
  const root = { id: names.root, key: AREAS.mail, name: 'root' };
  if (!isWhole) yield* removeMessages(context, root);
  else if (root.id !== '') selected.push(root);
  const previous = await context.known.load([...nodes.keys()]);
  for (const node of nodes.values()) {
    const reason = folderExclusion(node, nodes, context.selections);
    yield put(node, hidden.get(node.id) ?? false, reason, previous.get(node.id));
    const folder = { id: node.id, key: node.id, name: node.name };
    if (reason === undefined) selected.push(folder);
    else yield* removeMessages(context, folder);
  }
  selected.push(...(yield* enumerateRecoverable(context, mail)));
  return { selected, removed: [...removed], after, rootId: names.root };
}

/** The folders that hold what was deleted for good: outside the tree, and only when a job asks for them. */
async function* enumerateRecoverable(
  context: EnumerateContext,
  mail: MailCalls,
): AsyncGenerator<Step, readonly SelectedFolder[], undefined> {
  const selected: SelectedFolder[] = [];
  const isWanted = context.selections.some(({ mailbox }) => mailbox?.recoverableItems === true);
  const userId = context.resource.graphId;
  const root = isWanted ? await folderId(mail, userId, RECOVERABLE_ROOT) : undefined;
  if (root !== undefined) {
    for await (const folder of mail.folders({ userId }, { folderId: root })) {
      const { id } = folder;
      const name = folder.displayName ?? '';
      const properties = { isRecoverable: true };
      const draft = { key: id, kind: 'mailFolder', parentKey: AREAS.recoverable, name, contentTag: '', properties } as const;
      yield { step: 'put', draft, previous: (await context.known.load([id])).get(id) };
      selected.push({ id, key: id, name });
    }
  }
  const kept = new Set(selected.map((folder) => folder.key));
  for await (const item of context.known.items({ kinds: ['mailFolder'], parentKey: AREAS.recoverable })) {
    if (kept.has(item.key)) continue;
    yield* removeMessages(context, { id: item.key, key: item.key });
    yield { step: 'remove', key: item.key };
  }
  return selected;
}

/** A folder that is not selected any more holds nothing from now on; earlier restore points keep it. */
async function* removeMessages(
  context: EnumerateContext,
  { id, key }: Pick<SelectedFolder, 'id' | 'key'>,
): AsyncGenerator<Step, void, undefined> {
  for await (const item of context.known.items({ parentKey: key, kinds: ['message'] })) yield { step: 'remove', key: item.key };
  const scope = messageScope(id);
  if (context.cursor(scope) !== undefined) yield { step: 'cursor', scope, value: null };
}

/** The scope of a folder's messages. */
export function messageScope(id: string): string {
  return `mail:messages:${id}`;
}
