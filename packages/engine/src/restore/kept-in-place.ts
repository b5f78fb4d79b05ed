import type { ItemVersion } from '../ports/item.ts';
import type { RestoreRequest } from './request.ts';
import type { ItemOutcome } from './restorer.ts';

/** Says why what is at the target stays as it is; undefined when it gives way, or stands beside. */
export function keptInPlace(
  { collisions }: Pick<RestoreRequest, 'collisions'>,
  item: ItemVersion,
  old: { readonly id: string; readonly modifiedAt?: string | null | undefined },
): ItemOutcome | undefined {
  if (collisions === 'skip') return { outcome: 'skipped', targetId: old.id, code: 'restore.exists' };
  const isNewer = Date.parse(old.modifiedAt ?? '') > Date.parse(item.modifiedAt ?? '');
  return collisions === 'newerWins' && isNewer ? { outcome: 'skipped', targetId: old.id, code: 'restore.existing-newer' } : undefined;
}
