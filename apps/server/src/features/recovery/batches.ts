import { restoreSettings } from '@holdfast/contract/restore';
import type { RecoveryTarget } from '@holdfast/contract/selections';
import type { Scope } from '@holdfast/database';
import { createRestore, type Catalog, type RestoreLine, type RestoreReport, type RestoreResult } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vault } from '@holdfast/vault';
import type { RunContext, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { requestOf, type RestoreViews, type RunLinesStore } from '../restore/index.ts';
import { keysIn, type SelectedKey, type SelectionPart, type SelectionReader } from '../search/index.ts';
import { addCounts, noRestored, type Restored } from './restored.ts';

export interface RecoveryHandlerOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly selections: SelectionReader;
  readonly lines: RunLinesStore;
  readonly accounts: RunAccountsStore;
  readonly views: Pick<RestoreViews, 'source'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type RecoveryContext = RunContext<RunOf<'recovery'>>;

/** Whether a person can be given what a resource holds: a site, a team and a chat belong to nobody alone. */
export function canReceive({ resource, workload }: Pick<SelectionPart, 'resource' | 'workload'>): boolean {
  return resource.kind === 'mailbox' || resource.kind === 'archive' || (resource.kind === 'drive' && workload === 'onedrive');
}

/** What comes from several people stays apart: each gets a folder with their name in it. */
function targetOf(target: RecoveryTarget, { resource }: SelectionPart): RecoveryTarget {
  if (target.kind !== 'elsewhere') return target;
  return { ...target, folder: `${target.folder} ${resource.name}`.replaceAll(/[\\/]/g, ' ').slice(0, 240) };
}

/** Lines of a batch that no other report contains. */
function linesOf(items: readonly SelectedKey[], why: Pick<RestoreLine, 'outcome' | 'code'>): RestoreLine[] {
  return items.map(({ key, kind, name }) => ({ key, kind: kind as RestoreLine['kind'], path: name, differences: [], ...why }));
}

/** Says of each line whose it is. */
function named(report: RestoreReport, { resource }: SelectionPart): RestoreReport {
  return {
    begin: (key, there) => report.begin(key, there),
    uploading: (key, upload) => report.uploading(key, upload),
    wrote: (thing) => report.wrote?.(thing) ?? Promise.resolve(),
    tell: (lines) => report.tell(lines.map((line) => ({ ...line, path: `${resource.name}/${line.path}` }))),
  };
}

/** Items of one restore point of one resource, as many as are restored at a time. */
export interface Batch {
  readonly part: SelectionPart;
  readonly items: readonly SelectedKey[];
  /** Its name within the run, the same for every worker. */
  readonly name: string;
}

/** Restores batches. What a batch was not able to do is in the report all the same. */
export interface Batches {
  readonly restore: (context: RecoveryContext, batch: Batch) => Promise<Restored>;
  /** A batch that could not be continued: what its report does not tell of has failed. */
  readonly breakOff: (context: RecoveryContext, batch: Batch, code: string) => Promise<Restored>;
}

export function createBatches(options: RecoveryHandlerOptions): Batches {
  const { lines, clock, logger } = options;

  /** Lets the engine restore the items of a batch that are still kept. */
  async function engineRun(context: RecoveryContext, vault: Vault, batch: Batch, kept: ReadonlySet<string>): Promise<RestoreResult> {
    const { run, scope, signal, progress } = context;
    const { part, name } = batch;
    const { resource, sourceId, sequence, workload } = part;
    const earlier = run.isResumed ? await lines.resume(scope, run.runId, name) : undefined;
    const { target, collisions, archivedFolder } = run.body.recovery;
    const settings = restoreSettings.parse({
      sourceId,
      sequence,
      items: 'all',
      target: targetOf(target, part),
      collisions,
    });
    return options.graph.use(scope, run.tenantId, async (client) => {
      const graph = client.with(waitingCalls(context, resource.id));
      const written = lines.reportOf(scope, run.runId, name);
      const report = named(written, part);
      const catalog = options.catalogOf(scope, part.locationId);
      const engine = createRestore({ vault, graph, catalog, progress: progress.of(resource.id), report, clock, logger });
      try {
        const request = await requestOf(graph, run.runId, { sourceId, workload, resource }, { ...settings, sequence, items: [...kept] });
        const folder = archivedFolder === undefined ? {} : { archivedFolder };
        const result = await engine.run({ ...request, ...folder, ...(earlier ? { earlier } : {}) }, signal);
        // A run that is handed on is not at its end.
        if (!signal.aborted) await written.end();
        return result;
      } finally {
        await written.flush();
      }
    });
  }

  /** Tells of items that were not tried at all, once, whoever takes the run up. */
  async function tellOf({ run, scope }: RecoveryContext, batch: Batch, said: readonly RestoreLine[]): Promise<void> {
    if (said.length === 0) return;
    const part = `${batch.name} untried`;
    const earlier = await lines.resume(scope, run.runId, part);
    const known = await earlier.told(said.map(({ key }) => key));
    const written = lines.reportOf(scope, run.runId, part);
    await named(written, batch.part).tell(said.filter(({ key }) => !known.has(key)));
    await written.end();
  }

  async function breakOff(context: RecoveryContext, batch: Batch, code: string): Promise<Restored> {
    const { run, scope } = context;
    const earlier = await lines.resume(scope, run.runId, batch.name);
    const done = await earlier.told(batch.items.map(({ key }) => key));
    const left = batch.items.filter(({ key }) => !done.has(key));
    await tellOf(context, batch, linesOf(left, { outcome: 'failed', code }));
    return { ...noRestored, code, counts: { ...noRestored.counts, ...earlier.counts, failed: left.length } };
  }

  async function restore(context: RecoveryContext, batch: Batch): Promise<Restored> {
    const { scope, run } = context;
    const { part, items } = batch;
    if (run.body.recovery.target.kind === 'elsewhere' && !canReceive(part)) {
      await tellOf(context, batch, linesOf(items, { outcome: 'notPossible', code: 'restore.other-kind' }));
      return { ...noRestored, counts: { ...noRestored.counts, notPossible: items.length } };
    }
    const kept = await keysIn(options.catalogOf(scope, part.locationId), part, items);
    const gone = items.filter(({ key }) => !kept.has(key));
    await tellOf(context, batch, linesOf(gone, { outcome: 'failed', code: 'content.item-unknown' }));
    const missed: Restored = { ...noRestored, counts: { ...noRestored.counts, failed: gone.length } };
    if (kept.size === 0) return missed;
    const result = await options.vaults.use(scope, part.locationId, (vault) => engineRun(context, vault, batch, kept));
    return addCounts(missed, result);
  }

  return Object.freeze<Batches>({ restore, breakOff });
}
