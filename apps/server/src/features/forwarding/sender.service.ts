import { now } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { deliver, type DeliveryPorts } from './deliver.service.ts';
import { dueDestinations } from './destinations.store.ts';

export interface SenderPorts extends DeliveryPorts {
  readonly logger: Logger;
}

/** Sends what waits to the destinations of all organisations. */
export interface Sender {
  /** Sends to every destination that is due, and waits until all were tried. */
  turn(): Promise<void>;
  /** Takes a turn each second until stopped; what is under way is ended. */
  start(): () => Promise<void>;
}

const EVERY_MS = 1_000;
const AT_A_TIME = 16;

export function createSender(ports: SenderPorts): Sender {
  const { database, clock, logger } = ports;
  const underWay = new Map<string, Promise<void>>();

  /** Starts what is due and not under way. A receiver that answers slowly holds up nobody else. */
  async function begin(signal: AbortSignal): Promise<void> {
    const due = await dueDestinations(database, now(clock), AT_A_TIME);
    for (const place of due) {
      const { destinationId } = place;
      if (underWay.size >= AT_A_TIME || underWay.has(destinationId)) continue;
      const sending = deliver(ports, place, signal)
        .catch((error: unknown) => logger.warn({ err: error, destinationId }, 'audit events could not be sent'))
        .finally(() => underWay.delete(destinationId));
      underWay.set(destinationId, sending);
    }
  }

  return Object.freeze<Sender>({
    async turn() {
      await begin(new AbortController().signal);
      await Promise.all(underWay.values());
    },
    start() {
      const onError = (error: unknown): void => logger.warn({ err: error }, 'audit events could not be sent');
      const stopping = new AbortController();
      const stop = repeat({ clock, everyMs: EVERY_MS, turn: () => begin(stopping.signal), onError });
      return async () => {
        stopping.abort();
        await stop();
        await Promise.all(underWay.values());
      };
    },
  });
}
