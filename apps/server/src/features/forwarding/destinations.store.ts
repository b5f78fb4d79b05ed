import type { SendFailureView } from '@holdfast/contract/forwarding';
import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

export type DestinationRow = Selectable<OrganisationTables['audit_destinations']>;

/** A destination of any organisation. */
export interface DestinationPlace {
  readonly scope: Scope;
  readonly destinationId: string;
}

const MOST_COUNTED = 1_000;
const ALARMS = 'alarms.%';

/** Destinations that events wait for and nobody sends to, those that have waited longest first. */
export function dueDestinations(database: Database, at: Date, limit: number): Promise<DestinationPlace[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx
      .selectFrom('audit_destinations as destination')
      .select(['destination.organisation_id', 'destination.realm', 'destination.destination_id'])
      .where('destination.is_enabled', '=', true)
      .where('destination.next_attempt_at', '<=', at)
      .where((or) => or.or([or('destination.leased_until', 'is', null), or('destination.leased_until', '<=', at)]))
      .where((is) =>
        is.exists(
          is
            .selectFrom('audit_events as event')
            .select('event.sequence')
            .whereRef('event.organisation_id', '=', 'destination.organisation_id')
            .whereRef('event.realm', '=', 'destination.realm')
            .whereRef('event.sequence', '>', 'destination.cursor'),
        ),
      )
      .orderBy('destination.next_attempt_at')
      .orderBy('destination.destination_id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      scope: { organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm },
      destinationId: row.destination_id,
    }));
  });
}

export function listDestinations(tx: Tx): Promise<DestinationRow[]> {
  return tx.selectFrom('audit_destinations').selectAll().orderBy('created_at').orderBy('destination_id').execute();
}

export function readDestination(tx: Tx, destinationId: string): Promise<DestinationRow | undefined> {
  return tx.selectFrom('audit_destinations').selectAll().where('destination_id', '=', destinationId).executeTakeFirst();
}

/** How many destinations there are, counted by one transaction at a time. */
export async function countDestinations(tx: Tx): Promise<number> {
  await tx.selectFrom('organisations').select('organisation_id').forUpdate().execute();
  const { count } = await tx
    .selectFrom('audit_destinations')
    .select((all) => all.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function addDestination(tx: Tx, row: Insertable<OrganisationTables['audit_destinations']>): Promise<void> {
  await tx.insertInto('audit_destinations').values(row).execute();
}

export async function changeDestination(
  tx: Tx,
  destinationId: string,
  change: Updateable<OrganisationTables['audit_destinations']>,
): Promise<void> {
  await tx.updateTable('audit_destinations').set(change).where('destination_id', '=', destinationId).execute();
}

export async function removeDestination(tx: Tx, destinationId: string): Promise<void> {
  await tx.deleteFrom('audit_destinations').where('destination_id', '=', destinationId).execute();
}

/** The number of the newest event of an organisation. */
export async function newestSequence(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('audit_events').select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  return row?.sequence ?? 0;
}

/** How many events a destination has not received, counted up to a thousand. */
export async function countWaiting(tx: Tx, { cursor, feed }: Pick<DestinationRow, 'cursor' | 'feed'>): Promise<number> {
  const { count } = await tx
    .selectFrom((from) => {
      const waiting = from.selectFrom('audit_events').select('sequence').where('sequence', '>', cursor).limit(MOST_COUNTED);
      return (feed === 'alarms' ? waiting.where('event', 'like', ALARMS) : waiting).as('waiting');
    })
    .select((all) => all.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface Lease {
  readonly leaseId: string;
  readonly at: Date;
  readonly until: Date;
}

/** Takes a destination for a while; undefined when somebody else has it, or it is not to be sent to now. */
export function leaseDestination(tx: Tx, destinationId: string, { leaseId, at, until }: Lease): Promise<DestinationRow | undefined> {
  return tx
    .updateTable('audit_destinations')
    .set({ lease_id: leaseId, leased_until: until })
    .where('destination_id', '=', destinationId)
    .where('is_enabled', '=', true)
    .where('next_attempt_at', '<=', at)
    .where((or) => or.or([or('leased_until', 'is', null), or('leased_until', '<=', at), or('lease_id', '=', leaseId)]))
    .returningAll()
    .executeTakeFirst();
}

/** Gives a destination back. */
export async function releaseDestination(tx: Tx, destinationId: string, leaseId: string): Promise<void> {
  await tx
    .updateTable('audit_destinations')
    .set({ lease_id: null, leased_until: null })
    .where('destination_id', '=', destinationId)
    .where('lease_id', '=', leaseId)
    .execute();
}

export interface Progress {
  readonly leaseId: string;
  readonly cursor: number;
  /** When events were sent; null when there were none that this destination wants. */
  readonly sentAt: Date | null;
}

/** Moves a destination forward; false when the lease was lost meanwhile. What is received and not noted is sent again. */
export async function advance(tx: Tx, destinationId: string, { leaseId, cursor, sentAt }: Progress): Promise<boolean> {
  const passed = { cursor, attempts: 0, failing_since: null, last_failure: null, stalled_at: null };
  const changed = await tx
    .updateTable('audit_destinations')
    .set(sentAt === null ? { cursor } : { ...passed, last_sent_at: sentAt })
    .where('destination_id', '=', destinationId)
    .where('lease_id', '=', leaseId)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export interface Setback {
  readonly leaseId: string;
  readonly at: Date;
  readonly nextAttemptAt: Date;
  readonly failure: SendFailureView;
}

/** Notes a failed attempt and gives the destination back; undefined when the lease was lost meanwhile. */
export function setBack(tx: Tx, destinationId: string, setback: Setback): Promise<DestinationRow | undefined> {
  return tx
    .updateTable('audit_destinations')
    .set((column) => ({
      attempts: sql<number>`${column.ref('attempts')} + 1`,
      failing_since: sql<Date>`coalesce(${column.ref('failing_since')}, ${setback.at})`,
      last_failure: JSON.stringify(setback.failure),
      next_attempt_at: setback.nextAttemptAt,
      lease_id: null,
      leased_until: null,
    }))
    .where('destination_id', '=', destinationId)
    .where('lease_id', '=', setback.leaseId)
    .returningAll()
    .executeTakeFirst();
}
