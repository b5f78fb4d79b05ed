import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { graphOutcome, isGraphError, type DeltaCursor, type DriveEntry, type GraphClient } from '@holdfast/m365';
import { adviceFor } from '../../pipeline/failure.ts';
import { pathOf } from '../../pipeline/path.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { jsonProperties, without } from '../compare-listing.ts';
import { followDelta, lastOfEach, type FollowedPage } from '../follow-delta.ts';
import { createRemovals, type Removals } from '../removals.ts';
import { createRevisits } from '../revisit.ts';
import { createArchivedFiles, FILE_ARCHIVED } from './archived-files.ts';
import { driveDraft, driveItemId, driveKeys, hasSharing, isArchived, isMalware, kindOf, type DriveKeys } from './drive-item.ts';
import { createDriveTree, type DriveTree, type Node } from './drive-tree.ts';
import { createFoldersTree } from './folders-tree.ts';

const DEFAULT_VERSIONS = 10;
const PERMISSIONS_AT_A_TIME = 4;

interface DriveRun {
  readonly context: EnumerateContext;
  readonly graph: GraphClient;
  readonly keys: DriveKeys;
  readonly rootId: string;
  readonly tree: DriveTree;
  readonly folders: ReadonlyMap<string, string> | undefined;
  readonly removals: Removals;
  /** Entries whose place is not known before the round has ended. */
  readonly waiting: Map<string, DriveEntry>;
  /** All is read again and compared: what is chosen is not what it was, or lies elsewhere. */
  isAnew: boolean;
  /** Set when a container came under another choice in this round: then where the round has got to is not kept. */
  isReshaped: boolean;
}

const roundScope = ({ driveId }: DriveKeys): string => `drive:${driveId}`;

/** What is remembered of a drive from run to run, by its id. */
export const driveScopes = ['drive:', 'drive-root:', 'drive-removals:', 'drive-choice:'] as const;

function keepsPermissions({ selections }: EnumerateContext): boolean {
  return selections.some(({ permissions }) => permissions !== false);
}

/** What is read of the drive; another choice reads all of it again. Undefined for everything. */
function choiceOf({ context, tree }: DriveRun): string | undefined {
  return keepsPermissions(context) ? tree.choice : `${tree.choice ?? ''} without permissions`;
}

async function readPermissions(run: DriveRun, entry: DriveEntry): Promise<readonly Json[] | undefined> {
  if (!hasSharing(entry) || !keepsPermissions(run.context)) return undefined;
  const found: Json[] = [];
  for await (const permission of run.graph.drives.permissions({ driveId: run.keys.driveId, itemId: entry.id })) {
    found.push(jsonProperties(without(permission)));
  }
  return found;
}

function parentKeyOf(run: DriveRun, entry: DriveEntry): string {
  const parentId = entry.parentReference?.id;
  const owner = run.folders?.get(entry.id);
  if (owner !== undefined) return owner;
  const isAtRoot = !parentId || parentId === run.rootId;
  return isAtRoot && !run.folders?.has(run.rootId) ? run.keys.library : run.keys.item(parentId ?? run.rootId);
}

/** The root is the library itself, and a folder like any other where it is one of those that are wanted. */
function kindIn({ folders, rootId }: DriveRun, entry: DriveEntry): ReturnType<typeof kindOf> {
  return entry.root && folders?.has(rootId) ? 'folder' : kindOf(entry);
}

function nodeOf(run: DriveRun, entry: DriveEntry): Node {
  return { name: entry.name ?? '', parentKey: parentKeyOf(run, entry), children: entry.folder?.childCount ?? 0 };
}

type Looked = readonly [DriveEntry, readonly Json[] | undefined] | { readonly failed: Step };

async function look(run: DriveRun, entry: DriveEntry): Promise<Looked> {
  try {
    const reason = await run.tree.exclusion(nodeOf(run, entry));
    return [entry, reason === 'outside' || reason === 'unknown' ? undefined : await readPermissions(run, entry)];
  } catch (error) {
    const outcome = graphOutcome(error);
    if (outcome !== 'record' && outcome !== 'retry' && outcome !== 'gone') throw error;
    const code = isGraphError(error) ? error.code : 'internal';
    const failure = {
      key: run.keys.item(entry.id),
      kind: kindIn(run, entry) ?? 'file',
      parentKey: parentKeyOf(run, entry),
      name: entry.name ?? '',
    } as const;
    return { failed: { step: 'failed', failure: { ...failure, code, tried: ['permissions'], advice: adviceFor(code) } } };
  }
}

/** Nothing is kept of this entry, nor of what is in it. */
function* giveUp(
  { context, keys, removals }: DriveRun,
  entry: DriveEntry,
  previous: ItemVersion | undefined,
): Generator<Step, void, undefined> {
  const key = keys.item(entry.id);
  if (previous && previous.kind !== 'file') removals.add(key, null);
  else if (previous) yield { step: 'remove', key };
  else if (context.unread.has(key) || context.excluded.has(key)) yield { step: 'resolved', key };
}

