import type { FigureName } from './figures.views.ts';

/** A series of `/metrics`: which column of which figure, and what it is broken down by besides the organisation. */
export interface FigureSeries {
  readonly name: string;
  readonly help: string;
  readonly figure: FigureName;
  readonly value: string;
  /** A label and the column it is read from. */
  readonly labels: Readonly<Record<string, string>>;
}

const byWorkload = { workload: 'workload' } as const;
const byEnd = { status: 'status', code: 'code' } as const;

export const figureSeries: readonly FigureSeries[] = [
  {
    name: 'job_last_success_timestamp_seconds',
    help: 'When a run of the job last succeeded; absent before the first time. At most 500 jobs of an organisation.',
    figure: 'jobs',
    value: 'at',
    labels: { job_id: 'job_id', job: 'name', type: 'type' },
  },
  {
    name: 'resources',
    help: 'Mailboxes, drives, sites, teams and chats by the age of their newest restore point: day, week, older or none.',
    figure: 'points',
    value: 'resources',
    labels: { ...byWorkload, newest_point: 'newest_point' },
  },
  {
    name: 'newest_point_timestamp_seconds',
    help: 'The newest restore point of a workload, by its age: day, week or older.',
    figure: 'points',
    value: 'newest_at',
    labels: { ...byWorkload, newest_point: 'newest_point' },
  },
  {
    name: 'oldest_newest_point_timestamp_seconds',
    help: 'The newest restore point of the resource that was backed up longest ago, by its age: day, week or older.',
    figure: 'points',
    value: 'oldest_at',
    labels: { ...byWorkload, newest_point: 'newest_point' },
  },
  { name: 'runs', help: 'Runs that wait (pending) or work.', figure: 'queue', value: 'runs', labels: { status: 'status' } },
  {
    name: 'runs_oldest_queued_timestamp_seconds',
    help: 'When the oldest run that waits or works was queued.',
    figure: 'queue',
    value: 'oldest_at',
    labels: { status: 'status' },
  },
  { name: 'runs_ended_day', help: 'Runs that ended within 24 hours, by result and reason.', figure: 'ended', value: 'runs', labels: byEnd },
  {
    name: 'run_read_bytes_day',
    help: 'Bytes that runs which ended within 24 hours have read.',
    figure: 'ended',
    value: 'read',
    labels: byEnd,
  },
  {
    name: 'run_new_bytes_day',
    help: 'Bytes of them that no vault had before.',
    figure: 'ended',
    value: 'added',
    labels: byEnd,
  },
  {
    name: 'run_stored_bytes_day',
    help: 'Bytes that were stored for them after compression.',
    figure: 'ended',
    value: 'stored',
    labels: byEnd,
  },
  {
    name: 'item_errors_day',
    help: 'Items that runs which ended within 24 hours could not read, by reason. The 50 most frequent reasons.',
    figure: 'errors',
    value: 'items',
    labels: { code: 'code' },
  },
  {
    name: 'protected_bytes',
    help: 'Size of what the newest restore points hold.',
    figure: 'protected',
    value: 'bytes',
    labels: byWorkload,
  },
  {
    name: 'protected_items',
    help: 'Number of items that the newest restore points hold.',
    figure: 'protected',
    value: 'items',
    labels: byWorkload,
  },
  {
    name: 'audit_destinations',
    help: 'Destinations of audit events by state: sending, failing or paused.',
    figure: 'destinations',
    value: 'destinations',
    labels: { state: 'state' },
  },
];
