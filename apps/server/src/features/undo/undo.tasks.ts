import type { Database } from '@holdfast/database';
import { createUndo, type PointBefore, type Resource, type UndoOutcome, type UndoResult } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { RunContext, RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { Vaults } from '../../storage/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { PUTTING_BACK, type RunLinesStore } from '../restore/index.ts';
import { pointBefore, type PointParts } from './point-before.ts';
import { restoredRun, type Home, type RestoredRun, type UndoViews } from './undo.views.ts';

export interface UndoHandlerOptions extends PointParts {
  readonly database: Database;
  readonly views: UndoViews;
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly lines: RunLinesStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

type Context = RunContext<RunOf<'undo'>>;
type Counts = Record<UndoOutcome, number>;

/** One part of a report of its own for each resource: the keys of their items may be the same. */
function partOf({ part, kind, graphId }: Home): string {
  return `${part} ${kind} ${graphId}`;
}

function outcomeOf(counts: Counts, worst: UndoResult | undefined): RunOutcome {
  const status = worst?.status ?? (counts.failed > 0 ? 'defective' : 'successful');
  return {
    status,
    code: worst?.code ?? null,
    counts: {
      added: 0,
      changed: counts.putBack,
      removed: counts.removed,
      unchanged: counts.skipped,
      gone: 0,
      excluded: counts.notPossible,
      newBytes: 0,
      storedBytes: 0,
    },
  };
}

/** The resource that a restore wrote into, and the restore point from before. */
interface Undone {
  readonly resource: Resource;
  readonly before?: PointBefore;
}

/** Names what was written and cannot be taken away, once, whoever takes the run up. */
async function nameTheRest({ views, lines }: Pick<UndoHandlerOptions, 'views' | 'lines'>, { run, scope }: Context): Promise<number> {
  const part = 'unnoted';
  const earlier = await lines.resume(scope, run.runId, part);
  const report = lines.reportOf(scope, run.runId, part);
  let count = 0;
  for await (const page of views.unnoted(scope, run.body.reportId)) {
    const told = await earlier.told(page.map(({ key }) => key));
    count += page.length;
    const rest = page.filter(({ key }) => !told.has(key));
    await report.tell(rest.map((line) => ({ ...line, outcome: 'notPossible', code: 'undo.stays', differences: [] })));
  }
  await report.end();
  return count;
}

/** The handler of runs that undo a restore. A resumed run continues after what its report already lists. */
export function createUndoHandler(options: UndoHandlerOptions): RunHandler<RunOf<'undo'>> {
  const { views, lines, clock, ids, logger, graph, vaults, catalogOf } = options;

  async function requireRestored({ run, scope }: Context): Promise<RestoredRun> {
    const found = await options.database.within(scope, (tx) => restoredRun(tx, run.tenantId, run.body.reportId));
    if (!found) throw new AppError('not-found');
    return found;
  }

  /** Undoes what was written into one resource; `before` is where what was replaced is kept. */
  async function undoHome(context: Context, home: Home, { resource, before }: Undone): Promise<UndoResult> {
    const { run, scope, signal, progress } = context;
    const figures = ids.uuid();
    const { reportId } = run.body;
    const [part, backPart] = [partOf(home), `${PUTTING_BACK}${partOf(home)}`];
    const earlier = run.isResumed ? await lines.resume(scope, run.runId, part) : undefined;
    const earlierBack = run.isResumed ? await lines.resume(scope, run.runId, backPart) : undefined;
    const [report, back] = [lines.reportOf(scope, run.runId, part), lines.reportOf(scope, run.runId, backPart)];
    return graph.use(scope, run.tenantId, async (client) => {
      const undo = createUndo({ graph: client.with(waitingCalls(context)), progress: progress.of(figures), report, clock, logger });
      try {
        const result = await undo.run(
          {
            runId: run.runId,
            home: resource,
            items: views.things(scope, reportId, home, 'items'),
            containers: views.things(scope, reportId, home, 'containers'),
            total: home.items + home.containers,
            back: { report: back, ...(earlierBack ? { earlier: earlierBack } : {}) },
            wasPutBack: (keys) => views.wasPutBack(scope, reportId, backPart, keys),
            ...(before ? { before } : {}),
            ...(earlier ? { earlier } : {}),
          },
          signal,
        );
        // A run that is handed on is not at its end.
        if (!signal.aborted) await Promise.all([report.end(), back.end()]);
        progress.ended(figures, { isFailed: result.status === 'failed' });
        return result;
      } finally {
        await Promise.all([report.flush(), back.flush()]);
      }
    });
  }

  async function undoIn(context: Context, restored: RestoredRun, home: Home): Promise<UndoResult> {
    const { run, scope } = context;
    const { kind, graphId, name } = home;
    const point = restored.startedAt ? await pointBefore(options, scope, run.tenantId, { home, at: restored.startedAt }) : undefined;
    const resource = { id: point?.resourceId ?? graphId, kind, graphId, name };
    if (!point || home.replaced === 0) return undoHome(context, home, { resource });
    const { locationId, sequence } = point;
    return vaults.use(scope, locationId, (vault) =>
      undoHome(context, home, { resource, before: { vault, catalog: catalogOf(scope, locationId), sequence } }),
    );
  }

  return async (context) => {
    const { scope, progress, run } = context;
    progress.stage('preparing');
    const restored = await requireRestored(context);
    const homes = await views.homes(scope, run.body.reportId);
    progress.expect(homes.length);
    progress.stage('restoring');
    const counts: Counts = { removed: 0, putBack: 0, skipped: 0, failed: 0, notPossible: 0 };
    const failed: UndoResult[] = [];
    for (const home of homes) {
      const result = await undoIn(context, restored, home);
      for (const outcome of Object.keys(counts) as UndoOutcome[]) counts[outcome] += result.counts[outcome];
      if (result.status === 'cancelled') return outcomeOf(counts, result);
      // A mailbox that is gone keeps nobody from undoing the others.
      if (result.status === 'failed') failed.push(result);
    }
    counts.notPossible += await nameTheRest(options, context);
    const [first] = failed;
    return outcomeOf(counts, first && { ...first, status: failed.length === homes.length ? 'failed' : 'defective' });
  };
}
