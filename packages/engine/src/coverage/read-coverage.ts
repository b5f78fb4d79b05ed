import type { Vault } from '@holdfast/vault';
import { decodeCursorState } from '../pipeline/cursor-state.ts';
import { adviceFor } from '../pipeline/failure.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemKind, ItemVersion, Resource, ResourceKind } from '../ports/item.ts';
import type { Advice } from '../ports/problems.ts';

/** `excluded`: lastingly not protected. `unread`: not protected yet, tried again at each run. `feature`: Microsoft offers no way to read it. */
export type CoverageState = 'excluded' | 'unread' | 'selection' | 'feature';

/** One thing that is not protected, and why. */
export interface CoverageLine {
  readonly resourceId: string;
  readonly state: CoverageState;
  readonly code: string;
  readonly path: string;
  readonly kind: ItemKind | null;
  readonly advice: Advice;
}

/** What no call of the service gives, by kind of resource. */
const FEATURES: Readonly<Record<ResourceKind, readonly string[]>> = {
  mailbox: ['coverage.in-place-archive', 'coverage.search-folders'],
  drive: [],
  site: ['coverage.list-attachments', 'coverage.list-views', 'coverage.navigation-and-themes', 'coverage.library-column-values'],
  team: ['coverage.team-apps-data', 'coverage.meeting-recordings'],
  chat: ['coverage.meeting-recordings'],
};

function* featureLines(resource: Resource): Generator<CoverageLine> {
  for (const code of FEATURES[resource.kind]) {
    yield { resourceId: resource.id, state: 'feature', code, path: resource.name, kind: null, advice: 'notPossible' };
  }
}

async function pathIn(catalog: Catalog, resourceId: string, item: ItemVersion): Promise<string> {
  const names = [item.name];
  let next = item.parentKey;
  while (next !== null && names.length < 200) {
    const parent: ItemVersion | undefined = (await catalog.lookup(resourceId, [next])).get(next);
    if (!parent) break;
    names.unshift(parent.name);
    next = parent.parentKey;
  }
  return names.join('/');
}

/**
 * What of a resource is not protected, and why: from the last committed segment (exclusions, what
 * could not be read), from the folders that the selection leaves out, and what the service gives nobody.
 */
export async function* readCoverage(
  at: { readonly vault: Vault; readonly catalog: Catalog },
  resource: Resource,
): AsyncGenerator<CoverageLine, void, undefined> {
  const resourceId = resource.id;
  const head = await at.vault.journal(resourceId).head();
  const state = decodeCursorState(head?.cursor ?? null);
  for (const { code, kind, path } of state.excluded.values()) {
    yield { resourceId, state: 'excluded', code, kind, path, advice: adviceFor(code) };
  }
  for (const { code, kind, name } of state.unread.values()) {
    if (code === 'engine.gone') continue;
    yield { resourceId, state: 'unread', code, kind, path: name, advice: adviceFor(code) };
  }
  for await (const item of at.catalog.items(resourceId, undefined, { kinds: ['mailFolder', 'folder'] })) {
    const { notProtected } = item.properties;
    if (typeof notProtected !== 'string') continue;
    const path = await pathIn(at.catalog, resourceId, item);
    yield { resourceId, state: 'selection', code: `coverage.${notProtected}`, kind: item.kind, path, advice: 'none' };
  }
  yield* featureLines(resource);
}
