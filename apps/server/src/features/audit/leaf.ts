import { createHash } from 'node:crypto';
import { leafHash } from './merkle-tree.ts';

/** The part of an event that is never erased. */
export interface LeafFields {
  readonly sequence: number;
  readonly at: Date;
  readonly organisationId: string;
  readonly realm: string;
  readonly event: string;
  readonly outcome: string;
  readonly subjectKind: string | null;
  readonly subjectId: string | null;
}

/** JSON whose members stand in one fixed order: the same event gives the same bytes everywhere. */
export function canonicalJson(fields: LeafFields): string {
  return JSON.stringify({
    sequence: fields.sequence,
    at: fields.at.toISOString(),
    organisation: fields.organisationId,
    realm: fields.realm,
    event: fields.event,
    outcome: fields.outcome,
    subjectKind: fields.subjectKind,
    subjectId: fields.subjectId,
  });
}

/** Hash of the personal part under its salt: both can be erased, the proof stays. */
export function payloadHash(salt: Uint8Array, payload: string): Buffer {
  return createHash('sha256').update(salt).update(payload).digest();
}

/** The leaf of an event: SHA-256(0x00 ‖ canonical JSON ‖ H(salt ‖ payload)). */
export function eventLeaf(fields: LeafFields, hashOfPayload: Uint8Array): Buffer {
  return leafHash(Buffer.from(canonicalJson(fields)), hashOfPayload);
}
