import type { Listing } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { ItemKind, JsonObject } from '../../ports/item.ts';
import { compareListing, guardPart } from '../compare-listing.ts';
import { createRevisits, notListed, resolveLost } from '../revisit.ts';

/** Containers of an area, and the items of each: neither has change tracking, so both are listed and compared. */
export interface Containers<T> {
  readonly area: string;
  readonly kind: ItemKind;
  readonly itemKind: ItemKind;
  readonly listing: Listing<T>;
  /** Undefined for one that comes back by itself; without items when what it has is computed from elsewhere. */
  readonly draft: (entry: T) => { readonly name: string; readonly properties: JsonObject; readonly hasItems: boolean } | undefined;
  readonly items: (id: string) => AsyncIterable<Step>;
}

/** One container whose items can't be listed is named, and the others go on; what was missed before stays missed until it is listed. */
export async function* enumerateContainers<T extends { readonly id: string }>(
  context: EnumerateContext,
  { area, kind, itemKind, listing, draft, items }: Containers<T>,
): AsyncGenerator<Step, void, undefined> {
  const listed = new Map<string, string>();
  const revisits = createRevisits(context);
  yield* compareListing(context, {
    parentKey: area,
    kind,
    listing,
    draft: (entry) => {
      const described = draft(entry);
      if (!described) return undefined;
      const { name, properties, hasItems } = described;
      if (hasItems) listed.set(entry.id, name);
      return { key: entry.id, kind, parentKey: area, name, contentTag: '', properties };
    },
  });
  const unlisted = new Set<string | null>();
  const prefix = `unread:${area}:`;
  for (const [id, name] of listed) {
    const part = { key: `${prefix}${id}`, kind, parentKey: area, name };
    if (!(yield* guardPart(part, () => revisits.noting(items(id))))) unlisted.add(id);
  }
  yield* resolveLost(context, prefix, [...listed.keys()]);
  yield* revisits.rest((unread) => unread.kind === itemKind && !unlisted.has(unread.parentKey), notListed);
}
