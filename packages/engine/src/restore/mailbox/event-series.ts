import type { CalendarCalls, EventRef } from '@holdfast/m365';
import { exceptionChange, type StoredEvent } from './event-body.ts';
import { eventTimes } from './event-times.ts';
import { inZone } from './time-zones.ts';

const DAY_MS = 86_400_000;

function momentOf({ originalStart, start }: StoredEvent): number | undefined {
  const at = originalStart ?? start?.dateTime;
  const ms = at === undefined ? Number.NaN : Date.parse(at.endsWith('Z') ? at : `${at}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Gives a restored series its exceptions and cancelled dates back, by changing the occurrences that the service made. */
export function createSeriesRestorer(calendar: CalendarCalls, userId: string) {
  /** Without its original start an exception belongs to the regular occurrence that is nearest to it. */
  async function restoreException(series: EventRef, exception: StoredEvent): Promise<boolean> {
    const ms = momentOf(exception);
    if (ms === undefined) return false;
    const range = { from: new Date(ms - 2 * DAY_MS).toISOString(), to: new Date(ms + 2 * DAY_MS).toISOString() };
    let nearest: { readonly id: string; readonly distance: number } | undefined;
    for await (const occurrence of calendar.instances(series, range)) {
      const own = momentOf(occurrence as unknown as StoredEvent);
      if (own === undefined || occurrence.type === 'exception') continue;
      const distance = Math.abs(own - ms);
      if (!nearest || distance < nearest.distance) nearest = { id: occurrence.id, distance };
    }
    if (!nearest) return false;
    await calendar.updateEvent({ userId, eventId: nearest.id }, exceptionChange(exception));
    return true;
  }

  /** The id of a cancelled occurrence ends with its date in the zone of the series, which may not be its date in UTC. */
  async function cancelOccurrence(series: EventRef, occurrenceId: string, zone: string): Promise<boolean> {
    const day = /(\d{4}-\d{2}-\d{2})$/u.exec(occurrenceId)?.[1];
    if (day === undefined) return false;
    const from = new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString();
    const to = new Date(Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS).toISOString();
    for await (const occurrence of calendar.instances(series, { from, to })) {
      const own = occurrence.originalStart ?? occurrence.start?.dateTime ?? '';
      if (inZone(own, zone)?.dateTime.startsWith(day) !== true) continue;
      await calendar.deleteEvent({ userId, eventId: occurrence.id });
      return true;
    }
    return false;
  }

  async function restoreSeries(stored: StoredEvent, series: EventRef): Promise<readonly string[]> {
    const differences: string[] = [];
    for (const exception of stored.exceptionOccurrences ?? []) {
      if (!(await restoreException(series, exception))) differences.push('exceptionOccurrences');
    }
    const zone = eventTimes(stored).start?.timeZone ?? 'UTC';
    for (const id of stored.cancelledOccurrences ?? []) {
      if (!(await cancelOccurrence(series, id, zone))) differences.push('cancelledOccurrences');
    }
    return differences;
  }

  return { restoreSeries };
}
