import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { ItemKind } from '../../ports/item.ts';
import { removeWithContents } from '../compare-listing.ts';
import { forgetScopes } from '../follow-delta.ts';
import { driveKeys } from './drive-item.ts';
import { driveScopes } from './drive.ts';

const fileKinds: readonly ItemKind[] = ['file', 'folder', 'package', 'shortcut'];

/** Nothing of other drives is read any more: where they had got to is forgotten, and nobody else says that what was missed in them is missed no more. */
export function* forgetOtherDrives(context: EnumerateContext, driveIds: readonly string[]): Generator<Step, void, undefined> {
  yield* forgetScopes(context, driveScopes, driveIds);
  const isThere = (key: string): boolean => driveIds.some((id) => key.startsWith(driveKeys(id).item('')));
  for (const [key, { kind }] of [...context.unread, ...context.excluded])
    if (fileKinds.includes(kind) && !isThere(key)) yield { step: 'resolved', key };
}

/** Lets go of the libraries that a place had and has no more, now that those it has are known. Earlier points keep them. */
export async function* removeLostLibraries(
  context: EnumerateContext,
  place: { readonly parentKey: string | null; readonly driveIds: readonly string[] },
): AsyncGenerator<Step, void, undefined> {
  const { parentKey, driveIds } = place;
  const there = new Set(driveIds.map((id) => driveKeys(id).library));
  const lost: string[] = [];
  for await (const item of context.known.items({ parentKey, kinds: ['library'] })) if (!there.has(item.key)) lost.push(item.key);
  for (const key of lost) yield* removeWithContents(context, key);
  yield* forgetOtherDrives(context, driveIds);
}