async function exclusion(
  run: DriveRun,
  entry: DriveEntry,
  { kind, code }: { readonly kind: NonNullable<ReturnType<typeof kindOf>>; readonly code: string },
): Promise<Step> {
  const path = await pathOf(run.context.known, parentKeyOf(run, entry), entry.name ?? '');
  return { step: 'exclude', exclusion: { key: run.keys.item(entry.id), kind, path, code, advice: adviceFor(code) } };
}

async function* putEntry(
  run: DriveRun,
  entry: DriveEntry,
  permissions: readonly Json[] | undefined,
  previous: ItemVersion | undefined,
): AsyncGenerator<Step, void, undefined> {
  const { context, graph, keys, tree } = run;
  const kind = kindIn(run, entry);
  if (!kind) return;
  const key = keys.item(entry.id);
  const parentKey = parentKeyOf(run, entry);
  const node = nodeOf(run, entry);
  const reason = await tree.exclusion(node);
  if (reason === 'unknown') {
    run.waiting.set(entry.id, entry);
    return;
  }
  if (reason === 'outside' || (reason !== undefined && kind === 'file')) {
    yield* giveUp(run, entry, previous);
    return;
  }
  if (await tree.isReshaped(key, node)) {
    run.isReshaped = true;
    // Durable with the container at its new place at the latest: once that is known, nothing tells any more that it has moved.
    yield { step: 'cursor', scope: roundScope(keys), value: null };
  }
  if (isMalware(entry)) {
    yield await exclusion(run, entry, { kind, code: 'graph.malware' });
    return;
  }
  const versions = Math.max(...context.selections.map(({ fileVersions }) => fileVersions ?? DEFAULT_VERSIONS));
  const draft = driveDraft({ graph, keys, entry, parentKey, kind, permissions, notProtected: reason, versions, previous });
  // What is stored of it already stays, and is all there is when its content has not changed since.
  const isStored = previous?.contentTag === draft.contentTag && !context.unread.has(key);
  if (isArchived(entry) && !isStored) yield await exclusion(run, entry, { kind, code: FILE_ARCHIVED });
  else yield { step: 'put', draft, previous };
}

async function* putEntries(run: DriveRun, entries: readonly DriveEntry[]): AsyncGenerator<Step, void, undefined> {
  const previous = await run.context.known.load(entries.map((entry) => run.keys.item(entry.id)));
  for await (const looked of mapConcurrent(entries, PERMISSIONS_AT_A_TIME, (entry) => look(run, entry))) {
    if ('failed' in looked) {
      yield looked.failed;
      continue;
    }
    const [entry, permissions] = looked;
    yield* putEntry(run, entry, permissions, previous.get(run.keys.item(entry.id)));
  }
}

/** Everything is named: what has waited for its place has it now. */
async function* endRound(run: DriveRun): AsyncGenerator<Step, void, undefined> {
  const { tree, waiting, keys } = run;
  tree.end();
  const late = [...waiting.values()];
  waiting.clear();
  if (late.length > 0) yield* putEntries(run, late);
  if (!(await tree.isLacking())) return;
  run.isReshaped = true;
  yield { step: 'cursor', scope: roundScope(keys), value: null };
}

async function* putPage(run: DriveRun, page: FollowedPage<DriveEntry>): AsyncGenerator<Step, void, undefined> {
  const { context, keys, removals, tree, waiting } = run;
  const present: DriveEntry[] = [];
  const entries = lastOfEach(page.entries);
  await tree.remember(entries.flatMap((entry) => (entry.kind === 'present' && kindOf(entry.item) !== 'file' ? [keys.item(entry.id)] : [])));
  for (const entry of entries) {
    const key = keys.item(entry.id);
    waiting.delete(entry.id);
    if (entry.kind === 'removed') {
      if ((await context.known.load([key])).has(key)) removals.add(key, null);
      else if (context.unread.has(key) || context.excluded.has(key)) yield { step: 'resolved', key };
      continue;
    }
    removals.found(key);
    tree.note(key, nodeOf(run, entry.item));
    present.push(entry.item);
  }
  yield* putEntries(run, present);
  if (page.last) yield* endRound(run);
  if (waiting.size > 0) return;
  yield* removals.remember();
  if (!run.isReshaped) yield* page.afterwards;
}

async function* knownOfDrive(run: DriveRun): AsyncGenerator<ItemVersion, void, undefined> {
  const prefix = `${run.keys.driveId}:`;
  for await (const item of run.context.known.items({ kinds: ['file', 'folder', 'package', 'shortcut'] })) {
    if (item.key.startsWith(prefix)) yield item;
  }
}

async function hasKnown(run: DriveRun): Promise<boolean> {
  for await (const item of knownOfDrive(run)) return item !== undefined;
  return false;
}

