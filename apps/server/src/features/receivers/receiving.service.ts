import type { Scope } from '@holdfast/database';
import { openReceiving, type Catalog, type Lease, type ReceivedMail, type Receiving } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { resourceOf, type ResourcesStore, type Vaults } from '../../storage/index.ts';

/** The journal that a receiver takes mail into. */
export interface JournalPlace {
  readonly scope: Scope;
  readonly receiverId: string;
  readonly locationId: string;
  readonly resourceId: string;
}

export interface ReceivingParts {
  readonly vaults: Pick<Vaults, 'use'>;
  readonly resources: Pick<ResourcesStore, 'get'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  /** Names this worker in its leases: started again it takes them over at once. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Takes mail into journals, each open for as long as mail comes. */
export interface ReceivingService {
  /** Resolves when the mail is durable. */
  take(place: JournalPlace, mail: ReceivedMail): Promise<void>;
  close(): Promise<void>;
}

/** A journal without mail for so long is let go of, for another worker or for the vault to rest. */
const IDLE_MS = 60_000;
/** After a failure the journal is not opened again for a moment: every attempt asks database and storage. */
const PAUSE_MS = 1_000;
const TRIES = 3;

interface Session {
  readonly opening: Promise<Receiving>;
  readonly ended: Promise<void>;
  lastMs: number;
  underWay: number;
}

export function createReceivingService(parts: ReceivingParts): ReceivingService {
  const { vaults, resources, clock, logger } = parts;
  const sessions = new Map<string, Session>();
  const pausedUntil = new Map<string, number>();
  let isClosed = false;

  /** Opens the journal of a place and keeps its vault open until it has ended. */
  async function hold({ scope, locationId, resourceId }: JournalPlace, opening: PromiseWithResolvers<Receiving>): Promise<void> {
    const known = await resources.get(scope, resourceId);
    if (!known) throw new AppError('not-found');
    await vaults.use(scope, locationId, async (vault) => {
      const options = { vault, catalog: parts.catalogOf(scope, locationId), lease: parts.leaseOf(scope, locationId), clock, logger };
      const receiving = await openReceiving(options, { resource: resourceOf(known), runId: parts.instanceId });
      opening.resolve(receiving);
      await receiving.ended;
    });
  }

  function sessionOf(place: JournalPlace): Session {
    const { receiverId } = place;
    const known = sessions.get(receiverId);
    if (known) return known;
    if (isClosed || (pausedUntil.get(receiverId) ?? 0) > clock.monotonicMs()) throw new AppError('receiver.closing');
    const opening = Promise.withResolvers<Receiving>();
    opening.promise.catch(() => undefined);
    const ended = hold(place, opening)
      .catch((error: unknown) => {
        opening.reject(error);
        pausedUntil.set(receiverId, clock.monotonicMs() + PAUSE_MS);
      })
      .finally(() => sessions.delete(receiverId));
    const session = { opening: opening.promise, ended, lastMs: clock.monotonicMs(), underWay: 0 };
    sessions.set(receiverId, session);
    return session;
  }

  async function closeIdle(): Promise<void> {
    for (const { opening, lastMs, underWay } of sessions.values()) {
      if (underWay === 0 && clock.monotonicMs() - lastMs > IDLE_MS) await (await opening.catch(() => undefined))?.close();
    }
  }
  const stopLooking = clock.every(
    IDLE_MS / 4,
    () => void closeIdle().catch((error: unknown) => logger.warn({ err: error }, 'a journal could not be let go of')),
  );

  async function take(place: JournalPlace, mail: ReceivedMail): Promise<void> {
    for (let turn = 1; ; turn += 1) {
      const session = sessionOf(place);
      session.underWay += 1;
      try {
        return await (await session.opening).take(mail);
      } catch (error) {
        // A journal that was let go of just now is opened again.
        if (!isAppError(error, 'receiver.closing') || turn >= TRIES) throw error;
        await session.ended;
      } finally {
        session.underWay -= 1;
        session.lastMs = clock.monotonicMs();
      }
    }
  }

  return Object.freeze<ReceivingService>({
    take,
    async close() {
      isClosed = true;
      stopLooking();
      for (const { opening, ended } of sessions.values()) {
        await (await opening.catch(() => undefined))?.close();
        await ended;
      }
    },
  });
}
