import { systemClock } from '@holdfast/foundation/clock';
import pg from 'pg';
import { connectionConfig, type PoolOptions } from './pool.ts';

interface Subscription {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onReconnect: () => void;
}

export interface Listener {
  add(channel: string, onPayload: (payload: string) => void, onReconnect: () => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;
const CONNECT_MS = 10_000;

/** One connection that listens for all channels of this process and comes back by itself when it is lost. */
export function createListener(options: PoolOptions): Listener {
  const subscriptions = new Set<Subscription>();
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let running: Promise<void> | undefined;

  async function connect(isAgain: boolean): Promise<void> {
    const next = new pg.Client({ ...connectionConfig(options), connectionTimeoutMillis: CONNECT_MS });
    const lost = new Promise<void>((resolve) => {
      next.once('end', () => resolve());
      next.on('error', () => resolve());
    });
    next.on('notification', ({ channel, payload }) => {
      for (const subscription of subscriptions) if (subscription.channel === channel) subscription.onPayload(payload ?? '');
    });
    // A client that is ended while it connects never says so: `close` waits for the connection instead.
    await next.connect();
    client = next;
    try {
      if (stopping.signal.aborted) return;
      for (const channel of new Set([...subscriptions].map((subscription) => subscription.channel))) {
        await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      }
      if (isAgain) for (const subscription of subscriptions) subscription.onReconnect();
      if (!stopping.signal.aborted) await lost;
    } finally {
      client = undefined;
      await next.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    for (let isAgain = false; !stopping.signal.aborted; isAgain = true) {
      try {
        await connect(isAgain);
      } catch (error) {
        if (stopping.signal.aborted) return;
        options.logger.warn({ err: error }, 'listening for database notifications failed');
      }
      if (!stopping.signal.aborted) await systemClock.sleep(RECONNECT_MS, stopping.signal).catch(() => undefined);
    }
  }

  return {
    add(channel, onPayload, onReconnect) {
      const subscription = { channel, onPayload, onReconnect };
      subscriptions.add(subscription);
      running ??= run();
      client?.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      return () => subscriptions.delete(subscription);
    },
    async close() {
      stopping.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
