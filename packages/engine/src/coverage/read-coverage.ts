import { decodeCursorState } from '../pipeline/cursor-state.ts';
import { GONE_ITEM } from '../pipeline/gone.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemKind, ItemVersion, Resource, ResourceKind } from '../ports/item.ts';
import { oncePerKey } from '../pipeline/once-per-key.ts';

/** One thing of a resource that is not protected, and why. */
export interface CoverageLine {
  readonly code: string;
  readonly path: string;
  readonly kind: ItemKind;
}

/** Lasting gaps: no call gives these features, or the engine does not read them yet. By kind of resource; of a team also its site beside the files of its channels. */
export const unreadableFeatures: Readonly<Record<ResourceKind, readonly string[]>> = {
  mailbox: ['coverage.in-place-archive', 'coverage.search-folders'],
  drive: ['coverage.labels'],
  site: [
    'coverage.list-attachments',
    'coverage.list-views',
    'coverage.navigation-and-themes',
    'coverage.library-column-values',
    'coverage.labels',
  ],
  team: ['coverage.team-apps-data', 'coverage.meeting-recordings', 'coverage.team-site'],
  chat: ['coverage.meeting-recordings'],
  archive: [],
  journal: [],
};

const MAX_DEPTH = 200;

async function pathOf(
  item: Pick<ItemVersion, 'name' | 'parentKey'>,
  lookUp: (key: string) => Promise<ItemVersion | undefined>,
): Promise<string> {
  const names = [item.name];
  for (let next = item.parentKey; next !== null && names.length < MAX_DEPTH;) {
    const parent = await lookUp(next);
    // The name of an area is a code that people never type.
    if (!parent || parent.kind === 'area') break;
    names.unshift(parent.name);
    next = parent.parentKey;
  }
  return names.join('/');
}

const codeOf = (reason: string): string => `coverage.${reason.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * What of a resource is lastingly not protected, and why, as its newest segment says: items that can't be read, and
 * folders that the selection leaves out, each without what lies below it. What only failed is in the error list of its run.
 */
export async function* readCoverage(catalog: Catalog, resource: Pick<Resource, 'id'>): AsyncGenerator<CoverageLine, void, undefined> {
  const head = await catalog.head(resource.id);
  const { excluded, unread } = decodeCursorState(head?.cursor ?? null);
  for (const { code, kind, path } of excluded.values()) yield { code, kind, path };
  const items = oncePerKey(async (key) => (await catalog.lookup(resource.id, [key])).get(key));
  for (const missed of unread.values()) {
    if (missed.code === GONE_ITEM) yield { code: GONE_ITEM, kind: missed.kind, path: await pathOf(missed, items.of) };
  }
  const leftOut = new Map<string, ItemVersion>();
  for await (const item of catalog.items(resource.id, undefined, { notProtected: true })) leftOut.set(item.key, item);
  for (const item of leftOut.values()) {
    const reason = item.properties['notProtected'];
    if (typeof reason !== 'string' || (item.parentKey !== null && leftOut.has(item.parentKey))) continue;
    yield { code: codeOf(reason), kind: item.kind, path: await pathOf(item, items.of) };
  }
}
