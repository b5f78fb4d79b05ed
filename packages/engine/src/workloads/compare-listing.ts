import { graphOutcome, isGraphError, type Listing } from '@holdfast/m365';
import { adviceFor } from '../pipeline/failure.ts';
import type { Draft, Step } from '../pipeline/step.ts';
import type { EnumerateContext } from '../pipeline/workload.ts';
import type { ItemKind, Json, JsonObject } from '../ports/item.ts';

const BATCH = 200;

/** The properties that are there; what the service leaves out or null is left out. */
export function jsonProperties(values: Readonly<Record<string, unknown>>): JsonObject {
  const out: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && !name.startsWith('@odata')) out[name] = value as Json;
  }
  return out;
}

/** A copy without these properties. */
export function without<T extends object>(value: T, ...names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** What an item says as JSON, whichever call has named it: without what only the answer says of itself. */
export function exported(item: object): Buffer {
  return Buffer.from(JSON.stringify(without(item, '@odata.context', '@odata.type')));
}

export interface CompareOptions<T> {
  readonly parentKey: string | null;
  readonly kind: ItemKind;
  readonly listing: Listing<T>;
  readonly draft: (entry: T) => Draft | undefined;
}

/** Removes an item and everything in it. */
export async function* removeWithContents(context: EnumerateContext, key: string): AsyncGenerator<Step, void, undefined> {
  const below: string[] = [];
  for await (const inner of context.known.descendants(key)) below.push(inner);
  for (const inner of below.reverse()) yield { step: 'remove', key: inner };
  yield { step: 'remove', key };
}

/**
 * For collections without change tracking: lists all, puts each (what is unchanged costs nothing
 * more), and removes what is known but was not listed. A listing that fails removes nothing.
 */
export async function* compareListing<T>(context: EnumerateContext, options: CompareOptions<T>): AsyncGenerator<Step, void, undefined> {
  const { parentKey, kind, listing, draft } = options;
  const seen = new Set<string>();
  let batch: Draft[] = [];

  async function* flush(): AsyncGenerator<Step, void, undefined> {
    const drafts = batch;
    batch = [];
    const previous = await context.known.load(drafts.map((one) => one.key));
    for (const one of drafts) yield { step: 'put', draft: one, previous: previous.get(one.key) };
  }

  for await (const entry of listing) {
    context.signal.throwIfAborted();
    const one = draft(entry);
    if (!one) continue;
    seen.add(one.key);
    batch.push(one);
    if (batch.length >= BATCH) yield* flush();
  }
  yield* flush();
  const lost: string[] = [];
  for await (const item of context.known.items({ parentKey, kinds: [kind] })) if (!seen.has(item.key)) lost.push(item.key);
  for (const key of lost) yield* removeWithContents(context, key);
}

/**
 * Runs one part of an enumeration: a failure of this part alone, a missing role too, is recorded under `key`; the others
 * go on. A part that was there a moment ago and is said to be gone counts as not read: if it is gone, the next run knows.
 */
export async function* guardPart(
  part: { readonly key: string; readonly kind: ItemKind; readonly parentKey: string | null; readonly name: string },
  steps: () => AsyncIterable<Step>,
): AsyncGenerator<Step, void, undefined> {
  try {
    yield* steps();
    yield { step: 'resolved', key: part.key };
  } catch (error) {
    const outcome = graphOutcome(error);
    const isMissing = outcome === 'gone' || isGraphError(error, 'graph.permission-missing');
    const isOfThisPart = outcome === 'record' || outcome === 'retry' || isMissing;
    if (!isOfThisPart) throw error;
    const code = isGraphError(error) ? error.code : 'internal';
    yield { step: 'failed', failure: { ...part, code, tried: ['list'], advice: adviceFor(code) } };
  }
}
