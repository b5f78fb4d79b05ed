import type { auditEvents } from '@holdfast/phrases/en/audit-events';

type Words = typeof auditEvents;
/** `<feature>.<what>`: `tenants.connected`. One that the log has no words for does not compile. */
export type AuditEvent = { [Feature in keyof Words]: `${Feature}.${keyof Words[Feature] & string}` }[keyof Words];

/** Who did it. Accounts by id and address; the console, workers and the program itself by name. */
export interface AuditActor {
  readonly kind: 'account' | 'console' | 'worker' | 'system' | 'anonymous';
  readonly id?: string;
  readonly name: string;
  readonly address?: string;
  readonly requestId?: string;
}

export type AuditValue = string | number | boolean | null | readonly string[];

/** One event as a service tells it. Never a secret, never the content of messages. */
export interface AuditEntry {
  readonly event: AuditEvent;
  readonly outcome?: 'succeeded' | 'failed' | 'denied';
  readonly actor: AuditActor;
  readonly subject?: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly reason?: string;
  readonly details?: Readonly<Record<string, AuditValue>>;
}

/** The personal part of an event: it can be erased without breaking a proof. */
export interface AuditPayload {
  readonly actorKind: AuditActor['kind'];
  readonly actorId: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly subjectName: string | null;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, AuditValue>>;
}

const MAX_TEXT = 500;

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** The personal part of an entry, with long texts cut. */
export function payloadOf(entry: AuditEntry): AuditPayload {
  return {
    actorKind: entry.actor.kind,
    actorId: entry.actor.id ?? null,
    actor: cut(entry.actor.name),
    address: entry.actor.address ?? null,
    requestId: entry.actor.requestId ?? null,
    subjectName: entry.subject?.name === undefined ? null : cut(entry.subject.name),
    reason: entry.reason === undefined ? null : cut(entry.reason),
    details: entry.details ?? {},
  };
}
