import type { Delta, DeltaCursor } from '@holdfast/m365';
import type { Draft, Step } from '../pipeline/step.ts';
import type { EnumerateContext } from '../pipeline/workload.ts';
import type { ItemKind, ItemVersion } from '../ports/item.ts';
import { followDelta, lastOfEach, type FollowedPage } from './follow-delta.ts';
import type { Removals } from './removals.ts';

export interface DeltaCollection<T> {
  readonly scope: string;
  /** The container whose items this delta names. */
  readonly parentKey: string;
  readonly kind: ItemKind;
  readonly removals: Removals;
  readonly open: (cursor: DeltaCursor | undefined) => Delta<T>;
  /** The key of an entry by the service's id; default the id itself. */
  readonly keyOf?: (id: string) => string;
  readonly draft: (item: T, previous: ItemVersion | undefined) => Draft | undefined;
}

async function* putPage<T>(context: EnumerateContext, collection: DeltaCollection<T>, page: FollowedPage<T>) {
  const { removals, parentKey, draft, keyOf = (id: string) => id } = collection;
  const entries = lastOfEach(page.entries);
  const previous = await context.known.load(entries.map((entry) => keyOf(entry.id)));
  for (const entry of entries) {
    const key = keyOf(entry.id);
    const known = previous.get(key);
    if (entry.kind === 'present') {
      removals.found(key);
      const one = draft(entry.item, known);
      if (one) yield { step: 'put', draft: one, previous: known } as const;
    } else if (known?.parentKey === parentKey) {
      removals.add(key, parentKey);
    } else if (!known && context.unread.has(key)) {
      yield { step: 'resolved', key } as const;
    }
  }
  yield* removals.remember();
  yield* page.afterwards;
}

/** One delta round over the items of one container. What it lost goes to `removals`, which the caller settles. */
export async function* followCollection<T>(
  context: EnumerateContext,
  collection: DeltaCollection<T>,
): AsyncGenerator<Step, void, undefined> {
  const { removals, parentKey, kind, scope, open, keyOf = (id: string) => id } = collection;

  async function hasKnown(): Promise<boolean> {
    for await (const item of context.known.items({ parentKey, kinds: [kind] })) return item !== undefined;
    return false;
  }

  let seen = new Set<string>();
  for await (const page of followDelta(context, { scope, open, hasKnown })) {
    if (page === 'restarted') {
      seen = new Set();
      continue;
    }
    if (page.isComparison) for (const entry of page.entries) seen.add(keyOf(entry.id));
    if (page.isComparison && page.last) {
      for await (const item of context.known.items({ parentKey, kinds: [kind] })) {
        if (!seen.has(item.key)) removals.add(item.key, parentKey);
      }
    }
    yield* putPage(context, collection, page);
  }
}
