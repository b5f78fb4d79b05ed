import type { Workload } from '@holdfast/contract/values';
import type { Scope } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { noteAbsentOwners, type AbsentOwnersOptions } from './absent-owners.tasks.ts';
import type { ScanReportStore } from './scan-report.store.ts';
import type { OpenSource, ScanSourcesStore } from './scan-sources.store.ts';
import { noteTrimmed, type TrimmedVersionsOptions } from './trimmed-versions.tasks.ts';

export interface ScanHandlerOptions extends TrimmedVersionsOptions, AbsentOwnersOptions {
  readonly sources: ScanSourcesStore;
  readonly reports: ScanReportStore;
  readonly accounts: Pick<RunAccountsStore, 'begin' | 'start' | 'end'>;
  /** How many restore points of sites and drives deletion jobs would take now. */
  duePoints(scope: Scope, tenantId: string, workloads: readonly Workload[]): Promise<number | null>;
}

type ScanContext = RunContext<RunOf<'scan'>>;

/** Reads the changes of one site or drive. Each batch is durable: whoever takes the run up later reads the rest. */
async function readSource(options: ScanHandlerOptions, context: ScanContext, source: OpenSource, domains: ReadonlySet<string>) {
  const { sources, accounts, clock } = options;
  const { scope, run, signal, progress } = context;
  const { resourceId } = source;
  await accounts.start(scope, run.runId, resourceId);
  const figures = progress.of(resourceId);
  let at = source;
  let processed = 0;
  for (;;) {
    signal.throwIfAborted();
    const read = await sources.readBatch(scope, at, domains);
    if (read === undefined) throw new Error('Another worker has read this site.');
    if (read.count === 0) break;
    processed += read.count;
    figures.report({ stage: 'reading', processed, total: processed, bytes: 0, errors: 0, itemsPerSecond: 0, bytesPerSecond: 0 });
    at = { ...at, position: read.position };
  }
  await sources.finish(scope, source, now(clock));
  const counts = { seen: processed, added: 0, changed: processed, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };
  await accounts.end(scope, run.runId, resourceId, { status: 'successful', counts, bytesRead: 0, sequence: null });
  progress.ended(resourceId);
}

/** The handler of scans: reads what backups have changed since the last scan, site by site, and what clean-ups have
 * deleted, and makes the report. */
export function createScanHandler(options: ScanHandlerOptions): RunHandler<RunOf<'scan'>> {
  const { sources, reports, accounts, clock } = options;
  return async (context) => {
    const { scope, run, progress } = context;
    progress.stage('preparing');
    const behind = await sources.behind(scope, run.tenantId);
    await accounts.begin(
      scope,
      run.runId,
      behind.map(({ resourceId }) => resourceId),
    );
    progress.expect(behind.length);
    progress.stage('reading');
    const domains = await sources.ownDomains(scope, run.tenantId);
    for (const source of behind) await readSource(options, context, source, domains);
    await noteTrimmed(options, context);
    await noteAbsentOwners(options, context);
    const due = await options.duePoints(scope, run.tenantId, ['onedrive', 'sharepoint']);
    await reports.complete(scope, { scanId: run.runId, tenantId: run.tenantId, due }, now(clock));
    return { status: 'successful', code: null };
  };
}
