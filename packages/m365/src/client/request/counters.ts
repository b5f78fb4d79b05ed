import type { WireRequest } from '../../http/transport.ts';

/** What requests cost so far. */
export interface GraphStatistics {
  readonly requests: number;
  readonly throttled: number;
  readonly repeated: number;
  readonly waitedMs: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
}
/** Counts what a client does. */
export interface Counters {
  sent(request: WireRequest): void;
  received(bytes: number): void;
  throttled(): void;
  repeated(): void;
  read(waitedMs: number): GraphStatistics;
}

export function createCounters(): Counters {
  const counts = { requests: 0, throttled: 0, repeated: 0, bytesReceived: 0, bytesSent: 0 };
  return Object.freeze({
    sent(request: WireRequest) {
      counts.requests += 1;
      if (request.body !== undefined) counts.bytesSent += Buffer.byteLength(request.body);
    },
    received(bytes: number) {
      counts.bytesReceived += bytes;
    },
    throttled() {
      counts.throttled += 1;
    },
    repeated() {
      counts.repeated += 1;
    },
    read: (waitedMs: number) => ({ ...counts, waitedMs }),
  });
}
