/**
 * Metrics: what an operator asks about backups, for Prometheus: the last success of each job, the age of restore points, the
 * queue, errors by code, bytes.
 *
 * The figures are read from the database, at most every 30 seconds however often somebody asks, and are the same in every
 * process that serves HTTP. Series are bounded: jobs have one each up to a number, resources are counted by the age of
 * their newest restore point. Staging is a rehearsal and is left out.
 */
export { createMetricsFeature } from './feature.ts';
