import { createHmac } from 'node:crypto';
import { sha256Hex } from '@holdfast/foundation/bytes';
import type { OutgoingEvent } from './transport.ts';

/** What every secret begins with, as the specification "Standard Webhooks" has it. */
export const secretPrefix = 'whsec_';

export interface WebhookMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Signing {
  readonly destinationId: string;
  readonly secret: string;
  readonly atMs: number;
  /** What is posted; the events themselves when absent. */
  readonly body?: string;
}

function eventsBody(destinationId: string, events: readonly OutgoingEvent[]): string {
  return JSON.stringify({ type: 'holdfast.audit-events', destinationId, events });
}

/**
 * A request as the specification "Standard Webhooks" signs it: HMAC-SHA-256 over id, time and body. A retry of the same
 * events has the same id, and an old request fails by its time. After a crash a batch can begin with events that were
 * received before: their numbers tell.
 */
export function webhookMessage(
  events: readonly OutgoingEvent[],
  { destinationId, secret, atMs, body = eventsBody(destinationId, events) }: Signing,
): WebhookMessage {
  const first = events[0]?.sequence ?? 0;
  const last = events.at(-1)?.sequence ?? 0;
  const id = `msg_${sha256Hex(`${destinationId} ${first} ${last}`).slice(0, 32)}`;
  const time = String(Math.floor(atMs / 1_000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return {
    body,
    headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` },
  };
}
