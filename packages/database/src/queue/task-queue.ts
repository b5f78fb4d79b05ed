import { systemClock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { CompiledQuery, type QueryResult } from 'kysely';
import { PgBoss, type Db, type JobWithMetadata } from 'pg-boss';
import type { Database } from '../access/database.ts';
import { organisationId, type Realm, type Scope } from '../access/scope.ts';
import { queueSchema, type QueueName } from './queues.ts';

/** Work for any worker. Payloads hold ids only: what they mean is read from the tables when the work begins. */
export interface NewTask {
  /** Names the work: while a task of this key waits or runs, another is not taken. */
  readonly key: string;
  readonly scope: Scope;
  readonly payload: Readonly<Record<string, string | number>>;
  /** Not before this time. */
  readonly startAfter?: Date;
  /** Higher goes first; 0 by default. */
  readonly priority?: number;
}

export interface Task {
  readonly key: string;
  readonly scope: Scope;
  readonly payload: Readonly<Record<string, string | number>>;
  /** From 1; grows when a worker died or threw. */
  readonly attempt: number;
  /** Aborted when the task was taken away or this process drains. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Tasks of this queue that this process works on at a time. */
  readonly slots: number;
  /** Of one organisation in this process: what keeps one from holding the others up. */
  readonly slotsPerOrganisation: number;
}

/** Any transaction of this package. */
interface OpenTransaction {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>;
}

/** The queue over PostgreSQL. Made by `createTaskQueue`. */
export interface TaskQueue {
  /** Adds a task, in the caller's transaction when one is given. False when one of its key waits or runs already. */
  send(queue: QueueName, task: NewTask, tx?: OpenTransaction): Promise<boolean>;
  /** Takes tasks until `stop`. A handler that throws gives the task back for another try. */
  work(queue: QueueName, options: WorkOptions, handle: (task: Task) => Promise<void>): Promise<void>;
  /** Tasks that wait and that run, by queue; for metrics. */
  counts(queue: QueueName): Promise<{ readonly waiting: number; readonly running: number }>;
  /** Takes no more, tells the running ones to hand themselves on, and waits for them at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface TaskQueueOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Workers and schedulers watch over heartbeats and clean up; the API only sends. */
  readonly supervises: boolean;
}

interface Payload {
  readonly key: string;
  readonly organisationId: string;
  readonly realm: Realm;
  readonly payload: Readonly<Record<string, string | number>>;
}

/** How soon the death of a worker is seen, beyond its heartbeat. */
const WATCH_SECONDS = 10;
const FALLBACK_POLL_SECONDS = 2;
const OTHERS_ASKED_MS = 1_000;

function adapter(database: Database): Db {
  return {
    async executeSql(text, values) {
      return database.queueConnection.executeSql(text, values);
    },
    async listen(channel, onNotification, onReconnect) {
      const stop = database.listen(channel, onNotification, onReconnect);
      return { close: async () => stop() };
    },
  };
}

function within(tx: OpenTransaction): Db {
  return {
    async executeSql(text, values = []) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}

/** Whoever ends a task ends it for the worker that has it now: one that lost it waits until that one is done. */
async function whileAnotherHas(
  boss: PgBoss,
  { queue, job, until }: { readonly queue: QueueName; readonly job: JobWithMetadata<Payload>; readonly until: AbortSignal },
): Promise<void> {
  for (;;) {
    // A database that doesn't answer leaves open whose the task is.
    const now = await boss.getJobById(queue, job.id).catch(() => undefined);
    if (now === null || (now && (now.state !== 'active' || now.retryCount === job.retryCount))) return;
    // Given back rather than ended: one attempt too many is better than one too few.
    if (until.aborted) throw new Error('This process stops, and another worker has its task or nobody knows.');
    await systemClock.sleep(OTHERS_ASKED_MS, until).catch(() => undefined);
  }
}

/** Opens the queue. Its tables are made by `migrate`. */
export async function createTaskQueue(options: TaskQueueOptions): Promise<TaskQueue> {
  const { database, logger } = options;
  const boss = new PgBoss({
    db: adapter(database),
    schema: queueSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.supervises,
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    maintenanceIntervalSeconds: 600,
    reindex: false,
    useListenNotify: options.supervises,
  });
  boss.on('error', (error) => logger.warn({ err: error }, 'the queue met an error'));
  await boss.start();
  const draining = new AbortController();
  const running = new Set<Promise<void>>();

  return Object.freeze<TaskQueue>({
    async send(queue, task, tx) {
      const { key, scope, payload } = task;
      const data: Payload = { key, organisationId: scope.organisationId, realm: scope.realm, payload };
      const id = await boss.send(queue, data, {
        singletonKey: key,
        group: { id: `${scope.organisationId}/${scope.realm}` },
        ...(task.priority === undefined ? {} : { priority: task.priority }),
        ...(task.startAfter === undefined ? {} : { startAfter: task.startAfter }),
        ...(tx === undefined ? {} : { db: within(tx) }),
      });
      return id !== null;
    },
    async work(queue, { slots, slotsPerOrganisation }, handle) {
      const settings = {
        localConcurrency: slots,
        localGroupConcurrency: slotsPerOrganisation,
        pollingIntervalSeconds: FALLBACK_POLL_SECONDS,
        notifyPollingIntervalSeconds: FALLBACK_POLL_SECONDS,
        heartbeatRefreshSeconds: 5,
        includeMetadata: true,
      } as const;
      await boss.work(queue, settings, async ([job]: JobWithMetadata<Payload>[]) => {
        if (!job) return;
        const { key, payload, realm } = job.data;
        const scope: Scope = { organisationId: organisationId(job.data.organisationId), realm };
        const signal = AbortSignal.any([job.signal, draining.signal]);
        const work = handle({ key, scope, payload, attempt: job.retryCount + 1, signal });
        const settled = work.then(
          () => undefined,
          () => undefined,
        );
        running.add(settled);
        try {
          await work;
        } finally {
          running.delete(settled);
          await whileAnotherHas(boss, { queue, job, until: draining.signal });
        }
      });
    },
    async counts(queue) {
      const found = await boss.getQueue(queue);
      return { waiting: found?.queuedCount ?? 0, running: found?.activeCount ?? 0 };
    },
    async stop(graceMs) {
      draining.abort(new Error('This process is stopping.'));
      const late = new AbortController();
      await Promise.race([Promise.all(running), systemClock.sleep(graceMs, late.signal).catch(() => undefined)]);
      late.abort();
      await boss.stop({ graceful: true, timeout: 2_000, close: false });
    },
  });
}
