import type { Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { ScanReportStore } from './scan-report.store.ts';
import type { OpenSource, ScanSourcesStore } from './scan-sources.store.ts';
import type { ScansStore, TakenScan } from './scans.store.ts';

export interface ScannerOptions {
  readonly scans: ScansStore;
  readonly sources: ScanSourcesStore;
  readonly reports: ScanReportStore;
  scopes(): Promise<readonly Scope[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the facts of sites and drives up to date: only what the catalog has changed since is read, batch by batch. */
export interface Scanner {
  /** Queues what is due and works off one scan of each organisation. Answers whether there was one. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** Looks every few seconds, until stopped. A scan that is stopped resumes where it was. */
  start(): () => Promise<void>;
}

const EVERY_MS = 5_000;

export function createScanner(options: ScannerOptions): Scanner {
  const { scans, sources, reports, clock, logger } = options;
  async function readSource(scope: Scope, scan: TakenScan, source: OpenSource, signal: AbortSignal): Promise<void> {
    const domains = await sources.ownDomains(scope, scan.tenantId);
    let at = source;
    for (;;) {
      signal.throwIfAborted();
      const read = await sources.readBatch(scope, at, domains);
      if (read === undefined) throw new Error('Another worker has taken this scan.');
      await scans.note(scope, scan.scanId, { processed: read.count });
      if (read.count === 0) break;
      at = { ...at, position: read.position };
    }
    await sources.finish(scope, source, now(clock));
  }

  async function work(scope: Scope, scan: TakenScan, signal: AbortSignal): Promise<void> {
    const behind = await sources.behind(scope, scan.tenantId);
    const all = await sources.sourcesOf(scope, scan.tenantId);
    // A source without changes is finished.
    let sitesDone = all - behind.length;
    await scans.note(scope, scan.scanId, { sites: all, sitesDone });
    for (const source of behind) {
      await readSource(scope, scan, source, signal);
      sitesDone += 1;
      await scans.note(scope, scan.scanId, { sitesDone });
    }
    await reports.complete(scope, scan, now(clock));
  }

  async function runScope(scope: Scope, signal: AbortSignal): Promise<boolean> {
    await scans.queueDue(scope);
    const scan = await scans.take(scope);
    if (!scan) return false;
    try {
      await work(scope, scan, signal);
    } catch (error) {
      if (signal.aborted) {
        await scans.giveBack(scope, scan.scanId);
        return false;
      }
      logger.warn({ err: error, scanId: scan.scanId }, 'a scan of sites and drives failed');
      await scans.fail(scope, scan.scanId, 'internal');
    }
    return true;
  }

  async function turn(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    let hasRun = false;
    for (const scope of await options.scopes()) {
      if (signal.aborted) break;
      if (await runScope(scope, signal)) hasRun = true;
    }
    return hasRun;
  }

  return Object.freeze<Scanner>({
    turn,
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'sites and drives could not be scanned') }),
  });
}
