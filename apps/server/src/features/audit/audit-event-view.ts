import type { auditEvent } from '@holdfast/contract/audit';
import type { z } from 'zod';
import type { AuditPayload } from './audit-entry.ts';
import type { AuditEventRow } from './audit-log.store.ts';
import { eventLeaf } from './leaf.ts';

export type AuditEventView = z.input<typeof auditEvent>;

const ERASED: AuditPayload = {
  actorKind: 'anonymous',
  actorId: null,
  actor: '',
  address: null,
  requestId: null,
  subjectName: null,
  reason: null,
  details: {},
};

/** An event as answers, exports and destinations outside have it. */
export function viewOf(row: AuditEventRow): AuditEventView {
  const payload = row.payload === null ? ERASED : (JSON.parse(row.payload) as AuditPayload);
  const fields = { sequence: row.sequence, at: row.at, event: row.event, outcome: row.outcome };
  const place = { organisationId: row.organisation_id, realm: row.realm, subjectKind: row.subject_kind, subjectId: row.subject_id };
  return {
    sequence: row.sequence,
    at: row.at.toISOString(),
    event: row.event,
    outcome: row.outcome as AuditEventView['outcome'],
    actor: payload.actor,
    actorId: payload.actorId,
    realm: row.realm,
    address: payload.address,
    requestId: payload.requestId,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    subjectName: payload.subjectName,
    reason: payload.reason,
    details: payload.details as AuditEventView['details'],
    leafHash: eventLeaf({ ...fields, ...place }, row.payload_hash).toString('hex'),
  };
}
