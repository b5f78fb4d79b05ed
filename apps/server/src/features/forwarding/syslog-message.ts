import { lineOf, type OutgoingEvent } from './transport.ts';

/** "log audit", facility 13 of RFC 5424. */
const FACILITY = 13;
const SEVERITY = { alarm: 2, failed: 4, succeeded: 5 } as const;
const nothing = '-';

/** A field of the header: printable ASCII without blanks, not longer than the RFC allows. */
function headerField(text: string, most: number): string {
  return text.replaceAll(/[^\u0021-\u007E]/g, '_').slice(0, most) || nothing;
}

/** Events that somebody should act on. */
export const isAlarm = (event: string): boolean => event.startsWith('alarms.');

/** An event as a message of RFC 5424 with the event's JSON as its text. */
export function syslogMessage(event: OutgoingEvent, host: string): string {
  const severity = event.outcome === 'succeeded' ? SEVERITY.succeeded : isAlarm(event.event) ? SEVERITY.alarm : SEVERITY.failed;
  const header = [headerField(host, 255), 'holdfast', nothing, headerField(event.event, 32), nothing];
  return `<${FACILITY * 8 + severity}>1 ${event.at} ${header.join(' ')} ${lineOf(event)}`;
}

/** A message as RFC 5425 sends it: its length in bytes, a blank, the message. */
export function octetCounted(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}
