import type { VaultWriter } from '@holdfast/vault';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemVersion } from '../ports/item.ts';
import { canonicalJson } from '../shared/canonical.ts';
import { classifyFailure, type FailureClass } from './failure.ts';
import { withGoneParts, type GonePart, type MissedSince } from './gone.ts';
import type { Overlay } from './known-items.ts';
import type { ContentSink, Defect, Draft, Step } from './step.ts';

/** What became of one put: the version to commit, nothing to do, or why it could not be read. */
export type PutResult =
  | {
      readonly kind: 'changed';
      readonly item: ItemVersion;
      readonly previous: ItemVersion | undefined;
      readonly defects: readonly Defect[];
    }
  | { readonly kind: 'unchanged'; readonly item: ItemVersion; readonly defects: readonly Defect[] }
  /** Erased before: it is left out, whichever way the source lists it again. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'problem'; readonly previous: ItemVersion | undefined; readonly failure: FailureClass };

export type PutStep = Extract<Step, { step: 'put' }>;

/** A sink over the vault's writer. */
export function createSink(writer: VaultWriter, signal: AbortSignal): ContentSink {
  return {
    async store(role, bytes, { kind, label, mediaType }) {
      const ref = await writer.put(bytes, { kind, signal });
      return { role, ref, ...(label === undefined ? {} : { label }), ...(mediaType === undefined ? {} : { mediaType }) };
    },
  };
}

const COMPARED = ['parentKey', 'name', 'contentTag', 'createdAt', 'modifiedAt', 'sizeBytes'] as const;

function isSame(a: ItemVersion, b: ItemVersion): boolean {
  if (a.contents.length !== b.contents.length || COMPARED.some((name) => a[name] !== b[name])) return false;
  const isEqual = a.contents.every((content, index) => {
    const other = b.contents[index];
    return other?.ref.sha256 === content.ref.sha256 && other.role === content.role && other.label === content.label;
  });
  return isEqual && canonicalJson(a.properties) === canonicalJson(b.properties);
}

function versionOf(draft: Draft, rest: Pick<ItemVersion, 'name' | 'contents' | 'properties' | 'sizeBytes'>): ItemVersion {
  const { key, kind, parentKey, createdAt, modifiedAt, contentTag } = draft;
  return {
    key,
    kind,
    parentKey,
    contentTag,
    ...rest,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
  };
}

/** Properties that only a reading tells are kept apart, so that an enumeration without reading does not lose them. */
const READ_PROPERTIES = 'read';

function withoutReading(draft: Draft, previous: ItemVersion): ItemVersion {
  const read = previous.properties[READ_PROPERTIES];
  const properties = read === undefined ? draft.properties : { ...draft.properties, [READ_PROPERTIES]: read };
  const name = draft.name ?? previous.name;
  return versionOf(draft, { name, contents: previous.contents, properties, sizeBytes: draft.sizeBytes ?? previous.sizeBytes });
}

interface ReadVersion {
  readonly item: ItemVersion;
  readonly defects: readonly Defect[];
}

/** What was missed for long enough is noted on the item; what is still looked for knows since when. */
function judge(defects: readonly Defect[], missedSince: (part: string) => ReturnType<MissedSince>) {
  const gone: GonePart[] = [];
  const open: Defect[] = [];
  for (const defect of defects) {
    const { part } = defect;
    const missed = part === undefined ? undefined : missedSince(part);
    if (part !== undefined && missed?.isForGood) gone.push({ part, since: missed.since });
    else open.push(missed ? { ...defect, since: missed.since } : defect);
  }
  return { gone, open };
}

async function read(draft: Draft, sink: ContentSink, missedSince: (part: string) => ReturnType<MissedSince>): Promise<ReadVersion> {
  if (!draft.read) {
    const plain = { name: draft.name ?? '', contents: [], properties: draft.properties, sizeBytes: draft.sizeBytes ?? 0 };
    return { item: versionOf(draft, plain), defects: [] };
  }
  const { contents, properties, defects = [], sizeBytes, name = draft.name ?? '' } = await draft.read(sink);
  const { gone, open } = judge(defects, missedSince);
  const told = withGoneParts(properties, gone);
  const size = sizeBytes ?? draft.sizeBytes ?? contents.reduce((sum, content) => sum + content.ref.sizeBytes, 0);
  const merged = told === undefined ? draft.properties : { ...draft.properties, [READ_PROPERTIES]: told };
  return { item: versionOf(draft, { name, contents, properties: merged, sizeBytes: size }), defects: open };
}

