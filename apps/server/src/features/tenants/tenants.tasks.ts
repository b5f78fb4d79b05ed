import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient } from '@holdfast/m365';
import { connectionRefusal } from './credential.ts';
import type { TenantGraphService } from './tenant-graph.service.ts';
import { announce } from '../../events/live-events.ts';
import { changeTask, changeTenant, taskById, type TaskRow } from './tenants.store.ts';

/** How far a step has come, told as it goes. */
export type StepProgress = (processed: number) => Promise<void>;

/** What provisioning sets in motion in other features; wired where the program is composed. */
export interface ProvisioningSteps {
  /** Finds out what can be protected and notes it. Returns how much there is. */
  discover(
    scope: Scope,
    tenantId: string,
    graph: GraphClient,
    progress: StepProgress,
  ): Promise<{ users: number; groups: number; resources: number }>;
  /** A first location and the default jobs, where there are none yet. */
  setUp(scope: Scope, tenantId: string): Promise<void>;
  /** Cancels every run of the tenant. Stored data is kept. */
  windDown(scope: Scope, tenantId: string): Promise<void>;
  /** Gives the jobs of a tenant that is back in use their next runs. */
  resume(scope: Scope, tenantId: string): Promise<void>;
}

export interface TenantTasksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly graph: TenantGraphService;
  readonly steps: ProvisioningSteps;
}

/** Runs a task of a tenant. May be repeated from the start: every step can be done again without harm. */
export function createTenantTaskHandler(parts: TenantTasksParts): (scope: Scope, taskId: string) => Promise<void> {
  const { database, clock, logger, graph, steps } = parts;

  async function tell(scope: Scope, task: TaskRow, change: Parameters<typeof changeTask>[2]): Promise<void> {
    const { task_id: taskId, tenant_id: tenantId } = task;
    await database.within(scope, async (tx) => {
      await changeTask(tx, taskId, change);
      await announce(tx, scope, { name: 'task.changed', tenantId, data: { taskId } });
    });
  }

  async function discover(scope: Scope, task: TaskRow): Promise<void> {
    await graph.use(scope, task.tenant_id, async (client) => {
      const found = await steps.discover(scope, task.tenant_id, client, (processed) => tell(scope, task, { processed }));
      await tell(scope, task, { processed: found.resources });
    });
  }

  async function provision(scope: Scope, task: TaskRow): Promise<void> {
    const report = await graph.report(scope, task.tenant_id);
    if (report.problem !== null) throw new AppError(report.problem);
    const missing = report.permissions.filter((permission) => permission.state === 'missing').length;
    await tell(scope, task, { stage: 'discovering', progress: 25, errors: missing });
    await discover(scope, task);
    await tell(scope, task, { stage: 'settingUp', progress: 75 });
    await steps.setUp(scope, task.tenant_id);
    await database.within(scope, (tx) =>
      changeTenant(tx, task.tenant_id, { status: 'provisioned', deprovisioned_at: null, last_error: null, last_checked_at: now(clock) }),
    );
    await steps.resume(scope, task.tenant_id);
  }

  async function deprovision(scope: Scope, task: TaskRow): Promise<void> {
    await tell(scope, task, { stage: 'stoppingJobs', progress: 25 });
    await steps.windDown(scope, task.tenant_id);
    await graph.forget(task.tenant_id);
    await database.within(scope, (tx) => changeTenant(tx, task.tenant_id, { status: 'connected' }));
  }

  async function run(scope: Scope, task: TaskRow): Promise<void> {
    if (task.kind === 'provision') return provision(scope, task);
    if (task.kind === 'deprovision') return deprovision(scope, task);
    return discover(scope, task);
  }

  async function fail(scope: Scope, task: TaskRow, error: unknown): Promise<void> {
    const told = error instanceof AppError && error.code.startsWith('tenants.') ? error : connectionRefusal(error);
    // A refusal of Microsoft has a code that says all; what nobody expects needs its stack.
    const cause = isAppError(error) ? { code: error.code } : { err: error };
    logger.warn({ ...cause, taskId: task.task_id, tenantId: task.tenant_id, kind: task.kind }, 'tenant task failed');
    await tell(scope, task, { status: 'failed', stage: 'failed', ended_at: now(clock), message: told.code });
    if (task.kind === 'synchronise') return;
    await database.within(scope, (tx) =>
      changeTenant(tx, task.tenant_id, { status: 'failed', last_error: told.code, last_checked_at: now(clock) }),
    );
  }

  return async (scope, taskId) => {
    const task = await database.within(scope, (tx) => taskById(tx, taskId));
    if (!task || task.status === 'finished' || task.status === 'failed') return;
    await tell(scope, task, { status: 'running', stage: 'checking', started_at: now(clock), progress: 5 });
    try {
      await run(scope, task);
      await tell(scope, task, { status: 'finished', stage: 'finished', progress: 100, ended_at: now(clock), message: null });
    } catch (error) {
      await fail(scope, task, error);
    }
  };
}
