import { request as requestPlain } from 'node:http';
import { request as requestTls, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Clock } from '@holdfast/foundation/clock';
import { connectionFailure, SendFailure } from './send-failure.ts';
import type { OutgoingEvent, Transport } from './transport.ts';
import { webhookMessage, type WebhookMessage } from './webhook-message.ts';

export interface WebhookTarget {
  readonly destinationId: string;
  readonly url: string;
  readonly ca: string;
  readonly secret: string;
}

export interface WebhookOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Resolves the receiver; throws when it may not be dialled. */
  readonly dial: () => LookupFunction | undefined;
  readonly timeoutMs: number;
  /** What is posted instead of the events themselves. */
  readonly bodyOf?: (events: readonly OutgoingEvent[]) => Promise<string>;
}

/** Posts one request. Redirects are not followed: they would lead past the check of the address. */
function post(address: URL, message: WebhookMessage, options: RequestOptions): Promise<number> {
  const request = address.protocol === 'https:' ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const sending = request(address, { method: 'POST', agent: false, ...options }, (response) => {
      resolve(response.statusCode ?? 0);
      // What a receiver answers besides its status is not read.
      response.destroy();
    });
    sending.on('error', reject).end(message.body);
  });
}

/** Posts events as signed JSON; any status from 200 to 299 is the receipt. */
export function createWebhookTransport(target: WebhookTarget, { clock, userAgent, dial, timeoutMs, bodyOf }: WebhookOptions): Transport {
  const address = new URL(target.url);
  return {
    async send(events, signal) {
      const body = await bodyOf?.(events);
      const message = webhookMessage(events, { ...target, atMs: clock.nowMs(), ...(body === undefined ? {} : { body }) });
      const lookup = dial();
      const timeout = AbortSignal.timeout(timeoutMs);
      const status = await post(address, message, {
        headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body), 'user-agent': userAgent },
        minVersion: 'TLSv1.2',
        signal: AbortSignal.any([signal, timeout]),
        ...(target.ca === '' ? {} : { ca: target.ca }),
        ...(lookup ? { lookup } : {}),
      }).catch((error: unknown) => {
        throw timeout.aborted ? new SendFailure('timedOut', '', error) : connectionFailure(error);
      });
      if (status < 200 || status > 299) throw new SendFailure('refused', `HTTP ${status}`);
    },
  };
}