async function* followDrive(run: DriveRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, keys, removals, tree, isAnew } = run;
  const open = (cursor: DeltaCursor | undefined) => graph.drives.delta({ driveId: keys.driveId }, cursor);
  let seen = new Set<string>();
  tree.begin(isAnew || context.cursor(roundScope(keys)) === undefined);
  for await (const page of followDelta(context, { scope: roundScope(keys), open, hasKnown: () => hasKnown(run), isAnew })) {
    if (page === 'restarted') {
      seen = new Set();
      run.waiting.clear();
      tree.begin(true);
      continue;
    }
    if (page.isComparison) for (const entry of page.entries) if (entry.kind === 'present') seen.add(keys.item(entry.id));
    if (page.isComparison && page.last) {
      for await (const item of knownOfDrive(run)) if (!seen.has(item.key)) removals.add(item.key, null);
    }
    yield* putPage(run, page);
  }
}

/** Whether what is stored was chosen otherwise than now. What earlier versions of the engine have left behind says so itself. */
async function isChosenAnew(run: DriveRun, chosen: string | undefined): Promise<boolean> {
  const { context, keys } = run;
  const choice = choiceOf(run);
  if (chosen !== undefined || choice !== undefined) return chosen !== choice;
  for await (const { key } of context.known.items({ notProtected: true })) if (key.startsWith(`${keys.driveId}:`)) return true;
  return false;
}

/**
 * One round, and a second one that reads and compares all when the first has found a container that came under another
 * choice. What changes so during the second too is for the next run.
 */
async function* followChoice(run: DriveRun): AsyncGenerator<Step, void, undefined> {
  const { context, keys } = run;
  const scope = `drive-choice:${keys.driveId}`;
  run.isAnew = await isChosenAnew(run, context.cursor(scope));
  if (run.isAnew) {
    yield { step: 'cursor', scope: roundScope(keys), value: null };
    yield { step: 'cursor', scope, value: choiceOf(run) ?? null };
  }
  yield* followDrive(run);
  if (!run.isReshaped) return;
  run.isAnew = true;
  run.isReshaped = false;
  run.waiting.clear();
  yield* followDrive(run);
}

/** Notebooks whose sections the service does not list can't be protected: said once, by name. */
async function* excludeEmptyPackages(run: DriveRun): AsyncGenerator<Step, void, undefined> {
  const { context } = run;
  for await (const item of context.known.items({ kinds: ['package'] })) {
    if (!item.key.startsWith(`${run.keys.driveId}:`) || context.excluded.has(item.key) || item.properties['notProtected']) continue;
    let hasSections = false;
    for await (const section of context.known.items({ parentKey: item.key })) {
      hasSections = section !== undefined;
      break;
    }
    if (hasSections) continue;
    const path = await pathOf(context.known, item.parentKey, item.name);
    yield {
      step: 'exclude',
      exclusion: { key: item.key, kind: 'package', path, code: 'engine.notebook-not-listed', advice: 'notPossible' },
    };
  }
}

async function* putAgain(run: DriveRun, { key }: { readonly key: string }): AsyncGenerator<Step, void, undefined> {
  yield* putEntries(run, [await run.graph.drives.item({ driveId: run.keys.driveId, itemId: driveItemId(key) })]);
}

/** A drive and where it stands. */
export interface DrivePlace {
  readonly driveId: string;
  readonly name: string;
  /** The site that has it; null when it is the resource itself. */
  readonly parentKey: string | null;
  /** Only these folders, with the key of what each belongs to: then there is no library. */
  readonly folders?: ReadonlyMap<string, string>;
}

async function* putLibrary(
  context: EnumerateContext,
  { driveId, name, parentKey }: DrivePlace,
  rootId: string,
): AsyncGenerator<Step, void, undefined> {
  const { library: key } = driveKeys(driveId);
  const draft = { key, kind: 'library', parentKey, name, contentTag: '', properties: { rootId } } as const;
  yield { step: 'put', draft, previous: (await context.known.load([key])).get(key) };
}

/** One drive: a OneDrive or a library, or some folders of one. */
export async function* enumerateDrive(
  context: EnumerateContext,
  graph: GraphClient,
  place: DrivePlace,
): AsyncGenerator<Step, void, undefined> {
  const { folders } = place;
  const keys = driveKeys(place.driveId);
  const revisits = createRevisits(context);
  const rootScope = `drive-root:${place.driveId}`;
  const rootId = context.cursor(rootScope) ?? (await graph.drives.root({ driveId: place.driveId })).id;
  if (context.cursor(rootScope) === undefined) yield { step: 'cursor', scope: rootScope, value: rootId };
  if (!folders) yield* putLibrary(context, place, rootId);
  const tree = folders ? createFoldersTree(context, keys, folders) : createDriveTree(context, keys);
  const removals = createRemovals(context, `drive-removals:${place.driveId}`);
  const run: DriveRun = { context, graph, keys, rootId, tree, folders, removals, waiting: new Map(), isAnew: false, isReshaped: false };
  const archived = createArchivedFiles(context, graph, place.driveId);
  yield* archived.noting(revisits.noting(followChoice(run)));
  yield* removals.settle();
  yield* excludeEmptyPackages(run);
  const rest = revisits.rest(
    ({ key }) => key.startsWith(`${place.driveId}:`),
    (unread) => putAgain(run, unread),
  );
  yield* archived.noting(rest);
  yield* archived.rest((entry) => putEntries(run, [entry]));
}
