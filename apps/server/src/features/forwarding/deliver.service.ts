import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { Ids } from '@holdfast/foundation/ids';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';
import { auditEventView, eventsAfter, type AuditInbox } from '../audit/index.ts';
import {
  advance,
  changeDestination,
  leaseDestination,
  releaseDestination,
  setBack,
  type DestinationPlace,
  type DestinationRow,
} from './destinations.store.ts';
import { SendFailure } from './send-failure.ts';
import { isAlarm } from './syslog-message.ts';
import { lineOf, type OutgoingEvent, type Transport } from './transport.ts';

export interface DeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  /** The way to a destination, with its secret opened. */
  transport(scope: Scope, row: DestinationRow): Promise<Transport>;
  /** Mails that a destination has stood still for a while. The caller's transaction makes sure that it happens once. */
  stalled(tx: Tx, scope: Scope, news: StalledDestination): Promise<void>;
}

/** A destination that receives nothing any more. */
export interface StalledDestination {
  readonly name: string;
  readonly since: Date;
}

const BATCH = 100;
const BATCH_BYTES = 1_048_576;
/** Longer than one attempt may take. */
const LEASE_MS = 30_000;
const BACKOFF = { firstDelayMs: 2_000, maxDelayMs: 300_000 } as const;
/** Attempts after which the wait no longer grows. */
const LONGEST_AFTER = 20;
/** How long a destination may stand still before it is an alarm. */
const STALLED_MS = 15 * 60_000;

/** A destination while this process sends to it. */
interface Held {
  readonly scope: Scope;
  readonly row: DestinationRow;
  readonly leaseId: string;
}

/** The first events that fit into one batch; one that is larger is sent alone. */
function fitting(events: readonly OutgoingEvent[]): OutgoingEvent[] {
  let bytes = 0;
  const over = events.findIndex((event) => (bytes += lineOf(event).length) > BATCH_BYTES);
  return events.slice(0, over === -1 ? events.length : Math.max(1, over));
}

const failureOf = (error: unknown): SendFailure =>
  error instanceof SendFailure ? error : new SendFailure('unreadable', error instanceof Error ? error.name : '', error);

/** What comes next for a destination, and up to which number everything is settled then. */
async function nextBatch({ database }: DeliveryPorts, { scope, row }: Held): Promise<{ events: OutgoingEvent[]; cursor: number }> {
  const rows = await database.within(scope, (tx) => eventsAfter(tx, row.cursor, BATCH));
  const batch = fitting(rows.map((event) => ({ ...auditEventView(event), organisationId: scope.organisationId })));
  const events = row.feed === 'alarms' ? batch.filter(({ event }) => isAlarm(event)) : batch;
  return { events, cursor: batch.at(-1)?.sequence ?? row.cursor };
}

function note(
  { audit }: DeliveryPorts,
  tx: Tx,
  event: 'forwarding.resumed' | 'alarms.forwarding-stalled',
  row: DestinationRow,
): Promise<void> {
  return audit.record(tx, {
    event,
    outcome: event === 'forwarding.resumed' ? 'succeeded' : 'failed',
    actor: { kind: 'system', name: 'forwarding' },
    subject: { kind: 'destination', id: row.destination_id, name: row.name },
  });
}

/** Sends one batch. False when there is nothing more, or the destination belongs to another process by now. */
async function sendBatch(ports: DeliveryPorts, held: Held, signal: AbortSignal): Promise<boolean> {
  const { scope, row, leaseId } = held;
  const { events, cursor } = await nextBatch(ports, held);
  if (cursor === row.cursor) return false;
  const isEmpty = events.length === 0;
  if (!isEmpty) await (await ports.transport(scope, row)).send(events, signal);
  await crashPoint('forwarding.before-cursor');
  return ports.database.within(scope, async (tx) => {
    const hasLease = await advance(tx, row.destination_id, { leaseId, cursor, sentAt: isEmpty ? null : now(ports.clock) });
    if (hasLease && !isEmpty && row.stalled_at !== null) await note(ports, tx, 'forwarding.resumed', row);
    return hasLease;
  });
}

/** Notes a failed attempt; one that has failed for long is an alarm, once. */
async function fail(ports: DeliveryPorts, { scope, row, leaseId }: Held, { reason, detail }: SendFailure): Promise<void> {
  const at = now(ports.clock);
  const waitMs = backoffMs(Math.min(row.attempts + 1, LONGEST_AFTER), { ...BACKOFF, random: ports.random });
  await ports.database.within(scope, async (tx) => {
    const nextAttemptAt = new Date(at.getTime() + waitMs);
    const failed = await setBack(tx, row.destination_id, { leaseId, at, nextAttemptAt, failure: { reason, detail } });
    const since = failed?.failing_since;
    if (!failed || !since || failed.stalled_at !== null || at.getTime() - since.getTime() < STALLED_MS) return;
    await changeDestination(tx, row.destination_id, { stalled_at: at });
    await note(ports, tx, 'alarms.forwarding-stalled', row);
    await ports.stalled(tx, scope, { name: row.name, since });
  });
}

/** Sends what waits for one destination, batch after batch, unless another process does. Stops at the first failure. */
export async function deliver(ports: DeliveryPorts, { scope, destinationId }: DestinationPlace, signal: AbortSignal): Promise<void> {
  const { database, clock } = ports;
  const leaseId = ports.ids.uuid();
  const lease = (): Promise<DestinationRow | undefined> =>
    database.within(scope, (tx) =>
      leaseDestination(tx, destinationId, { leaseId, at: now(clock), until: new Date(clock.nowMs() + LEASE_MS) }),
    );
  for (let row = await lease(); row; row = signal.aborted ? undefined : await lease()) {
    const held = { scope, row, leaseId };
    try {
      if (!(await sendBatch(ports, held, signal))) break;
    } catch (error) {
      if (signal.aborted) break;
      await fail(ports, held, failureOf(error));
      return;
    }
  }
  await database.within(scope, (tx) => releaseDestination(tx, destinationId, leaseId));
}
