import { nowIso, type Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import { createMimeParser } from '../mime/mime-parser.ts';
import type { Catalog } from '../ports/catalog.ts';
import { isContainer, type ItemKind, type ItemVersion, type Resource } from '../ports/item.ts';
import { silentProgress } from '../ports/progress.ts';
import { createRestore } from '../restore/create-restore.ts';
import { pointOf } from '../restore/point.ts';
import { isImportable } from '../restore/teams/conversation.ts';
import type { RestoreLine, RestoreSelection } from '../restore/request.ts';
import { walk } from '../restore/walk.ts';
import { driveItemId } from '../workloads/drives/drive-item.ts';
import { createCopyComparison } from './compare-copy.ts';
import { clearScratch, type Remainder } from './scratch.ts';
import { sha256Of } from './sha256-of.ts';

export type DrillErrorCode = 'drill.no-place-beside';

/** What a drill draws from. */
export interface DrillSource {
  readonly source: Resource;
  /** The restore point; the newest when absent. */
  readonly sequence?: number;
  /** What is put back and compared: by default anything of the point. */
  readonly selection?: RestoreSelection;
  /** The most items: of a larger selection a fair sample is taken. */
  readonly samples: number;
}

/** What was drawn, as plain data: kept before anything is put back, so that whoever takes a drill up knows what it has made. */
export interface DrillPlan {
  readonly sequence: number;
  readonly items: readonly string[];
  readonly kinds: readonly ItemKind[];
}

export interface DrillRequest extends DrillPlan {
  readonly runId: string;
  readonly source: Resource;
  /** Where samples are put: the staging twin, or the source itself (a scratch folder in it). */
  readonly target: Resource;
  /** A name that no other run has: what lies under it is this drill's own. */
  readonly folder: string;
}

export interface DrilledItem {
  readonly key: string;
  readonly kind: ItemKind;
  readonly path: string;
  /** Bytes that the vault has of it: what was read back and compared. */
  readonly bytes: number;
  /** The vault gave back every byte that it recorded. */
  readonly isReadable: boolean;
  /** The service still has the same content, and it is equal byte by byte; absent when it has none to compare with. */
  readonly isEqualToSource?: boolean;
  /** What came back at the target was read again and is the same, byte by byte where the service keeps bytes. */
  readonly isRestored: boolean;
  readonly differences: readonly string[];
  readonly code?: string;
}

/** Proof that a restore point really comes back. */
export interface DrillEvidence {
  readonly runId: string;
  readonly resourceId: string;
  readonly sequence: number;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly items: readonly DrilledItem[];
  readonly passed: boolean;
  /** What of its copies could not be taken away; everything else was. */
  readonly remains: readonly Remainder[];
}

export interface DrillOptions {
  readonly vault: Vault;
  readonly graph: GraphClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

const DONE: ReadonlySet<string> = new Set(['restored', 'renamed']);

/** What people said in a team is in the properties, with or without pictures beside it. */
const isSaid = ({ kind }: ItemVersion): boolean => kind === 'post' || kind === 'reply';

/** Bytes that the vault has of an item. */
function bytesOf(item: ItemVersion): number {
  const contents = item.contents.reduce((sum, content) => sum + content.ref.sizeBytes, 0);
  return isSaid(item) ? contents + Buffer.byteLength(JSON.stringify(item.properties['body'] ?? '')) : contents;
}

/** Whether there is something to put back and to compare. */
function canBeCompared(item: ItemVersion): boolean {
  if (isSaid(item)) return isImportable(item);
  return !isContainer(item.kind) && item.properties['isDraft'] !== true && item.contents.length > 0;
}

/** A fair sample of a stream of unknown length, in one pass (reservoir). */
async function sample(source: AsyncIterable<ItemVersion>, count: number, random: Random): Promise<ItemVersion[]> {
  const kept: ItemVersion[] = [];
  let seen = 0;
  for await (const item of source) {
    if (!canBeCompared(item)) continue;
    seen += 1;
    if (kept.length < count) kept.push(item);
    else {
      const place = random.below(seen);
      if (place < count) kept[place] = item;
    }
  }
  return kept;
}

/** The items that a drill may draw from. */
async function* selectedItems(catalog: Catalog, { source, selection = 'all' }: DrillSource, sequence: number): AsyncGenerator<ItemVersion> {
  if (selection === 'all') return yield* catalog.items(source.id, sequence);
  for await (const walked of walk({ catalog, resourceId: source.id, sequence, selection })) yield* walked.items();
}

/** Restores what was chosen beside what is there; answers the lines of its report by key. */
async function putBack(
  { vault, graph, catalog, clock, logger }: DrillOptions,
  { runId, source, target, folder, sequence, items: selection }: DrillRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RestoreLine>> {
  const lines = new Map<string, RestoreLine>();
  const report = {
    async begin() {},
    async uploading() {},
    async tell(some: readonly RestoreLine[]) {
      for (const line of some) lines.set(line.key, line);
    },
  };
  const restore = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock, logger });
  await restore.run({ runId, source, sequence, selection, target: { resource: target, folder }, collisions: 'keepBoth' }, signal);
  return lines;
}

/** The items that were drawn, as the point has them. */
async function drawnItems({ catalog }: DrillOptions, { source, sequence, items: keys }: DrillRequest): Promise<readonly ItemVersion[]> {
  return keys.length === 0 ? [] : Array.fromAsync(catalog.items(source.id, sequence, { keys }));
}

/** Draws a fair sample. Reads the catalog alone; `drill.no-place-beside` where nothing could be put back. */
export async function drawSamples(
  { catalog, random }: Pick<DrillOptions, 'catalog'> & { readonly random: Random },
  from: DrillSource,
): Promise<DrillPlan> {
  requirePlaceBeside(from.source);
  const { sequence } = await pointOf(catalog, from.source, from.sequence);
  const chosen = await sample(selectedItems(catalog, from, sequence), from.samples, random);
  return { sequence, items: chosen.map((item) => item.key), kinds: [...new Set(chosen.map((item) => item.kind))] };
}

/** A chat has no place beside it: copies would stand among what people say there. */
function requirePlaceBeside({ kind }: Resource): void {
  if (kind === 'chat') throw new AppError<DrillErrorCode>('drill.no-place-beside');
}

/** The vault gives back every byte that it recorded. */
async function isReadable(vault: Vault, item: ItemVersion): Promise<boolean> {
  const reader = vault.reader();
  for (const content of item.contents) if ((await sha256Of(reader.read(content.ref))) !== content.ref.sha256) return false;
  return true;
}

async function sourceHash(graph: GraphClient, item: ItemVersion, source: Resource): Promise<string | undefined> {
  try {
    if (item.kind === 'message') return await sha256Of(graph.exchange.mail.mime({ userId: source.graphId, messageId: item.key }).bytes);
    if (item.kind !== 'file') return undefined;
    const driveId = item.key.slice(0, item.key.lastIndexOf(':'));
    return await sha256Of(graph.drives.content({ driveId, itemId: driveItemId(item.key) }).bytes);
  } catch {
    return undefined;
  }
}

async function isEqualToSource(graph: GraphClient, item: ItemVersion, source: Resource): Promise<boolean | undefined> {
  const stored = item.contents.find((content) => content.role === 'mime' || content.role === 'file');
  const live = stored && (await sourceHash(graph, item, source));
  return stored && live !== undefined ? live === stored.ref.sha256 : undefined;
}

/** What items are judged by: what the restore has told of them, and how their copies are compared. */
interface Judging {
  readonly source: Resource;
  readonly lines: ReadonlyMap<string, RestoreLine>;
  readonly compare: ReturnType<typeof createCopyComparison>;
}

/** Restores random samples, reads them back and keeps what it saw as evidence. */
export function createDrill(options: DrillOptions) {
  const { vault, graph, clock } = options;

  /** What of the copy is not as the vault has it; what the service is known to write anew is left out. */
  async function copyDifferences(item: ItemVersion, { lines, compare }: Judging, line: RestoreLine): Promise<readonly string[]> {
    const { targetId, differences, outcome } = line;
    if (!DONE.has(outcome) || targetId === undefined || differences.includes('officeRewritten')) return [];
    return compare(item, line, (key) => lines.get(key));
  }

  async function judge(item: ItemVersion, judging: Judging): Promise<DrilledItem> {
    const line = judging.lines.get(item.key);
    const base = { key: item.key, kind: item.kind, path: line?.path ?? item.name, bytes: bytesOf(item) };
    try {
      if (!line)
        return { ...base, isReadable: await isReadable(vault, item), isRestored: false, differences: [], code: 'restore.not-tried' };
      const equal = await isEqualToSource(graph, item, judging.source);
      const wrong = await copyDifferences(item, judging, line);
      return {
        ...base,
        isReadable: await isReadable(vault, item),
        isRestored: DONE.has(line.outcome) && wrong.length === 0,
        differences: [...line.differences, ...wrong],
        ...(equal === undefined ? {} : { isEqualToSource: equal }),
        ...(line.code === undefined ? {} : { code: line.code }),
      };
    } catch (error) {
      return { ...base, isReadable: false, isRestored: false, differences: [], code: isAppError(error) ? error.code : 'internal' };
    }
  }

  async function judgeAll(request: DrillRequest, chosen: readonly ItemVersion[], signal: AbortSignal): Promise<readonly DrilledItem[]> {
    const lines = await putBack(options, request, signal);
    signal.throwIfAborted();
    const parser = createMimeParser(clock);
    try {
      const items: DrilledItem[] = [];
      const { source, target, folder } = request;
      const compare = createCopyComparison({ vault, graph, parser, target, folder });
      for (const item of chosen) items.push(await judge(item, { source, lines, compare }));
      return items;
    } finally {
      await parser.close();
    }
  }

  return Object.freeze({
    /**
     * Runs one drill. What it has put beside what is there is taken away when it has been compared, also when the drill is
     * stopped; after a kill who takes it up does so, by `clearScratch`. What was there before is not touched.
     */
    async run(request: DrillRequest, signal: AbortSignal): Promise<DrillEvidence> {
      requirePlaceBeside(request.target);
      const startedAt = nowIso(clock);
      const chosen = await drawnItems(options, request);
      const { runId, source, sequence } = request;
      let remains: readonly Remainder[] = [];
      let items: readonly DrilledItem[];
      try {
        items = await judgeAll(request, chosen, signal);
        await crashPoint('drill.compared');
      } finally {
        remains = await clearScratch(options, request);
      }
      const passed = items.every((item) => item.isReadable && item.isRestored);
      return { runId, resourceId: source.id, sequence, startedAt, finishedAt: nowIso(clock), items, passed, remains };
    },
  });
}

export type Drill = ReturnType<typeof createDrill>;
