import type { Clock } from '@holdfast/foundation/clock';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';

/**
 * Tells an outage from a bad item. While different things of one bucket fail one after the other, its requests are
 * spaced further and further apart and don't use up the tries of single items. One success ends it. One thing that fails
 * is never an outage, however often it is asked for.
 */
export interface Breaker {
  succeeded(buckets: readonly string[]): void;
  /** Notes a fault of the service; while there is an outage, how long the buckets should rest. */
  failed(buckets: readonly string[], thing: Thing): { readonly restMs: number } | undefined;
}

/** What a request asked for, from the outermost id to the innermost. Parts of one thing, such as its attachments, are that thing. */
export type Thing = readonly string[];

interface Outage {
  faults: number;
  /** No more than are needed to tell an outage. */
  readonly things: Thing[];
  readonly sinceMs: number;
}

const FAULTS_TO_OPEN = 12;
/** One bad message fails in both its forms, and perhaps its neighbour does too. */
const THINGS_TO_OPEN = 3;
/** Ids that name a thing: a user and a message, a drive and a file. Shorter ones are the resource, and all of it is in it. */
const IDS_OF_THING = 2;
/** After this the items fail for themselves, so that a run ends. */
export const LONGEST_OUTAGE_MS = 90 * 60 * 1000;

function isPartOf(part: Thing, whole: Thing): boolean {
  return whole.length <= part.length && whole.every((id, index) => part[index] === id);
}

function isSame(one: Thing, other: Thing): boolean {
  if (Math.min(one.length, other.length) < IDS_OF_THING) return one.length === other.length && isPartOf(one, other);
  return isPartOf(one, other) || isPartOf(other, one);
}

/** The part of the service that a bucket belongs to: all mailboxes have one. */
function familyOf(bucket: string): string {
  return bucket.split('/', 3).join('/');
}

export function createBreaker(clock: Clock, random: Random): Breaker {
  const outages = new Map<string, Outage>();

  function note(bucket: string, thing: Thing): Outage {
    const outage = outages.get(bucket) ?? { faults: 0, things: [], sinceMs: clock.monotonicMs() };
    outage.faults += 1;
    if (outage.things.length < THINGS_TO_OPEN && !outage.things.some((known) => isSame(known, thing))) outage.things.push(thing);
    outages.set(bucket, outage);
    return outage;
  }

  /** How long to rest for what fails under this name; 0 when it is no outage. */
  function restFor(name: string, thing: Thing): number {
    const { faults, things, sinceMs } = note(name, thing);
    const isLong = clock.monotonicMs() - sinceMs > LONGEST_OUTAGE_MS;
    if (faults < FAULTS_TO_OPEN || things.length < THINGS_TO_OPEN || isLong) return 0;
    const step = Math.min(8, faults - FAULTS_TO_OPEN + 1);
    return backoffMs(step, { firstDelayMs: 2_000, maxDelayMs: 300_000, random });
  }

  return Object.freeze({
    succeeded(buckets: readonly string[]) {
      for (const bucket of buckets) {
        outages.delete(bucket);
        outages.delete(familyOf(bucket));
      }
    },
    failed(buckets: readonly string[], thing: Thing) {
      let restMs = 0;
      for (const bucket of buckets) {
        const family = familyOf(bucket);
        restMs = Math.max(restMs, restFor(bucket, thing));
        // Mailboxes that fail at their first request fail as one thing each: together they tell an outage.
        if (family !== bucket) restMs = Math.max(restMs, restFor(family, thing.slice(0, 1)));
      }
      return restMs > 0 ? { restMs } : undefined;
    },
  });
}
