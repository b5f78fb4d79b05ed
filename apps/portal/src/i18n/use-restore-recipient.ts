import type { Run } from '@holdfast/contract/monitoring';
import type { RestoreTarget } from '@holdfast/contract/restore';
import type { PhraseKey } from './phrase-key.ts';
import { useText } from './use-text.ts';

const targetNames: Readonly<Record<RestoreTarget['kind'], PhraseKey>> = {
  original: 'restore.targetOriginal',
  folder: 'restore.targetFolder',
  elsewhere: 'restore.targetElsewhere',
  download: 'restore.targetDownload',
  rehearsal: 'restore.targetRehearsal',
};

/** To whom or where a restore goes: the name of the recipient or folder, else the kind of target. */
export function useRestoreRecipient(): (restore: NonNullable<Run['restore']>) => string {
  const text = useText();
  return ({ target, recipient }) => (recipient === '' ? text(targetNames[target]) : recipient);
}
