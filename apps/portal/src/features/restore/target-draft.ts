import type { SourceReference } from '@holdfast/contract/jobs';
import type { RestoreSettings, RestoreTarget } from '@holdfast/contract/restore';

/** The entries of the step, flat. */
export interface TargetDraft {
  target: RestoreTarget['kind'];
  folder: string;
  elsewhere: SourceReference[];
  format: string;
  collisions: RestoreSettings['collisions'];
  versions: boolean;
  permissions: boolean;
  automaticReplies: boolean;
  reason: string;
}

/** Whether restored items can meet what is there already: a download and a rehearsal go to a place of their own. */
export function meetsOthers(target: TargetDraft['target']): boolean {
  return target !== 'download' && target !== 'rehearsal';
}
