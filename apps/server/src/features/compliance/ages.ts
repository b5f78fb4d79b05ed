import { ageBuckets, staleFor, type AgeBucket, type StaleFor } from '@holdfast/contract/compliance-values';

const spans: Readonly<Record<StaleFor, Temporal.DurationLike>> = {
  days30: { days: 30 },
  weeks8: { weeks: 8 },
  months6: { months: 6 },
  year1: { years: 1 },
  years2: { years: 2 },
  years5: { years: 5 },
};

/** The moment before which the last change of something is that long ago. */
export function staleBefore(age: StaleFor, now: Date): Date {
  const then = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC').subtract(spans[age]);
  return new Date(then.epochMilliseconds);
}

/** The limits between the buckets of age, from the youngest on. */
export function ageLimits(now: Date): readonly Date[] {
  return staleFor.map((age) => staleBefore(age, now));
}

/** The bucket at a place, as `ageLimits` counts them. */
export function ageAt(place: number): AgeBucket {
  return ageBuckets[place] ?? 'older';
}
