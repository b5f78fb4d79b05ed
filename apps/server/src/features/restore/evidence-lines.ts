import type { Scope } from '@holdfast/database';
import type { DrillEvidence, RestoreReport } from '@holdfast/engine';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { RunLinesStore } from './run-lines.store.ts';

type Item = DrillEvidence['items'][number];

/** Whether an item came back as it was recorded. */
function isFaithful(item: Item): boolean {
  return item.isReadable && item.isRestored;
}

/** What the report says of an item. That its owner has changed it since is worth knowing and no deviation. */
function differencesOf(item: Item): readonly string[] {
  return item.isEqualToSource === false ? [...item.differences, 'changedAtSource'] : item.differences;
}

/** The account of a resource of which nothing was read. */
export const NO_COUNTS = { seen: 0, added: 0, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };

/** What items that were put back and compared come to. */
export interface Compared {
  readonly checked: number;
  readonly checkedBytes: number;
  readonly deviations: number;
  /** Copies, or places with copies, that could not be taken away. */
  readonly remaining: number;
  /** Those that were deleted and that Microsoft 365 keeps for a time. */
  readonly kept: number;
}

async function writeLines(report: RestoreReport, { items, remains }: DrillEvidence): Promise<Compared> {
  for (const item of items) {
    const { key, kind, path } = item;
    const code = item.code ?? (item.isReadable ? undefined : 'vault.damaged');
    const outcome = isFaithful(item) ? 'restored' : 'failed';
    await report.tell([{ key, kind, path, outcome, differences: differencesOf(item), ...(code === undefined ? {} : { code }) }]);
  }
  for (const { kind, path, code, because = code } of remains) {
    const differences = code === 'drill.copies-remain' ? ['copyRemains'] : [];
    await report.tell([{ key: path, kind, path, outcome: 'notPossible', code: because, differences }]);
  }
  const left = remains.filter(({ code }) => code === 'drill.copies-remain').length;
  return {
    remaining: left,
    kept: remains.length - left,
    checked: items.length,
    checkedBytes: items.reduce((sum, item) => sum + item.bytes, 0),
    deviations: items.filter((item) => !isFaithful(item)).length,
  };
}

/** Where the evidence of a run belongs. */
export interface EvidencePlace {
  readonly scope: Scope;
  readonly runId: string;
  readonly resourceId: string;
  /** How many items must have been compared for the account to be successful. */
  readonly atLeast: number;
}

/** Writes what a drill or a rehearsal saw into the report of its run, and ends the account of its resource with it. */
export async function keepEvidence(
  { lines, accounts }: { readonly lines: RunLinesStore; readonly accounts: RunAccountsStore },
  { scope, runId, resourceId, atLeast }: EvidencePlace,
  evidence: DrillEvidence,
): Promise<Compared> {
  const report = lines.reportOf(scope, runId);
  const compared = await writeLines(report, evidence);
  await report.flush();
  const { checked, checkedBytes, deviations } = compared;
  await accounts.end(scope, runId, resourceId, {
    status: deviations === 0 && checked >= atLeast ? 'successful' : 'defective',
    counts: { ...NO_COUNTS, seen: checked, added: checked - deviations, failed: deviations },
    bytesRead: checkedBytes,
    sequence: null,
  });
  return compared;
}
