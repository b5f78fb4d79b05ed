import { isIP, type LookupFunction } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import type { Clock } from '@holdfast/foundation/clock';
import { connectionFailure, SendFailure } from './send-failure.ts';
import { octetCounted, syslogMessage } from './syslog-message.ts';
import type { Transport } from './transport.ts';

export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
}

export interface SyslogOptions {
  readonly clock: Clock;
  /** The host that messages name as their origin. */
  readonly origin: string;
  /** Resolves the receiver; throws when it may not be dialled. */
  readonly dial: () => LookupFunction | undefined;
  readonly timeoutMs: number;
}

function connectionTo({ host, port, ca }: SyslogTarget, lookup: LookupFunction | undefined): ConnectionOptions {
  return {
    host,
    port,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === '' ? {} : { ca }),
    ...(lookup ? { lookup } : {}),
  };
}

/**
 * Sends over one connection for each batch. Syslog has no receipt, so the receiver's orderly end of the connection counts as
 * one: a receiver that dies with unread messages resets it instead.
 */
export function createSyslogTransport(target: SyslogTarget, { clock, origin, dial, timeoutMs }: SyslogOptions): Transport {
  return {
    send(events, signal) {
      const text = events.map((event) => octetCounted(syslogMessage(event, origin))).join('');
      return new Promise((resolve, reject) => {
        const socket = connect(connectionTo(target, dial()));
        let isEnded = false;
        const fail = (failure: SendFailure): void => {
          reject(failure);
          socket.destroy();
        };
        const forget = clock.after(timeoutMs, () => fail(new SendFailure('timedOut')));
        const onAbort = (): void => fail(new SendFailure('unreachable', 'stopped'));
        signal.addEventListener('abort', onAbort, { once: true });
        socket
          .on('secureConnect', () => socket.end(text))
          .on('error', (error) => fail(connectionFailure(error)))
          // A receiver has nothing to say; without reading, its end would not be seen.
          .resume()
          .on('end', () => (isEnded = true))
          .on('close', () => {
            forget();
            signal.removeEventListener('abort', onAbort);
            if (isEnded && socket.writableFinished) resolve();
            else reject(new SendFailure('unreachable', 'closed early'));
          });
      });
    },
  };
}
