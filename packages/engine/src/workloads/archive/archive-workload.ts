import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Selections } from '../../ports/run.ts';
import { tagOf } from '../../shared/canonical.ts';
import { decodeCursorState } from '../../pipeline/cursor-state.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { folderExclusion, type FolderNode } from '../exchange/folder-selection.ts';
import type { ArchiveSource, CapturePlace, StoredMessage } from './archive-source.ts';
import { archivedDraft, placementOf, withPlacement } from './archived-message.ts';

/** A message of which a backup has parts alone: without its exact bytes it has no name in an archive. */
const NO_ORIGINAL = 'archive.no-original';
const MAX_DEPTH = 200;

function pathOf(folderId: string | null, folders: ReadonlyMap<string, FolderNode>): string {
  const names: string[] = [];
  for (let next = folderId; next !== null && names.length < MAX_DEPTH;) {
    const folder = folders.get(next);
    if (!folder) break;
    names.unshift(folder.name);
    next = folder.parentId;
  }
  return names.join('/');
}

/** Where a capture by this selection resumes: a changed selection looks at everything again. */
function scopeOf(source: Pick<ArchiveSource, 'id'>, selections: Selections): string {
  return `backup:${source.id}:${tagOf(selections as unknown as Json)}`;
}

function placeOf(source: Pick<ArchiveSource, 'headSequence'>, cursor: string | undefined): CapturePlace | undefined {
  if (cursor === undefined) return undefined;
  const place = JSON.parse(cursor) as CapturePlace;
  // A catalog that was rebuilt from a shorter journal counts from its own beginning.
  return place.sequence > source.headSequence ? undefined : place;
}

/** Whether an archive has ever taken in any backup by a selection, as the cursor of its last segment says. */
export function hasCaptured(cursor: string | null, selections: Selections): boolean {
  const ending = scopeOf({ id: '' }, selections).slice('backup:'.length);
  return [...decodeCursorState(cursor).scopes.keys()].some((scope) => scope.startsWith('backup:') && scope.endsWith(ending));
}

/** Up to where an archive has taken in a backup by a selection, as the cursor of its last segment says; undefined for nothing. */
export function capturedUpTo(
  cursor: string | null,
  source: Pick<ArchiveSource, 'id' | 'headSequence'>,
  selections: Selections,
): CapturePlace | undefined {
  return placeOf(source, decodeCursorState(cursor).scopes.get(scopeOf(source, selections)));
}

interface Capture {
  readonly context: EnumerateContext;
  readonly source: ArchiveSource;
  readonly folders: ReadonlyMap<string, FolderNode>;
  readonly isExcluded: (folderId: string | null) => boolean;
}

/** Which folders no selection takes into an archive. */
export function archiveExclusion(selections: Selections, folders: ReadonlyMap<string, FolderNode>): Capture['isExcluded'] {
  const decided = new Map<string, boolean>();
  return (folderId) => {
    const folder = folderId === null ? undefined : folders.get(folderId);
    // A message outside every folder is taken by whoever names no folders.
    if (!folder) return selections.every(({ include }) => include !== undefined && include.length > 0);
    const known = decided.get(folder.id);
    if (known !== undefined) return known;
    const isExcluded = folderExclusion(folder, folders, selections) !== undefined;
    decided.set(folder.id, isExcluded);
    return isExcluded;
  };
}

const mimeOf = ({ contents }: ItemVersion) => contents.find(({ role }) => role === 'mime');

/** Messages without their bytes are in the error list under the name that their backup has for them. */
const unreadKey = (source: ArchiveSource, { key }: Pick<ItemVersion, 'key'>): string => `${source.id}/${key}`;

function failed({ source, folders }: Capture, message: ItemVersion): Step {
  const path = [pathOf(message.parentKey, folders), message.name].filter((part) => part !== '').join('/');
  const failure = { key: unreadKey(source, message), kind: 'message', parentKey: null, name: path, code: NO_ORIGINAL, tried: [] } as const;
  return { step: 'failed', failure: { ...failure, advice: 'checkSource' } };
}

/** The archived copy of a content. After a put in this page its current places are in `known` alone. */
function createKnown({ known }: EnumerateContext, loaded: ReadonlyMap<string, ItemVersion>) {
  const changed = new Set<string>();
  return {
    put: (key: string) => void changed.add(key),
    of: async (key: string) => (changed.has(key) ? await known.load([key]) : loaded).get(key),
  };
}

/** The steps of some messages. One content may be among them more than once. */
async function* capture(capturing: Capture, page: readonly StoredMessage[]): AsyncGenerator<Step, void, undefined> {
  const { context, source, folders } = capturing;
  const taken = page.map(({ message }) => message).filter(({ parentKey }) => !capturing.isExcluded(parentKey));
  const contents = new Set(taken.flatMap((message) => mimeOf(message)?.ref.sha256 ?? []));
  const known = createKnown(context, await context.known.load([...contents]));
  const erased = await context.known.erased([...contents]);
  for (const message of taken) {
    const mime = mimeOf(message);
    if (!mime) {
      yield failed(capturing, message);
      continue;
    }
    if (context.unread.has(unreadKey(source, message))) yield { step: 'resolved', key: unreadKey(source, message) };
    if (erased.has(mime.ref.sha256)) {
      yield { step: 'erasedBefore', key: mime.ref.sha256 };
      continue;
    }
    const previous = await known.of(mime.ref.sha256);
    const placement = placementOf(message, pathOf(message.parentKey, folders), now(context.clock).toISOString());
    const placements = withPlacement(previous, placement);
    if (placements === undefined) continue;
    known.put(mime.ref.sha256);
    yield { step: 'put', draft: archivedDraft(previous ?? message, { mime, placements, source, signal: context.signal }), previous };
  }
}

async function* captureFrom(context: EnumerateContext, source: ArchiveSource): AsyncGenerator<Step, void, undefined> {
  const scope = scopeOf(source, context.selections);
  const folders = await source.folders();
  const capturing = { context, source, folders, isExcluded: archiveExclusion(context.selections, folders) };
  for await (const page of source.missed()) {
    context.signal.throwIfAborted();
    yield* capture(capturing, page);
  }
  for await (const page of source.messages(placeOf(source, context.cursor(scope)))) {
    context.signal.throwIfAborted();
    yield* capture(capturing, page);
    const last = page.at(-1);
    if (!last) return;
    const place: CapturePlace = { sequence: last.sequence, key: last.message.key };
    yield { step: 'cursor', scope, value: JSON.stringify(place) };
  }
}

/**
 * The archive of a mailbox, filled from what backups stored of it. Nothing here removes: a message that was deleted,
 * moved or changed at its source stays, other content is another message and another place another placement. Without a
 * backup the run ends with `whyNone`: what its backups said of the mailbox, where they know.
 */
export function archiveWorkload(sources: readonly ArchiveSource[], whyNone = 'archive.not-backed-up'): Workload {
  return {
    roles: [],
    async *enumerate(context) {
      if (sources.length === 0) throw new AppError(whyNone);
      for (const source of sources) yield* captureFrom(context, source);
    },
  };
}
