import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Clock } from '@holdfast/foundation/clock';
import { replies } from './replies.ts';
import { SmtpSession, type ByteBudget, type SmtpRules } from './smtp-session.ts';
import { Wire } from './wire.ts';

export interface ListenerLimits {
  readonly connections: number;
  readonly connectionsPerClient: number;
  /** New connections of one client in a minute. */
  readonly perMinute: number;
  /** Without a byte from the client. */
  readonly idleMs: number;
  /** From the greeting to the end, however busy. */
  readonly longestMs: number;
}

export const ordinaryLimits: ListenerLimits = {
  connections: 100,
  connectionsPerClient: 50,
  perMinute: 600,
  idleMs: 60_000,
  longestMs: 30 * 60_000,
};

export interface ListenerOptions<Place> extends SmtpRules<Place> {
  readonly clock: Clock;
  readonly bind: string;
  readonly port: number;
  readonly limits: ListenerLimits;
}

export interface Listener {
  readonly port: number;
  /** Ends every connection and takes no other. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** How often a silent client is noticed. */
const LOOK_MS = 5_000;
/** How long a client that is ended may take to read why. */
const LAST_WORD_MS = 1_000;

/** Room for the bytes of mails that are on their way. */
export function createByteBudget(most: number): ByteBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > most) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}

/** Who is connected, and how often each client came of late. */
function createDoor({ clock, limits }: Pick<ListenerOptions<unknown>, 'clock' | 'limits'>) {
  const open = new Map<Socket, string>();
  let minute = 0;
  let arrivals = new Map<string, number>();
  return {
    open,
    isFull(client: string): boolean {
      const now = Math.floor(clock.nowMs() / MINUTE_MS);
      if (now !== minute) arrivals = new Map();
      minute = now;
      const came = (arrivals.get(client) ?? 0) + 1;
      arrivals.set(client, came);
      const ofClient = [...open.values()].filter((other) => other === client).length;
      return open.size >= limits.connections || ofClient >= limits.connectionsPerClient || came > limits.perMinute;
    },
  };
}

/** Listens for mail. Slow and endless clients are ended; what was not answered with 250 is theirs to send again. */
export async function listen<Place>(options: ListenerOptions<Place>): Promise<Listener> {
  const { clock, limits } = options;
  const door = createDoor(options);
  const running = new Set<Promise<void>>();

  function accept(socket: Socket): void {
    const client = (socket.remoteAddress ?? '').replace(/^::ffff:/u, '');
    socket.on('error', () => socket.destroy());
    if (door.isFull(client)) {
      socket.end(replies.busy, () => socket.destroy());
      return;
    }
    door.open.set(socket, client);
    socket.setNoDelay(true);
    const wire = new Wire(socket, clock);
    const endSlow = (): void => {
      wire.answer(replies.tooSlow);
      wire.end();
      clock.after(LAST_WORD_MS, () => wire.destroy());
    };
    const cancelLongest = clock.after(limits.longestMs, endSlow);
    const cancelIdle = clock.every(Math.min(limits.idleMs, LOOK_MS), () => wire.silentMs > limits.idleMs && endSlow());
    const cancel = (): void => {
      cancelLongest();
      cancelIdle();
    };
    const session = new SmtpSession(wire, client, options)
      .run()
      .catch((error: unknown) => {
        options.onError(error);
        wire.destroy();
      })
      .finally(cancel);
    running.add(session);
    void session.finally(() => running.delete(session));
    socket.once('close', () => door.open.delete(socket));
  }

  const server = createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: options.bind, port: options.port }, () => {
      server.off('error', reject).on('error', (error) => options.onError(error));
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of door.open.keys()) socket.destroy();
      await Promise.all(running);
      await closed;
    },
  };
}
