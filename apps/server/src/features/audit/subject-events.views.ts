import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { AuditPayload } from './audit-entry.ts';

/** Every event, numbered by the sequencer or still waiting for its number; as JSON for what asks for parts of it. Erased ones are left out. */
export const everyEvent = sql`(
  select sequence::text as id, sequence, at, event, outcome, subject_kind, subject_id, payload::jsonb as payload from audit_events where payload is not null
  union all
  select id::text, null, at, event, outcome, subject_kind, subject_id, payload from audit_inbox)`;

/** An event about one of several subjects. */
export interface SubjectEvent {
  readonly at: Date;
  readonly event: string;
  readonly payload: AuditPayload;
}

/** A page of the events about these subjects, the newest first. */
export async function eventsAbout(
  tx: Tx,
  subjectIds: readonly string[],
  window: { readonly limit: number; readonly offset: number },
): Promise<{ readonly events: SubjectEvent[]; readonly total: number }> {
  const { rows } = await sql<SubjectEvent & { readonly total: number }>`
    select at, event, payload, count(*) over ()::bigint as total from ${everyEvent} told
    where subject_id = any(${[...subjectIds]})
    order by at desc, sequence desc nulls first limit ${window.limit} offset ${window.offset}`.execute(tx);
  return { events: rows.map(({ at, event, payload }) => ({ at, event, payload })), total: rows[0]?.total ?? 0 };
}
