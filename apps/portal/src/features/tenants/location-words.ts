import type { Location } from '@holdfast/contract/locations';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** The words for what a location is used for. */
export const phraseOfUse: Readonly<Record<Location['use'], PhraseKey>> = {
  backup: 'tenants.useBackup',
  archive: 'tenants.useArchive',
  both: 'tenants.useBoth',
};

/** Where a location lies, in one line. */
export function placeOf(location: Location): string {
  if (location.kind === 'filesystem') return location.path ?? '–';
  return `s3://${location.bucket ?? ''}/${location.prefix ?? ''}`;
}
