import type { LiveEventName } from '@holdfast/contract/events';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { createBoundedQueue, type BoundedQueue } from '@holdfast/foundation/queue';
import { sql } from 'kysely';

/** Something changed: enough for a screen to know what to read again, never the content. */
export interface LiveEvent {
  readonly name: LiveEventName;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, string | null>>;
}

/** An event with the id by which a client resumes. */
export interface NumberedEvent extends LiveEvent {
  readonly id: string;
}

/** Tells of changes as part of the transaction that makes them. */
export async function announce(tx: Tx, scope: Scope, event: LiveEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ ...event, organisationId: scope.organisationId, realm: scope.realm })})`.execute(
    tx,
  );
}

export interface LiveEvents {
  /** Events of a tenant from now on; after `lastId`, when this process still has what came since. */
  subscribe(
    scope: Scope,
    tenantId: string,
    options: { readonly lastId?: string; readonly signal: AbortSignal },
  ): AsyncIterable<NumberedEvent>;
  close(): void;
}

const CHANNEL = 'holdfast_live';
/** What is kept for clients that come back. */
const KEPT = 2_000;
/** A reader that is this far behind is told to read everything again. */
const BEHIND = 500;

interface Received extends NumberedEvent {
  readonly organisationId: string;
  readonly realm: string;
}

interface Subscriber {
  readonly takes: (event: Received) => boolean;
  readonly queue: BoundedQueue<NumberedEvent>;
  /** It reads too slowly: nothing more is held for it until it has read what is, and then it reads everything anew. */
  isBehind: boolean;
  refresh(): void;
}

function hand(subscriber: Subscriber, event: NumberedEvent): void {
  if (subscriber.queue.size >= BEHIND) subscriber.isBehind = true;
  if (!subscriber.isBehind) void subscriber.queue.push(event).catch(() => undefined);
}

async function* readBy(subscriber: Subscriber): AsyncGenerator<NumberedEvent, void, undefined> {
  for await (const event of subscriber.queue) {
    yield event;
    if (!subscriber.isBehind || subscriber.queue.size > 0) continue;
    subscriber.isBehind = false;
    subscriber.refresh();
  }
}

/** Everything may have changed: the names that make a screen read all it shows. */
function refreshing(tenantId: string, id: string): NumberedEvent[] {
  return [
    { id, name: 'jobs.changed', tenantId, data: { jobId: null } },
    { id, name: 'tenants.changed', tenantId, data: { tenantId } },
  ];
}

/** Hands the database's notifications to the event streams of this process. */
export function createLiveEvents(database: Database, clock: Clock): LiveEvents {
  const kept: Received[] = [];
  const subscribers = new Set<Subscriber>();
  const epoch = clock.nowMs().toString(36);
  let count = 0;

  function receive(payload: string): void {
    count += 1;
    const event: Received = { ...(JSON.parse(payload) as Omit<Received, 'id'>), id: `${epoch}-${count}` };
    kept.push(event);
    if (kept.length > KEPT) kept.shift();
    for (const subscriber of subscribers) {
      if (subscriber.takes(event)) hand(subscriber, event);
    }
  }

  const stop = database.listen(CHANNEL, receive, () => {
    for (const subscriber of subscribers) subscriber.refresh();
  });

  function missedSince(lastId: string | undefined): Received[] | undefined {
    if (lastId === undefined) return [];
    const [first] = kept;
    const [givenEpoch, given] = lastId.split('-');
    if (givenEpoch !== epoch) return undefined;
    const number = Number(given);
    const oldest = first ? Number(first.id.split('-')[1]) : count + 1;
    if (!Number.isInteger(number) || number < oldest - 1) return undefined;
    return kept.filter((event) => Number(event.id.split('-')[1]) > number);
  }

  return {
    async *subscribe(scope, tenantId, { lastId, signal }) {
      const takes = (event: Received): boolean =>
        event.organisationId === scope.organisationId && event.realm === scope.realm && event.tenantId === tenantId;
      const queue = createBoundedQueue<NumberedEvent>(BEHIND + KEPT + 10);
      const subscriber: Subscriber = {
        takes,
        queue,
        isBehind: false,
        refresh: () => refreshing(tenantId, `${epoch}-${count}`).forEach((event) => hand(subscriber, event)),
      };
      const missed = missedSince(lastId);
      if (missed) for (const event of missed.filter(takes)) void queue.push(event).catch(() => undefined);
      else subscriber.refresh();
      subscribers.add(subscriber);
      const end = (): void => queue.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        yield* readBy(subscriber);
      } finally {
        signal.removeEventListener('abort', end);
        subscribers.delete(subscriber);
      }
    },
    close() {
      stop();
      for (const subscriber of subscribers) subscriber.queue.close();
    },
  };
}
