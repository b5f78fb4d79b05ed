import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { AuditPayload } from './audit-entry.ts';

/** An event about one of several subjects, whether the sequencer has numbered it or not. */
export interface SubjectEvent {
  readonly at: Date;
  readonly event: string;
  readonly payload: AuditPayload;
}

interface Row {
  readonly at: Date;
  readonly event: string;
  readonly payload: string;
  readonly total: number;
}

/** A page of the events about these subjects, the newest first. What was erased is left out. */
export async function eventsAbout(
  tx: Tx,
  subjectIds: readonly string[],
  window: { readonly limit: number; readonly offset: number },
): Promise<{ readonly events: SubjectEvent[]; readonly total: number }> {
  const { rows } = await sql<Row>`
    select at, event, payload, count(*) over ()::bigint as total from (
      select at, event, payload, sequence from audit_events where subject_id = any(${[...subjectIds]}) and payload is not null
      union all
      select at, event, payload::text, null from audit_inbox where subject_id = any(${[...subjectIds]})
    ) told order by at desc, sequence desc nulls first limit ${window.limit} offset ${window.offset}`.execute(tx);
  const events = rows.map(({ at, event, payload }) => ({ at, event, payload: JSON.parse(payload) as AuditPayload }));
  return { events, total: rows[0]?.total ?? 0 };
}
