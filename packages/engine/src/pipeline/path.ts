import type { KnownItems } from './known-items.ts';

const MAX_DEPTH = 200;

/** The readable place of an item: the names of its containers and its own, joined by `/`. */
export async function pathOf(known: KnownItems, parentKey: string | null, name: string): Promise<string> {
  const names = [name];
  let next = parentKey;
  for (let depth = 0; next !== null && depth < MAX_DEPTH; depth += 1) {
    const parent: { readonly name: string; readonly parentKey: string | null } | undefined = (await known.load([next])).get(next);
    if (!parent) break;
    names.unshift(parent.name);
    next = parent.parentKey;
  }
  return names.join('/');
}
