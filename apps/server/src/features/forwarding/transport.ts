import type { AuditEventView } from '../audit/index.ts';

/** An event on its way out: the same object as in the log's export. */
export type OutgoingEvent = AuditEventView & { readonly organisationId: string };

/** One way out. Resolves once the receiver has the events; throws `SendFailure` otherwise, and is asked again with the same events. */
export interface Transport {
  send(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void>;
}

/** One line of ASCII for each event, so that no receiver can read it as another character set. */
export function lineOf(event: OutgoingEvent): string {
  return JSON.stringify(event).replaceAll(
    /[\u0080-\uFFFF]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}
