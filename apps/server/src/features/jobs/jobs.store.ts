import { activeRunStatuses } from '@holdfast/contract/run-status';
import { completeBody, placeOf, traitsOf, type Job, type JobBody } from '@holdfast/contract/jobs';
import type { Schedule } from '@holdfast/contract/jobs/schedule';
import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope, Tx } from '@holdfast/database';
import { systemCode } from '@holdfast/foundation/errors';

/** A job as it is kept. */
export interface StoredJob {
  readonly jobId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly type: JobBody['type'];
  readonly workload: Workload | null;
  readonly locationId: string | null;
  readonly body: JobBody;
  readonly nextRunAt: Date | null;
  readonly creator: string;
  /** Whoever saved it last. */
  readonly savedBy: string | null;
  readonly anchoredAt: Date;
  readonly version: number;
  readonly approval: Job['approval'];
}

export interface NewJob {
  readonly jobId: string;
  readonly tenantId: string;
  readonly body: JobBody;
  readonly nextRunAt: Date | null;
  readonly creator: string;
  readonly createdBy: string | null;
  readonly at: Date;
}

export interface JobChange {
  readonly body: JobBody;
  readonly savedBy: string;
  readonly nextRunAt: Date | null;
  /** Set when somebody must approve it anew. */
  readonly approval?: Job['approval'];
  /** Set when the schedule changed: intervals count anew from here. */
  readonly anchoredAt?: Date;
}

/** What `insert` and `update` answer instead of throwing. */
export type SaveResult = 'saved' | 'name-taken' | 'location-unknown';

/** Jobs over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface JobsStore {
  within: Database['within'];
  insert(tx: Tx, job: NewJob): Promise<SaveResult>;
  update(tx: Tx, jobId: string, change: JobChange): Promise<SaveResult>;
  get(tx: Tx, tenantId: string, jobId: string, options?: { readonly forUpdate?: boolean }): Promise<StoredJob | undefined>;
  setApproval(tx: Tx, jobId: string, approval: Job['approval']): Promise<void>;
  /** A job by its id alone, locked. */
  lock(tx: Tx, jobId: string): Promise<StoredJob | undefined>;
  /** Removes a job; its runs and restore points stay. */
  remove(tx: Tx, jobId: string): Promise<void>;
  activeRun(tx: Tx, jobId: string): Promise<string | undefined>;
  /** Every run of a tenant that has not ended, also of jobs that were removed. */
  activeRunsOf(tx: Tx, tenantId: string): Promise<string[]>;
  /** The jobs of a tenant that have no next run, locked. */
  atRest(tx: Tx, tenantId: string): Promise<StoredJob[]>;
  setNext(tx: Tx, jobId: string, nextRunAt: Date): Promise<void>;
}

const columns = [
  'job_id',
  'tenant_id',
  'name',
  'workload',
  'location_id',
  'body',
  'next_run_at',
  'creator',
  'saved_by',
  'anchored_at',
  'version',
  'approval',
] as const;

interface Row {
  readonly job_id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly workload: Workload | null;
  readonly location_id: string | null;
  readonly body: object;
  readonly next_run_at: Date | null;
  readonly creator: string;
  readonly saved_by: string | null;
  readonly anchored_at: Date;
  readonly version: number;
  readonly approval: Job['approval'];
}

