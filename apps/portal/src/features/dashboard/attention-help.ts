import type { AttentionEntry } from '@holdfast/contract/dashboard';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** What mends a cause, and where. */
export interface Remedy {
  readonly label: PhraseKey;
  readonly to: string;
}

const remedies: readonly (readonly [RegExp, Remedy])[] = [
  [
    /^graph\.(?:credentials|certificate|thumbprint|client|tenant|access-withdrawn|token|sign-in)/,
    { label: 'dashboard.connectAgain', to: '/configuration/tenants' },
  ],
  [/^graph\.(?:permission|access-denied)/, { label: 'dashboard.openPermissions', to: '/configuration' }],
  [
    /^vault\.(?:storage|bucket|object-missing|access-denied|credentials|not-found)/,
    { label: 'dashboard.openLocations', to: '/configuration/locations' },
  ],
  [/^runs\.(?:not-begun|waiting)/, { label: 'dashboard.openWorkers', to: '/configuration/workers' }],
];

const shows: Readonly<Record<AttentionEntry['kind'], PhraseKey>> = {
  run: 'dashboard.showRun',
  job: 'dashboard.showJob',
  evidence: 'dashboard.showEvidence',
  coverage: 'dashboard.showCoverage',
  search: 'dashboard.showHits',
  request: 'dashboard.showRequests',
};

/** Where the cause is mended, where a page can mend it, and then where it is seen. */
export function remediesOf({ kind, code, link }: AttentionEntry): readonly Remedy[] {
  const found = remedies.find(([pattern]) => pattern.test(code))?.[1];
  return [...(found === undefined ? [] : [found]), { label: shows[kind], to: link }];
}

/** What it means as long as nobody does anything. */
export function consequenceOf({ kind, code, isRisk }: AttentionEntry): PhraseKey | null {
  if (kind === 'coverage') return 'dashboard.meansNothingNew';
  if (kind === 'evidence') return isRisk ? 'dashboard.meansDeviation' : 'dashboard.meansUnproved';
  if (kind === 'search') return null;
  if (kind === 'request') return 'dashboard.meansUnanswered';
  return code === 'runs.defective' || !isRisk ? 'dashboard.meansIncomplete' : 'dashboard.meansNothingNew';
}
