import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { AuditEvent } from './audit-entry.ts';
import type { Checkpoint } from './checkpoint-note.ts';
import type { TreeNode } from './merkle-tree.ts';

export type AuditEventRow = Selectable<OrganisationTables['audit_events']>;
type InboxRow = Selectable<OrganisationTables['audit_inbox']>;

/** One sequencer at a time, over all processes: its advisory lock. */
const SEQUENCER_LOCK = 4_207_002;
const LEAVES = 0;

export async function lockSequencer(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEQUENCER_LOCK})`.execute(tx);
}

/** Organisations whose events wait for a number. */
export function scopesWaiting(database: Database): Promise<Scope[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx.selectFrom('audit_inbox').select(['organisation_id', 'realm']).distinct().limit(1_000).execute();
    return rows.map((row) => ({ organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm }));
  });
}

/** Whether anything has been numbered yet. */
export function hasEvents(database: Database): Promise<boolean> {
  return database.acrossOrganisations(async (tx) => (await tx.selectFrom('audit_events').select('sequence').limit(1).execute()).length > 0);
}

/** Organisations that have numbered events. */
export function scopesLogged(database: Database): Promise<Scope[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx.selectFrom('audit_events').select(['organisation_id', 'realm']).distinct().execute();
    return rows.map((row) => ({ organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm }));
  });
}

export function waitingEvents(tx: Tx, limit: number): Promise<InboxRow[]> {
  return tx.selectFrom('audit_inbox').selectAll().orderBy('at').orderBy('id').limit(limit).execute();
}

export async function removeWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('audit_inbox').where('id', 'in', ids).execute();
}

export async function treeSize(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('audit_nodes')
    .select('position')
    .where('level', '=', LEAVES)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? 0 : row.position + 1;
}

export async function readNode(tx: Tx, place: { readonly level: number; readonly position: number }): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('audit_nodes')
    .select('hash')
    .where('level', '=', place.level)
    .where('position', '=', place.position)
    .executeTakeFirst();
  return row?.hash;
}

export async function appendEvents(
  tx: Tx,
  events: readonly Insertable<OrganisationTables['audit_events']>[],
  nodes: readonly TreeNode[],
): Promise<void> {
  await tx.insertInto('audit_events').values(events).execute();
  await tx
    .insertInto('audit_nodes')
    .values(nodes.map(({ level, position, hash }) => ({ level, position, hash })))
    .execute();
}

export async function addCheckpoint(tx: Tx, checkpoint: Checkpoint & { readonly note: string }): Promise<void> {
  await tx
    .insertInto('audit_checkpoints')
    .values({ size: checkpoint.size, root: checkpoint.root, at: checkpoint.at, note: checkpoint.note })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** How many events the newest checkpoint covers; 0 before the first. */
export async function checkpointedSize(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('audit_checkpoints').select('size').orderBy('size', 'desc').limit(1).executeTakeFirst();
  return row?.size ?? 0;
}

export interface StoredCheckpoint extends Checkpoint {
  readonly note: string;
}

export function newestCheckpoints(database: Database, limit: number): Promise<StoredCheckpoint[]> {
  return database.installation((tx) => tx.selectFrom('audit_checkpoints').selectAll().orderBy('size', 'desc').limit(limit).execute());
}

export async function hasCheckpoint(database: Database, size: number): Promise<boolean> {
  const row = await database.installation((tx) =>
    tx.selectFrom('audit_checkpoints').select('size').where('size', '=', size).executeTakeFirst(),
  );
  return row !== undefined;
}

export function allCheckpoints(database: Database): Promise<StoredCheckpoint[]> {
  return database.installation((tx) => tx.selectFrom('audit_checkpoints').selectAll().orderBy('size').execute());
}

/** A page of the events of one organisation, in order of their numbers. */
export function eventsAfter(tx: Tx, sequence: number, limit: number): Promise<AuditEventRow[]> {
  return tx.selectFrom('audit_events').selectAll().where('sequence', '>', sequence).orderBy('sequence').limit(limit).execute();
}

/** What all events of a name are about; for names that come once a day at most. */
export async function subjectsOf(tx: Tx, event: AuditEvent): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom('audit_events').select('subject_id').where('event', '=', event).execute();
  return new Set(rows.flatMap(({ subject_id: subject }) => subject ?? []));
}

/** A page of the nodes of one level. */
export function nodesAfter(
  database: Database,
  level: number,
  position: number,
  limit: number,
): Promise<{ position: number; hash: Buffer }[]> {
  return database.installation((tx) =>
    tx
      .selectFrom('audit_nodes')
      .select(['position', 'hash'])
      .where('level', '=', level)
      .where('position', '>', position)
      .orderBy('position')
      .limit(limit)
      .execute(),
  );
}

/** How many levels the stored tree has. */
export async function levels(database: Database): Promise<number> {
  const row = await database.installation((tx) =>
    tx
      .selectFrom('audit_nodes')
      .select((max) => max.fn.max('level').as('top'))
      .executeTakeFirst(),
  );
  return row?.top === null || row?.top === undefined ? 0 : row.top + 1;
}
