import type { Location } from '@holdfast/contract/locations';

type Immutability = Location['immutability'];

const STRENGTH = { none: 0, governance: 1, compliance: 2 } as const;

/** What was promised is never taken back: a lock may become longer or stronger, not shorter or weaker. */
export function weakens(before: Immutability, after: Immutability): boolean {
  return STRENGTH[after.mode] < STRENGTH[before.mode] || (before.mode !== 'none' && after.days < before.days);
}
