import { mayDo, type Role } from '@holdfast/contract/actions';
import { leavesItsPlace, type RestoreTarget } from '@holdfast/contract/restore';

/** Restores that leave their place show content to people who could not see it before. */
export function mayRestoreTo(role: Role, kind: RestoreTarget['kind']): boolean {
  return mayDo(role, leavesItsPlace(kind) ? 'restore.elsewhere' : 'restore.run');
}
