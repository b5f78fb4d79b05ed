import type { DrillEvidence, RestoreReport } from '@holdfast/engine';

type Item = DrillEvidence['items'][number];

/** Whether an item came back as it was recorded. */
function isFaithful(item: Item): boolean {
  return item.isReadable && item.isRestored;
}

/** What the report says of an item. That its owner has changed it since is worth knowing and no deviation. */
function differencesOf(item: Item): readonly string[] {
  return item.isEqualToSource === false ? [...item.differences, 'changedAtSource'] : item.differences;
}

/** What items that were put back and compared come to. */
export interface Compared {
  readonly checked: number;
  readonly checkedBytes: number;
  readonly deviations: number;
}

/** Writes what a drill or a rehearsal saw into the report of its run. */
export async function writeEvidence(report: RestoreReport, { items }: DrillEvidence): Promise<Compared> {
  for (const item of items) {
    const { key, kind, path } = item;
    const code = item.code ?? (item.isReadable ? undefined : 'vault.damaged');
    const outcome = isFaithful(item) ? 'restored' : 'failed';
    await report.line({ key, kind, path, outcome, differences: differencesOf(item), ...(code === undefined ? {} : { code }) });
  }
  return {
    checked: items.length,
    checkedBytes: items.reduce((sum, item) => sum + item.bytes, 0),
    deviations: items.filter((item) => !isFaithful(item)).length,
  };
}
