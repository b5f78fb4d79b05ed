import { graphOutcome, isGraphError, type Listing } from '@holdfast/m365';
import { adviceFor } from '../pipeline/failure.ts';
import type { Draft, Failure, Step } from '../pipeline/step.ts';
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
  /** Asks for what the listing does not say of an entry. */
  readonly describe?: (entry: T) => Promise<T>;
}

/** Something that is read by itself: when that fails it is named under `key`, and everything else goes on. */
export type Part = Pick<Failure, 'key' | 'kind' | 'parentKey' | 'name'>;

/**
 * The failure of one part, a missing role and a refusal too. One that was there a moment ago and is said to be gone counts
 * as not read: if it is gone, the next run knows. Throws what is of the whole resource or tenant.
 */
export function partFailed(part: Part, error: unknown): Step {
  const outcome = graphOutcome(error);
  const isOfThisPart =
    outcome === 'record' ||
    outcome === 'retry' ||
    outcome === 'gone' ||
    isGraphError(error, 'graph.permission-missing', 'graph.access-denied', 'graph.endless-pages', 'graph.foreign-host');
  if (!isOfThisPart || !isGraphError(error)) throw error;
  const { code } = error;
  return { step: 'failed', failure: { ...part, code, tried: ['list'], advice: adviceFor(code) } };
}

/** The key under which it is named that something could not be described. */
const undescribed = (key: string): string => `unread:${key}`;

/**
 * Asks for what a list does not say of something. When that fails it is named, and stays as it is known (undefined); what
 * is new is taken as it was listed.
 */
export async function* describeListed(
  context: EnumerateContext,
  listed: Draft,
  describe: () => Promise<Draft | undefined>,
): AsyncGenerator<Step, Draft | undefined, undefined> {
  const { kind, parentKey, name } = listed;
  const key = undescribed(listed.key);
  try {
    const whole = await describe();
    if (context.unread.has(key)) yield { step: 'resolved', key };
    return whole;
  } catch (error) {
    yield partFailed({ key, kind, parentKey, name: name ?? '' }, error);
    return (await context.known.load([listed.key])).has(listed.key) ? undefined : listed;
  }
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
  const { parentKey, kind, listing, draft, describe } = options;
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
    const whole = describe ? yield* describeListed(context, one, async () => draft(await describe(entry))) : one;
    if (whole) batch.push(whole);
    if (batch.length >= BATCH) yield* flush();
  }
  yield* flush();
  const lost: string[] = [];
  for await (const item of context.known.items({ parentKey, kinds: [kind] })) if (!seen.has(item.key)) lost.push(item.key);
  for (const key of lost) {
    yield* removeWithContents(context, key);
    if (context.unread.has(undescribed(key))) yield { step: 'resolved', key: undescribed(key) };
  }
}

/** Runs one part of an enumeration; a failure of this part alone is recorded, and the others go on. Answers whether it was whole. */
export async function* guardPart(part: Part, steps: () => AsyncIterable<Step>): AsyncGenerator<Step, boolean, undefined> {
  try {
    yield* steps();
    yield { step: 'resolved', key: part.key };
    return true;
  } catch (error) {
    yield partFailed(part, error);
    return false;
  }
}
