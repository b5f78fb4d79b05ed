import { createRestore, openDownload, pointOf, type RestoreResult } from '@holdfast/engine';
import type { RestoreSettings } from '@holdfast/contract/restore';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { RunContext, RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import { NO_COUNTS } from './evidence-lines.ts';
import { rehearse, type RehearsalOptions } from './rehearsal.tasks.ts';
import { downloadRequestOf, requestOf, type PinnedSettings, type RestoreSource } from './restore-source.ts';
import type { RestoreViews } from './restore.views.ts';

export interface RestoreHandlerOptions extends RehearsalOptions {
  readonly views: RestoreViews;
}

function outcomeOf(result: RestoreResult): RunOutcome {
  const { counts } = result;
  return {
    status: result.status,
    code: result.code ?? null,
    counts: {
      added: counts.restored + counts.renamed,
      changed: counts.replaced,
      removed: 0,
      unchanged: counts.skipped,
      gone: 0,
      excluded: counts.notPossible,
      newBytes: result.bytes,
      storedBytes: 0,
    },
  };
}

function total(counts: RestoreResult['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** What the one resource of a restore comes to. */
function accountOf({ status, counts, bytes, code }: RestoreResult) {
  return {
    status,
    counts: {
      ...NO_COUNTS,
      seen: total(counts),
      added: counts.restored + counts.renamed,
      changed: counts.replaced,
      failed: counts.failed,
    },
    bytesRead: bytes,
    sequence: null,
    ...(code === undefined ? {} : { code }),
  };
}

/** What was chosen, with the point that this run is of: what was the newest when it began stays it, whoever goes on. */
async function pinned(
  { catalogOf }: Pick<RehearsalOptions, 'catalogOf'>,
  { run, scope, decide }: RunContext<RunOf<'restore'>>,
  { resource }: RestoreSource,
  settings: RestoreSettings,
): Promise<PinnedSettings> {
  const newest = () => pointOf(catalogOf(scope, run.locationId), resource, settings.sequence);
  const { sequence } = await decide('point', async () => ({ sequence: (await newest()).sequence }));
  return { ...settings, sequence };
}

/** A download is streamed from the vault when it is fetched; the run finds out that it can be, and its name. */
function prepareDownload(
  options: RestoreHandlerOptions,
  context: RunContext<RunOf<'restore'>>,
  source: RestoreSource,
  settings: PinnedSettings,
): Promise<RunOutcome> {
  const { run, scope, signal } = context;
  const { sequence } = settings;
  return options.vaults.use(scope, run.locationId, async (vault) => {
    const catalog = options.catalogOf(scope, run.locationId);
    const download = await openDownload({ vault, catalog }, downloadRequestOf(source, settings, sequence), signal);
    return { status: 'successful', code: null, result: { fileName: download.fileName, sequence } };
  });
}

function failedBy(error: unknown) {
  const code = isAppError(error) ? error.code : 'internal';
  return { status: 'failed', counts: NO_COUNTS, bytesRead: 0, sequence: null, code } as const;
}

/** The handler of restore runs. A resumed run continues after what its report already lists. */
export function createRestoreHandler(options: RestoreHandlerOptions): RunHandler<RunOf<'restore'>> {
  const { vaults, views, lines, accounts, clock, logger } = options;

  async function requireSource({ run, scope }: RunContext<RunOf<'restore'>>, sourceId: string): Promise<RestoreSource> {
    const source = await views.source(scope, { tenantId: run.tenantId, locationId: run.locationId, sourceId });
    if (!source) throw new AppError('restore.source-unknown');
    return source;
  }

  async function putBack(context: RunContext<RunOf<'restore'>>, source: RestoreSource, settings: PinnedSettings): Promise<RestoreResult> {
    const { run, scope, signal, progress } = context;
    const earlier = run.isResumed ? await lines.resume(scope, run.runId) : undefined;
    return options.graph.use(scope, run.tenantId, (client) =>
      vaults.use(scope, run.locationId, async (vault) => {
        const graph = client.with(waitingCalls(context, source.resource.id));
        const report = lines.reportOf(scope, run.runId);
        const restore = createRestore({
          vault,
          graph,
          catalog: options.catalogOf(scope, run.locationId),
          progress: progress.of(source.resource.id),
          report,
          clock,
          logger,
        });
        try {
          const request = await requestOf(graph, run.runId, source, settings);
          const result = await restore.run({ ...request, ...(earlier ? { earlier } : {}) }, signal);
          // A run that is handed on is not at its end.
          if (!signal.aborted) await report.end();
          return result;
        } finally {
          await report.flush();
        }
      }),
    );
  }

  async function work(context: RunContext<RunOf<'restore'>>, source: RestoreSource, asked: RestoreSettings): Promise<RunOutcome> {
    const { run, scope, progress } = context;
    const { id } = source.resource;
    const settings = await pinned(options, context, source, asked);
    if (settings.target.kind === 'download') {
      const outcome = await prepareDownload(options, context, source, settings);
      await accounts.end(scope, run.runId, id, { status: 'successful', counts: NO_COUNTS, bytesRead: 0, sequence: null });
      return outcome;
    }
    progress.stage('restoring');
    if (settings.target.kind === 'rehearsal') {
      const outcome = await rehearse(options, context, { source, settings });
      progress.ended(id);
      return outcome;
    }
    const result = await putBack(context, source, settings);
    await accounts.end(scope, run.runId, id, accountOf(result));
    progress.ended(id, { isFailed: result.status === 'failed' });
    return { ...outcomeOf(result), result: { sequence: settings.sequence } };
  }

  return async (context) => {
    const { run, scope, progress, signal } = context;
    const asked = run.body.restore;
    const source = await requireSource(context, asked.sourceId);
    const { id } = source.resource;
    await accounts.begin(scope, run.runId, [id]);
    await accounts.start(scope, run.runId, id);
    progress.expect(1);
    try {
      return await work(context, source, asked);
    } catch (error) {
      // A restore that could not go on has an account that says so; one that is handed on has not ended.
      if (!signal.aborted) {
        await accounts.end(scope, run.runId, id, failedBy(error));
        progress.ended(id, { isFailed: true });
      }
      throw error;
    }
  };
}
