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
  'vault.document-damaged',
  'vault.points-pruned',
  'vault.evidence-damaged',
  'vault.witness-unusable',
] as const;
type Code = (typeof CODES)[number];

const CODE_OF = {
  points: 'vault.points-lost',
  evidence: 'vault.evidence-damaged',
  document: 'vault.document-damaged',
  header: 'vault.damaged',
  pack: 'vault.damaged',
  segment: 'vault.damaged',
  'segment-copy': 'vault.damaged',
  marker: 'vault.damaged',
  'item-key': 'vault.damaged',
  retention: 'vault.damaged',
} as const satisfies Record<Exclude<Damage['object'], 'journal'>, Code>;

/** The code of one damage. */
export function codeOf({ object, difference, isPruned }: Damage): Code {
  if (object === 'journal') return `vault.journal-${difference ?? 'missing'}`;
  return isPruned ? 'vault.points-pruned' : CODE_OF[object];
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