/** The provisional version that a workload sees of an item while it is being read. */
export function provisional(step: PutStep): ItemVersion {
  const { draft, previous } = step;
  return versionOf(draft, {
    name: draft.name ?? previous?.name ?? '',
    contents: [],
    properties: draft.properties,
    sizeBytes: draft.sizeBytes ?? previous?.sizeBytes ?? 0,
  });
}

/**
 * Puts items one after another per key, several keys at a time: reads what is new or changed,
 * reuses what is stored. Failures of one item are values; what ends the run is thrown.
 */
export function createReading(options: {
  readonly resourceId: string;
  readonly catalog: Catalog;
  readonly known: Overlay;
  readonly sink: ContentSink;
  readonly signal: AbortSignal;
  /** Items that are not stored whole: read whatever their tag says. */
  readonly unread: ReadonlyMap<string, unknown>;
  readonly missedSince: MissedSince;
}) {
  const { resourceId, catalog, known, sink, signal, missedSince } = options;
  const inFlight = new Map<string, Promise<PutResult>>();
  const provisionals = new WeakSet<ItemVersion>();
  /** What this run has read in part only: named again before its place in the error list is taken over, it is read again. */
  const partial = new Set<string>();

  function outcome(result: PutResult): ItemVersion | undefined {
    if (result.kind === 'erased') return undefined;
    return result.kind === 'problem' ? result.previous : result.item;
  }

  async function previousOf(step: PutStep, earlier: Promise<PutResult> | undefined, settled: ItemVersion | null | undefined) {
    if (earlier) return outcome(await earlier);
    if (settled !== undefined && settled !== null && !provisionals.has(settled)) return settled;
    if (settled === null) return undefined;
    if (!step.previous || !provisionals.has(step.previous)) return step.previous;
    return (await catalog.lookup(resourceId, [step.draft.key])).get(step.draft.key);
  }

  async function run(step: PutStep, previous: ItemVersion | undefined): Promise<PutResult> {
    const { draft } = step;
    try {
      signal.throwIfAborted();
      const isWhole = !options.unread.has(draft.key) && !partial.has(draft.key);
      // What has nothing to be read (a message that was deleted) keeps what is stored of it, whole or not.
      const isStored = previous?.contentTag === draft.contentTag && (isWhole || !draft.read);
      const { item, defects } =
        isStored && previous
          ? { item: withoutReading(draft, previous), defects: [] }
          : await read(draft, sink, (part) => missedSince(draft.key, part, previous));
      if (defects.length > 0) partial.add(draft.key);
      else partial.delete(draft.key);
      if (previous && isSame(previous, item)) return { kind: 'unchanged', item: previous, defects };
      return { kind: 'changed', item, previous, defects };
    } catch (error) {
      const failure = classifyFailure(error, signal);
      if (failure.effect === 'abort') throw error;
      return { kind: 'problem', previous, failure };
    }
  }

  /** What was erased is new to the catalog: it is not even read. */
  async function runUnlessErased(step: PutStep, previous: ItemVersion | undefined): Promise<PutResult> {
    if (!previous && (await known.isErased(step.draft.key))) return { kind: 'erased' };
    return run(step, previous);
  }

  return {
    /** Starts one put; the returned promise is this key's turn. */
    start(step: PutStep): Promise<PutResult> {
      const { key } = step.draft;
      const earlier = inFlight.get(key);
      const settled = known.get(key);
      const result = previousOf(step, earlier, settled).then((previous) => runUnlessErased(step, previous));
      inFlight.set(key, result);
      const shown = provisional(step);
      provisionals.add(shown);
      known.set(shown);
      return result;
    },
    /** The result has been taken over in order: what waits for the commit, else the catalog, is what is known. */
    settle(key: string, promise: Promise<PutResult>, pending: ItemVersion | null | undefined): void {
      if (inFlight.get(key) !== promise) return;
      inFlight.delete(key);
      if (pending) known.set(pending);
      else if (pending === null) known.remove(key);
      else known.forget(key);
    },
    get inFlight(): ReadonlyMap<string, unknown> {
      return inFlight;
    },
  };
}

export type Reading = ReturnType<typeof createReading>;
