/** The library allows less than a day; a run that needs longer hands itself on before (see the worker). */
const LONGEST_SECONDS = 86_399;

/** A queue of the installation. One row a queue; tasks name theirs. */
export interface QueueDefinition {
  readonly name: string;
  /** A worker that says nothing for this long has died; its task goes to another. At least 10. */
  readonly heartbeatSeconds: number;
  /** The longest a task may take in all. */
  readonly expireInSeconds: number;
  readonly retryLimit: number;
  readonly retryDelaySeconds: number;
}

/**
 * The queues: `runs` (backup and archive), `restores` (never behind backups), `tasks` (provisioning,
 * mail, exports and other short work).
 */
export const queues = [
  { name: 'runs', heartbeatSeconds: 30, expireInSeconds: LONGEST_SECONDS, retryLimit: 1_000, retryDelaySeconds: 1 },
  { name: 'restores', heartbeatSeconds: 30, expireInSeconds: LONGEST_SECONDS, retryLimit: 1_000, retryDelaySeconds: 1 },
  { name: 'tasks', heartbeatSeconds: 30, expireInSeconds: LONGEST_SECONDS, retryLimit: 10, retryDelaySeconds: 5 },
] as const satisfies readonly QueueDefinition[];

export type QueueName = (typeof queues)[number]['name'];

/** The schema that the queue library keeps its tables in. */
export const queueSchema = 'pgboss';
