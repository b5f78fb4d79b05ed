import type { ItemKind } from '../ports/item.ts';
import type { RestorePlan } from './request.ts';
import type { RestoreContext, Restorer } from './restorer.ts';
import { walk, type WalkedContainer } from './walk.ts';

/** Paths of folders within their library, as they are walked. */
function createFolderPaths() {
  const paths = new Map<string, string>();
  return {
    enter({ item, parent }: WalkedContainer): string {
      if (item?.kind !== 'folder' && item?.kind !== 'package') return '';
      const above = parent === undefined ? '' : (paths.get(parent.key) ?? '');
      const path = above === '' ? item.name : `${above}/${item.name}`;
      paths.set(item.key, path);
      return path;
    },
  };
}

/** Counts what a restore would do, without writing anything. */
export async function createPlan(context: RestoreContext, restorer: Restorer, missingRoles: readonly string[]): Promise<RestorePlan> {
  const { catalog, request, sequence, signal } = context;
  const byKind: Partial<Record<ItemKind, number>> = {};
  const limits = new Map<string, number>();
  let items = 0;
  let bytes = 0;
  let collisions = 0;
  const folders = createFolderPaths();
  for await (const walked of walk({ catalog, resourceId: request.source.id, sequence, selection: request.selection })) {
    const folder = folders.enter(walked);
    for await (const item of walked.items()) {
      signal.throwIfAborted();
      items += 1;
      bytes += item.sizeBytes;
      byKind[item.kind] = (byKind[item.kind] ?? 0) + 1;
      for (const code of restorer.limitsOf(item.kind)) limits.set(code, (limits.get(code) ?? 0) + 1);
      if (await restorer.collides(item, folder)) collisions += 1;
    }
  }
  const notRestorable = [...limits].map(([code, count]) => ({ code, count }));
  return { items, bytes, byKind, collisions, notRestorable, missingRoles };
}
