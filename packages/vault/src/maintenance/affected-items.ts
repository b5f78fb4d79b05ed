import { isAppError } from '@holdfast/foundation/errors';
import type { ContentRef } from '../chunk/content-ref.ts';
import { openLines, readCopy } from '../journal/copies.ts';
import type { OpenedSegment } from '../journal/segment.ts';
import { unlessLost } from '../journal/chain.ts';
import { changeSource, type MaintenanceContext } from './context.ts';
import type { CheckedChain } from './journal-check.ts';
import { createKeepTest, itemVersions, readRetention, type ItemVersion } from './live-versions.ts';
import type { AffectedItem, Damage } from './maintenance.ts';
import type { ReadableParts } from './verify-points.ts';

const MOST_ITEMS = 100_000;
const VERSIONS_AT_ONCE = 500;

/** Ids of blobs that were found and need not be asked for again; more are forgotten. */
const KNOWN_BLOBS = 100_000;

/** What a look at the journal has found so far. */
export interface Affected {
  readonly items: AffectedItem[];
  count: number;
  readonly damages: Damage[];
  /** Items beyond this many are counted, not listed. */
  readonly most: number;
  readonly found: Set<string>;
}

export function createAffected(most = MOST_ITEMS): Affected {
  return { items: [], count: 0, damages: [], most, found: new Set() };
}

/** Blobs of a content that no readable pack has; lists of pieces that can't be read count themselves. */
export async function lostBlobs(context: MaintenanceContext, content: ContentRef): Promise<string[]> {
  const { index, reading } = context;
  if (content.depth === 0) {
    return index.lacking(content.pieces.map((piece) => piece[0]));
  }
  const lost: string[] = [];
  for (const piece of content.pieces) {
    try {
      const below: ContentRef['pieces'][number][] = [];
      for await (const one of reading.blobs.pieces({ depth: 1, pieces: [piece] })) below.push(one);
      lost.push(...(await lostBlobs(context, { ...content, depth: content.depth - 1, pieces: below })));
    } catch (error) {
      if (!isAppError(error, 'vault.damaged', 'vault.blob-missing', 'vault.object-missing')) throw error;
      lost.push(piece[0]);
    }
  }
  return lost;
}

/** Of the top-level blobs, those that are not in the index. Messages share many of theirs: what was found is not asked for again. */
async function missingOf(context: MaintenanceContext, versions: readonly ItemVersion[], found: Set<string>): Promise<Set<string>> {
  if (found.size > KNOWN_BLOBS) found.clear();
  const asked = new Set<string>();
  for (const { item } of versions) {
    for (const { pieces } of Object.values(item.content)) for (const [blobId] of pieces) if (!found.has(blobId)) asked.add(blobId);
  }
  const missing = new Set(asked.size === 0 ? [] : await context.index.lacking([...asked]));
  for (const blobId of asked) if (!missing.has(blobId)) found.add(blobId);
  return missing;
}

/** Of many versions those that need a closer look: a top-level blob is missing, or there are blobs below. The common case is neither. */
async function someLost(context: MaintenanceContext, versions: readonly ItemVersion[], found: Set<string>): Promise<ItemVersion[]> {
  const missing = await missingOf(context, versions, found);
  return versions.filter(({ item }) =>
    Object.values(item.content).some(
      ({ depth, pieces }) => depth > 0 || (missing.size > 0 && pieces.some((piece) => missing.has(piece[0]))),
    ),
  );
}

async function examine(context: MaintenanceContext, resourceId: string, versions: readonly ItemVersion[], out: Affected): Promise<void> {
  for (const { item, sequence } of await someLost(context, versions, out.found)) {
    const roles: string[] = [];
    for (const [role, content] of Object.entries(item.content)) {
      if ((await lostBlobs(context, content)).length > 0) roles.push(role);
    }
    if (roles.length === 0) continue;
    out.count += 1;
    if (out.items.length < out.most) out.items.push({ resourceId, itemId: item.itemId, name: item.name, sequence, roles });
  }
}

/** Whether the copy of a segment has the changes that the packs have lost. */
async function hasCopiedChanges({ store, keys }: MaintenanceContext, { name, body }: OpenedSegment): Promise<boolean> {
  const copy = await readCopy(store, keys, name);
  const lines = copy && (await unlessLost(async () => openLines(keys, name, copy.sealedLines, body.changes as ContentRef)));
  return lines !== undefined && 'value' in lines && lines.value !== undefined;
}

/** Which of a chain's lists of changes and full states can be read, and a damage for each segment that has some that can't. */
async function readableParts(
  context: MaintenanceContext,
  chain: CheckedChain,
  dropped: readonly number[],
  out: Affected,
): Promise<ReadableParts> {
  const parts = { changes: new Set<number>(), checkpoints: new Set<number>(), dropped: new Set(dropped) };
  for (const segment of chain.segments) {
    const { changes, checkpoint, sequence } = segment.body;
    const lostChanges = Array.isArray(changes) ? [] : await lostBlobs(context, changes as ContentRef);
    const lostState = checkpoint ? await lostBlobs(context, checkpoint.content) : [];
    const areChangesLost = lostChanges.length > 0 && !(await hasCopiedChanges(context, segment));
    if (!areChangesLost) parts.changes.add(sequence);
    if (checkpoint && lostState.length === 0) parts.checkpoints.add(sequence);
    const lost = [...lostChanges, ...lostState];
    if (lost.length === 0) continue;
    const problem = areChangesLost
      ? 'Packs that hold its changes are damaged.'
      : 'Packs that hold parts of it are damaged; its copy or older segments have them.';
    out.damages.push({ object: 'segment', name: segment.name, problem, resourceId: chain.resourceId, blobIds: lost });
  }
  return parts;
}

/**
 * Goes through every version of every item of a resource that retention keeps and notes which can't be read. Answers
 * what of the journal can be read; nothing of a resource that is being removed.
 */
export async function findAffected(context: MaintenanceContext, chain: CheckedChain, out: Affected): Promise<ReadableParts | undefined> {
  const { record, damaged } = await readRetention(context.store, context.keys, chain.resourceKey);
  const problem = 'It does not open; the next deletion writes it again.';
  for (const name of damaged) out.damages.push({ object: 'retention', name, problem, resourceId: chain.resourceId, blobIds: [] });
  if (record.isDropped) return undefined;
  const parts = await readableParts(context, chain, record.droppedPoints, out);
  const segments = chain.segments.filter(({ body }) => parts.changes.has(body.sequence));
  const keeps = createKeepTest(chain.segments, record);
  let group: ItemVersion[] = [];
  for await (const version of itemVersions(changeSource(context), segments)) {
    if (!keeps.byPoint(version) && !keeps.byHold(version)) continue;
    group.push(version);
    if (group.length < VERSIONS_AT_ONCE) continue;
    await examine(context, chain.resourceId, group, out);
    group = [];
  }
  await examine(context, chain.resourceId, group, out);
  return parts;
}
