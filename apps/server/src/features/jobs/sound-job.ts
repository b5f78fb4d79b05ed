import { placeOf, type JobBody } from '@holdfast/contract/jobs';
import { takes } from '@holdfast/contract/locations';
import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Saving } from '../../runs/kind.ts';
import { requireLocation } from '../locations/index.ts';
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

/** Whether the expression for teams can be run. */
export function requireSoundSource(body: JobBody): void {
  if ('source' in body && body.source.teamExpression !== '') nameMatcher(body.source.teamExpression, 'source.teamExpression');
}

/** Whether the location, if the kind has one, is there and meant for such jobs. That of a saved job stays its own, whatever it is meant for since. */
export async function requireSoundLocation(tx: Tx, { tenantId, body, before }: Saving): Promise<void> {
  const { locationId } = placeOf(body);
  if (locationId === null) return;
  const isItsOwn = before !== undefined && placeOf(before).locationId === locationId;
  await requireLocation(tx, { tenantId, locationId }, (use) => isItsOwn || takes(use, body.type));
}
