import type { JobBody } from '@holdfast/contract/jobs';
import { takes } from '@holdfast/contract/locations';
import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { JobsStore } from './jobs.store.ts';
import { isTimeZone, nextOccurrence } from './schedule.ts';
import { nameMatcher } from './team-expression.ts';

/** Whether the zone exists and a date is to come. A date that has passed since may stay. */
export function requireSoundSchedule({ schedule }: JobBody, nowMs: number): void {
  if ('timeZone' in schedule && !isTimeZone(schedule.timeZone)) {
    throw new AppError('jobs.time-zone-unknown', { details: { field: 'schedule.timeZone' } });
  }
  if (schedule.mode === 'date' && !nextOccurrence(schedule, nowMs, nowMs)) {
    throw new AppError('jobs.date-in-past', { details: { field: 'schedule.date' } });
  }
}

/** Nothing archives: a job that only backed up under this name would promise what it does not keep. */
export function requireKind({ type }: JobBody): void {
  if (type === 'archive') throw new AppError('jobs.type-unavailable', { details: { field: 'type' } });
}

/** Whether the expression for teams can be run. */
export function requireSoundSource(body: JobBody): void {
  if ('source' in body && body.source.teamExpression !== '') nameMatcher(body.source.teamExpression, 'source.teamExpression');
}

interface Saving {
  readonly body: JobBody;
  readonly before?: JobBody;
}

/** Whether the location is there and meant for such jobs. That of a saved job stays its own, whatever it is meant for since. */
async function requireSoundLocation({ store }: { readonly store: JobsStore }, tx: Tx, tenantId: string, { body, before }: Saving) {
  const { locationId, type } = body;
  const use = await store.useOf(tx, tenantId, locationId);
  if (use === undefined) throw new AppError('jobs.location-unknown', { details: { field: 'locationId' } });
  if (before?.locationId === locationId || takes(use, type)) return;
  throw new AppError('jobs.location-use', { details: { field: 'locationId' } });
}

/** Whether the location is sound, and what a restore works from is there: its run could only fail. What a saved job names may have gone since. */
export async function requireSoundPlace(options: { readonly store: JobsStore }, tx: Tx, tenantId: string, saving: Saving): Promise<void> {
  const { body, before } = saving;
  await requireSoundLocation(options, tx, tenantId, saving);
  if (body.type !== 'restore') return;
  const { locationId, workload } = body;
  const { sourceId, sequence } = body.restore;
  const isKept = before?.type === 'restore' && before.locationId === locationId && before.restore.sourceId === sourceId;
  if (isKept && before.workload === workload && before.restore.sequence === sequence) return;
  const found = await options.store.restorable(tx, { tenantId, locationId, workload, sourceId, sequence });
  if (!found) throw new AppError('restore.source-unknown', { details: { field: 'restore.sourceId' } });
  if (!found.hasPoint) throw new AppError('restore.point-unknown', { details: { field: 'restore.sequence' } });
}