/** A row as the domain has it. */
export function storedJob(row: Row): StoredJob {
  const body = completeBody(row.body as JobBody);
  return {
    jobId: row.job_id,
    tenantId: row.tenant_id,
    name: row.name,
    type: body.type,
    workload: row.workload,
    locationId: row.location_id,
    body,
    nextRunAt: row.next_run_at,
    creator: row.creator,
    savedBy: row.saved_by,
    anchoredAt: row.anchored_at,
    version: row.version,
    approval: row.approval,
  };
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** A refused statement ends its transaction: the caller must roll back on anything but `saved`. */
async function saved(work: Promise<unknown>): Promise<SaveResult> {
  try {
    await work;
    return 'saved';
  } catch (error) {
    const code = systemCode(error);
    if (code === UNIQUE_VIOLATION) return 'name-taken';
    if (code === FOREIGN_KEY_VIOLATION) return 'location-unknown';
    throw error;
  }
}

function placeColumns(body: JobBody) {
  const { workload, locationId } = placeOf(body);
  return { workload, location_id: locationId };
}

function scheduleOf(body: JobBody): Schedule {
  return body.schedule;
}

/** What a tenant's going out of use and coming back asks of its jobs. */
const together: Pick<JobsStore, 'activeRunsOf' | 'atRest' | 'setNext'> = {
  async activeRunsOf(tx, tenantId) {
    const rows = await tx
      .selectFrom('runs')
      .select('run_id')
      .where('tenant_id', '=', tenantId)
      .where('status', 'in', activeRunStatuses)
      .execute();
    return rows.map((row) => row.run_id);
  },
  async atRest(tx, tenantId) {
    const query = tx.selectFrom('jobs').select(columns).where('tenant_id', '=', tenantId).where('next_run_at', 'is', null);
    return (await query.forUpdate().execute()).map(storedJob);
  },
  async setNext(tx, jobId, nextRunAt) {
    await tx.updateTable('jobs').set({ next_run_at: nextRunAt }).where('job_id', '=', jobId).execute();
  },
};

export function createJobsStore(database: Database): JobsStore {
  return Object.freeze<JobsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    insert(tx, job) {
      const { body } = job;
      const row = {
        job_id: job.jobId,
        tenant_id: job.tenantId,
        name: body.name,
        type: body.type,
        ...placeColumns(body),
        body: JSON.stringify(body),
        schedule: JSON.stringify(scheduleOf(body)),
        next_run_at: job.nextRunAt,
        creator: job.creator,
        created_by: job.createdBy,
        saved_by: job.createdBy,
        created_at: job.at,
        anchored_at: job.at,
        approval: traitsOf(body.type).needsApproval ? 'waiting' : 'notNeeded',
      } as const;
      return saved(tx.insertInto('jobs').values(row).execute());
    },
    update(tx, jobId, change) {
      const { body } = change;
      return saved(
        tx
          .updateTable('jobs')
          .set((column) => ({
            name: body.name,
            ...placeColumns(body),
            body: JSON.stringify(body),
            schedule: JSON.stringify(scheduleOf(body)),
            saved_by: change.savedBy,
            next_run_at: change.nextRunAt,
            version: column('version', '+', 1),
            ...(change.approval ? { approval: change.approval } : {}),
            ...(change.anchoredAt ? { anchored_at: change.anchoredAt } : {}),
          }))
          .where('job_id', '=', jobId)
          .execute(),
      );
    },
    async get(tx, tenantId, jobId, options = {}) {
      const query = tx.selectFrom('jobs').select(columns).where('job_id', '=', jobId).where('tenant_id', '=', tenantId);
      const row = await (options.forUpdate === true ? query.forUpdate() : query).executeTakeFirst();
      return row && storedJob(row);
    },
    async setApproval(tx, jobId, approval) {
      await tx.updateTable('jobs').set({ approval }).where('job_id', '=', jobId).execute();
    },
    async lock(tx, jobId) {
      const row = await tx.selectFrom('jobs').select(columns).where('job_id', '=', jobId).forUpdate().executeTakeFirst();
      return row && storedJob(row);
    },
    async remove(tx, jobId) {
      await tx.deleteFrom('jobs').where('job_id', '=', jobId).execute();
    },
    async activeRun(tx, jobId) {
      const row = await tx
        .selectFrom('runs')
        .select('run_id')
        .where('job_id', '=', jobId)
        .where('status', 'in', activeRunStatuses)
        .executeTakeFirst();
      return row?.run_id;
    },
    ...together,
  });
}
