import { restoreTarget, type RestoreTarget } from '@holdfast/contract/restore';
import type { UndoPlan } from '@holdfast/contract/undo';
import type { Database, Scope, Tx } from '@holdfast/database';
import { keptBefore, type UndoItem } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn } from '../../access/actor.ts';
import { queueUnplanned, type RunsStore } from '../../runs/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { mayRestoreTo } from '../restore/index.ts';
import { pointBefore, type PointParts } from './point-before.ts';
import { refusalOf, undoUntil } from './undo.policy.ts';
import { countUnnoted, homesOf, restoredRun, undosOf, type Home, type RestoredRun, type UndoViews } from './undo.views.ts';

export interface UndoServiceParts extends PointParts {
  readonly database: Database;
  readonly views: UndoViews;
  readonly runs: Pick<RunsStore, 'enqueue'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
}

export interface UndoPlace {
  readonly tenantId: string;
  readonly reportId: string;
}

export interface UndoService {
  plan(asking: Asking, place: UndoPlace): Promise<UndoPlan>;
  /** Answers the run that undoes the restore. */
  start(asking: Asking, place: UndoPlace, reason: string): Promise<string>;
}

/** How many replaced items are looked up at a time. */
const PAGE = 500;

/** Where a restore put things; a restore of search hits says so under a name of its own. */
export function targetOf(body: object): RestoreTarget | undefined {
  const { restore, recovery } = body as {
    readonly restore?: { readonly target?: unknown };
    readonly recovery?: { readonly target?: unknown };
  };
  const parsed = restoreTarget.safeParse(restore?.target ?? recovery?.target);
  return parsed.success ? parsed.data : undefined;
}

/** What is known of a restore that somebody wants to undo. */
interface Known {
  readonly run: RestoredRun;
  readonly homes: readonly Home[];
  readonly undos: Awaited<ReturnType<typeof undosOf>>;
  readonly refusal: UndoPlan['refusal'];
}

/** How many of the items that a restore replaced are kept as they were. */
async function countKept(
  parts: UndoServiceParts,
  scope: Scope,
  { run, home }: { readonly run: RestoredRun; readonly home: Home },
): Promise<number> {
  if (home.replaced === 0 || !run.startedAt) return 0;
  const point = await pointBefore(parts, scope, run.tenantId, { home, at: run.startedAt });
  if (!point) return 0;
  const catalog = parts.catalogOf(scope, point.locationId);
  const at = { resourceId: point.resourceId, sequence: point.sequence };
  let count = 0;
  let page: UndoItem[] = [];
  const look = async (): Promise<void> => {
    count += (await keptBefore(catalog, at, page)).size;
    page = [];
  };
  for await (const thing of parts.views.things(scope, run.runId, home, 'items')) {
    if (thing.replaced) page.push(thing);
    if (page.length >= PAGE) await look();
  }
  await look();
  return count;
}

export function createUndoService(parts: UndoServiceParts): UndoService {
  const { database, runs, audit, clock } = parts;

  async function know(tx: Tx, { actor, scope }: Asking, { tenantId, reportId }: UndoPlace, isLocked = false): Promise<Known> {
    const run = await restoredRun(tx, tenantId, reportId, isLocked);
    if (!run) throw new AppError('not-found');
    const target = targetOf(run.body);
    const membership = membershipIn(actor, scope.organisationId, clock.nowMs());
    if (!membership || (target && !mayRestoreTo(membership.role, target.kind))) throw new AppError('access-denied');
    const [homes, undos] = [await homesOf(tx, reportId), await undosOf(tx, reportId)];
    const facts = {
      isIntoMicrosoft: target !== undefined && target.kind !== 'download' && target.kind !== 'rehearsal',
      endedAt: run.endedAt,
      isUnderWay: undos.some(({ isActive }) => isActive),
      noted: homes.reduce((sum, { items, containers }) => sum + items + containers, 0),
    };
    return { run, homes, undos, refusal: refusalOf(facts, clock.nowMs()) };
  }

  return Object.freeze<UndoService>({
    async plan(asking, place) {
      const { scope } = asking;
      const [known, stays] = await database.within(
        scope,
        async (tx) => [await know(tx, asking, place), await countUnnoted(tx, place.reportId)] as const,
      );
      const { run, homes, undos, refusal } = known;
      let toPutBack = 0;
      if (refusal === null) for (const home of homes) toPutBack += await countKept(parts, scope, { run, home });
      const replaced = homes.reduce((sum, home) => sum + home.replaced, 0);
      const all = homes.reduce((sum, { items, containers }) => sum + items + containers, 0);
      const [last] = undos;
      return {
        refusal,
        until: run.endedAt ? undoUntil(run.endedAt).toISOString() : null,
        toRemove: all - replaced,
        toPutBack,
        notKept: replaced - toPutBack,
        stays,
        last: last
          ? { reportId: last.runId, startedAt: last.startedAt?.toISOString() ?? null, endedAt: last.endedAt?.toISOString() ?? null }
          : null,
      };
    },
    start(asking, place, reason) {
      const { actor, scope, caller } = asking;
      return database.within(scope, async (tx) => {
        const { run, refusal } = await know(tx, asking, place, true);
        if (refusal !== null) throw new AppError(refusal);
        const body = { type: 'undo', name: run.name, schedule: { mode: 'disabled' }, reportId: run.runId, reason } as const;
        const by = { trigger: 'manual', startedBy: actor.email, onBehalfOf: actor.accountId } as const;
        const runId = await queueUnplanned(runs, tx, scope, place.tenantId, body, by, run.name);
        await audit.record(tx, {
          event: 'restores.undone',
          actor: actorEntry(actor, caller),
          subject: { kind: 'run', id: run.runId, name: run.name },
          reason,
          details: { reportId: runId },
        });
        return runId;
      });
    },
  });
}
