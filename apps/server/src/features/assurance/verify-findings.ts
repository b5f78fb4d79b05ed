import type { VerifyReport } from '@holdfast/vault';

/** What a verification found, by code with a phrase. */
export interface Finding {
  readonly code: string;
  readonly count: number;
}

type Damage = VerifyReport['damages'][number];

/** The gravest comes first: it is what the run is called by. */
const CODES = [
  'vault.journal-missing',
  'vault.journal-older',
  'vault.journal-forked',
  'vault.damaged',
  'vault.points-lost',
  'vault.items-lost',
  'vault.evidence-damaged',
  'vault.witness-unusable',
] as const;
type Code = (typeof CODES)[number];

/** The code of one damage. */
export function codeOf(damage: Damage): Code {
  switch (damage.object) {
    case 'journal':
      return `vault.journal-${damage.difference ?? 'missing'}`;
    case 'points':
      return 'vault.points-lost';
    case 'evidence':
      return 'vault.evidence-damaged';
    case 'header':
    case 'pack':
    case 'segment':
    case 'segment-copy':
    case 'marker':
    case 'item-key':
      return 'vault.damaged';
  }
}

/** Everything that a report says is wrong, counted. Nothing is left out: an item that can't be read is one, a point that is lost as well. */
export function findingsOf(report: Pick<VerifyReport, 'damages' | 'affectedItemCount'>, more: readonly Finding[] = []): readonly Finding[] {
  const counts = new Map<string, number>();
  const add = (code: string, count: number): void => void counts.set(code, (counts.get(code) ?? 0) + count);
  for (const damage of report.damages) add(codeOf(damage), damage.lostPoints?.count ?? 1);
  if (report.affectedItemCount > 0) add('vault.items-lost', report.affectedItemCount);
  for (const { code, count } of more) add(code, count);
  return CODES.flatMap((code) => {
    const count = counts.get(code) ?? 0;
    return count > 0 ? [{ code, count }] : [];
  });
}
