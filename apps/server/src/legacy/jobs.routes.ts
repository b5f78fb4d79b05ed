import { protectingTypes, type JobType } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import { legacyRestore, scheduledJobs, statistics, type jobPrefixes } from '@holdfast/contract/legacy/jobs';
import type { RestoreSettings } from '@holdfast/contract/restore';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { FiguresViews } from '../features/dashboard/index.ts';
import type { JobsService } from '../features/jobs/index.ts';
import type { RunsViews } from '../runs/index.ts';
import type { RestoreViews } from '../features/restore/index.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Handlers } from '../http/context.ts';
import { expectedVersion } from '../http/etag.ts';
import { mount } from '../http/mount.ts';
import { legacyCall, type LegacyCall } from './legacy-scope.ts';

export interface LegacyJobsParts {
  readonly jobs: JobsService;
  readonly runs: RunsViews;
  readonly figures: FiguresViews;
  readonly sources: Pick<RestoreViews, 'source'>;
  readonly clock: Clock;
}

const onLegacy = { surface: 'legacy', realm: 'production' } as const;

/** What a prefix selects: a kind of job, or everything of Teams. */
function selected(prefix: (typeof jobPrefixes)[number]): { type?: JobType[]; workload?: Workload } {
  return prefix === 'teams' ? { workload: 'teams' } : { type: [prefix] };
}

function scheduledJobHandlers({ jobs, runs }: LegacyJobsParts): Handlers<typeof scheduledJobs> {
  return {
    running(context) {
      const { scope, tenantId } = legacyCall(context);
      return runs.list(scope, tenantId, { ...context.query, active: true });
    },
    ofKind(context) {
      const { scope, tenantId } = legacyCall(context);
      return jobs.list(scope, tenantId, { ...context.query, ...selected(context.params.prefix) });
    },
    filtered(context) {
      const { scope, tenantId } = legacyCall(context);
      const { type, ...query } = context.query;
      return jobs.list(scope, tenantId, { ...query, ...(type === undefined ? {} : { type: [type] }) });
    },
    create(context) {
      const { caller, tenantId } = legacyCall(context);
      return jobs.create(caller, tenantId, context.body);
    },
    update(context) {
      const { caller, tenantId } = legacyCall(context);
      const place = { tenantId, jobId: context.body.jobId, expectedVersion: expectedVersion(context.request) };
      return jobs.update(caller, place, context.body.job);
    },
    remove(context) {
      const { caller, tenantId } = legacyCall(context);
      return jobs.remove(caller, { tenantId, jobId: context.body.jobId });
    },
    start(context) {
      const { caller, tenantId } = legacyCall(context);
      return jobs.start(caller, { tenantId, jobId: context.body.jobId });
    },
    stop(context) {
      const { caller, tenantId } = legacyCall(context);
      return jobs.stop(caller, { tenantId, jobId: context.body.jobId });
    },
    async accounts(context) {
      const { scope, tenantId } = legacyCall(context);
      const { reportId, ...query } = context.body;
      const run = await runs.get(scope, tenantId, reportId);
      if (!run) throw new AppError('not-found');
      return runs.accounts(scope, run.reportId, query);
    },
  };
}

function statisticsHandlers({ figures, runs, clock }: LegacyJobsParts): Handlers<typeof statistics> {
  return {
    async all(context) {
      const { scope, tenantId } = legacyCall(context);
      return { items: await figures.workloads(scope, tenantId, now(clock)) };
    },
    async teams(context) {
      const { scope, tenantId } = legacyCall(context);
      return { items: await figures.workloads(scope, tenantId, now(clock), ['teams']) };
    },
    async lastSuccessful(context) {
      const { scope, tenantId } = legacyCall(context);
      const page = await runs.list(scope, tenantId, { limit: 1, type: protectingTypes, status: 'successful', sort: '-endedAt' });
      return { run: page.items[0] ?? null };
    },
  };
}

interface LegacyRestore {
  readonly name: string;
  readonly locationId: string;
  readonly restore: RestoreSettings;
}

function restoreHandlers({ jobs, sources, clock }: LegacyJobsParts): Handlers<typeof legacyRestore> {
  /** A restore is a job like any other that runs once, at once. Its name tells what it was and when, its workload is that of its source. */
  async function begin({ caller, scope, tenantId }: LegacyCall, wanted: LegacyRestore): Promise<{ taskId: string }> {
    const { locationId, restore } = wanted;
    const source = await sources.source(scope, { tenantId, locationId, sourceId: restore.sourceId });
    if (!source) throw new AppError('restore.source-unknown');
    const when = now(clock).toISOString().slice(0, 23).replaceAll(':', '.').replace('T', ' ');
    const job = await jobs.create(caller, tenantId, {
      type: 'restore',
      name: `${wanted.name} ${when}`,
      workload: source.workload,
      schedule: { mode: 'afterCreation' },
      locationId,
      restore: { ...restore, sourceName: restore.sourceName === '' ? source.resource.name : restore.sourceName },
    });
    if (!job.lastRun) throw new AppError('internal', { message: 'A job that starts at once has no run.' });
    return { taskId: job.lastRun.runId };
  }
  type Restored = Parameters<Handlers<typeof legacyRestore>['email']>[0];
  type Downloaded = Parameters<Handlers<typeof legacyRestore>['download']>[0];
  const email = (context: Restored): Promise<{ taskId: string }> => begin(legacyCall(context), { name: 'Restore', ...context.body });
  const download = (context: Downloaded): Promise<{ taskId: string }> => {
    const { locationId, sourceId, sequence, items, format, reason } = context.body;
    const restore: RestoreSettings = {
      sourceId,
      sourceName: '',
      ...(sequence === undefined ? {} : { sequence }),
      items,
      target: { kind: 'download', format },
      collisions: 'skip',
      options: { versions: true, permissions: false, automaticReplies: false },
      reason,
    };
    return begin(legacyCall(context), { name: 'Download', locationId, restore });
  };
  return { email, emailShort: email, download, downloadLong: download };
}

/** Mounts jobs, statistics and restores under their legacy names. */
export function mountLegacyJobs(app: HttpApp, parts: LegacyJobsParts): void {
  mount(app, scheduledJobs, scheduledJobHandlers(parts), onLegacy);
  mount(app, statistics, statisticsHandlers(parts), onLegacy);
  mount(app, legacyRestore, restoreHandlers(parts), onLegacy);
}
