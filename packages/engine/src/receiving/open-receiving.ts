import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vault, VaultWriter } from '@holdfast/vault';
import { catchUpCatalog } from '../pipeline/catch-up.ts';
import { createCommitter, type Committer } from '../pipeline/committer.ts';
import { decodeCursorState, type CursorState } from '../pipeline/cursor-state.ts';
import { makeUpFor } from '../pipeline/make-up.ts';
import { createSink } from '../pipeline/reading.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ItemVersion, Resource } from '../ports/item.ts';
import type { HeldLease, Lease } from '../ports/lease.ts';
import { store, understand, type ReceivedMail } from '../workloads/journal/received-mail.ts';

export interface ReceivingOptions {
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Takes mails into the journal of a receiver, for as long as its lease is held. */
export interface Receiving {
  /** Resolves when the mail is durable in packs, journal and catalog; a mail that is there already is as durable. */
  take(mail: ReceivedMail): Promise<void>;
  /** Commits what was taken and lets go of the journal. */
  close(): Promise<void>;
  /** Resolves when nothing can be taken any more: after `close`, or after a failure. */
  readonly ended: Promise<void>;
}

/** Mails that are committed together at most. */
const MOST_AT_ONCE = 256;
/**
 * How long a group waits for the next mail of those who were answered just now. Without it they fall into two halves that wait
 * for each other's commit, and twice as many commits bring half as much.
 */
const GATHER_MS = 20;

interface Waiting {
  readonly key: string;
  readonly stored: Promise<ItemVersion>;
  readonly done: PromiseWithResolvers<void>;
}

interface Parts {
  readonly options: ReceivingOptions;
  readonly resource: Resource;
  readonly held: HeldLease;
  readonly writer: VaultWriter;
  readonly committer: Committer;
  readonly state: CursorState;
}

/** Commits one group of mails: whatever comes meanwhile waits for the next. */
async function commitGroup({ options, resource, committer, state }: Parts, group: readonly Waiting[]): Promise<void> {
  const keys = group.map(({ key }) => key);
  const [items, known] = await Promise.all([Promise.all(group.map(({ stored }) => stored)), options.catalog.lookup(resource.id, keys)]);
  for (const item of items) if (!known.has(item.key)) committer.put(item, true);
  if (committer.changes > 0) {
    const counts = { added: committer.changes, changed: 0, removed: 0, unchanged: 0, gone: 0, failed: 0, excluded: 0 };
    await committer.commit(state, { point: false, summary: { seen: group.length, ...counts } });
  }
  await crashPoint('receiving.before-reply');
  for (const { done } of group) done.resolve();
}

function createReceiving(parts: Parts): Receiving {
  const { writer, held, options } = parts;
  const { clock } = options;
  const sink = createSink(writer, held.signal);
  const waiting = new Map<string, Waiting>();
  const queue: Waiting[] = [];
  let wake = Promise.withResolvers<void>();
  let isClosing = false;
  let failure: unknown;

  function fail(error: unknown): void {
    failure ??= error;
    for (const { done } of waiting.values()) done.reject(failure);
    waiting.clear();
    queue.length = 0;
    wake.resolve();
  }

  /** Waits a moment for as many mails as were under way before. */
  async function gather(expected: number): Promise<void> {
    const untilMs = clock.monotonicMs() + GATHER_MS;
    while (queue.length < expected && failure === undefined && !isClosing) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0) return;
      wake = Promise.withResolvers<void>();
      await Promise.race([wake.promise, clock.sleep(leftMs)]);
    }
  }

  async function work(): Promise<void> {
    let expected = 0;
    while (failure === undefined) {
      if (queue.length > 0) await gather(Math.min(expected, MOST_AT_ONCE));
      const group = queue.splice(0, MOST_AT_ONCE);
      if (group.length > 0) {
        await commitGroup(parts, group);
        for (const { key } of group) waiting.delete(key);
        expected = group.length + queue.length;
      } else if (isClosing) return;
      else {
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    }
  }

  async function end(): Promise<void> {
    if (failure === undefined) await writer.close().catch(fail);
    if (failure !== undefined) await writer.abort();
    await held.release().catch((error: unknown) => options.logger.warn({ err: error }, 'the lease of a journal could not be released'));
  }

  held.signal.addEventListener('abort', () => fail(held.signal.reason), { once: true });
  const ended = work().catch(fail).then(end);

  function begin(key: string, mail: Awaited<ReturnType<typeof understand>>): Waiting {
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => undefined);
    const stored = store(mail, sink);
    stored.catch(fail);
    const entry = { key, stored, done };
    waiting.set(key, entry);
    queue.push(entry);
    wake.resolve();
    return entry;
  }

  return {
    ended,
    async take(mail) {
      const understood = await understand(mail);
      if (failure !== undefined) throw failure;
      if (isClosing) throw new AppError('receiver.closing');
      const { key } = understood;
      await (waiting.get(key) ?? begin(key, understood)).done.promise;
    },
    async close() {
      isClosing = true;
      wake.resolve();
      await ended;
    },
  };
}

/** Takes the lease of a journal and begins to receive into it. A journal that another process receives into is `lease.taken`. */
export async function openReceiving(
  options: ReceivingOptions,
  { resource, runId }: { readonly resource: Resource; readonly runId: string },
): Promise<Receiving> {
  const { vault, catalog, clock } = options;
  const held = await options.lease.acquire(resource.id, runId);
  let writer: VaultWriter | undefined;
  try {
    const { signal } = held;
    const journal = vault.journal(resource.id);
    const lost = (await journal.tend()).map(({ sequence }) => sequence);
    const { head } = await catchUpCatalog(journal, catalog);
    const state = decodeCursorState(head?.cursor ?? null);
    writer = await vault.openWriter({ resourceId: resource.id, signal });
    const committer = createCommitter({ resource, runId, writer, journal, catalog, lease: held, clock, signal }, head);
    await makeUpFor(options, { lost, committer, state, resourceId: resource.id });
    return createReceiving({ options, resource, held, writer, committer, state });
  } catch (error) {
    await writer?.abort();
    await held.release();
    throw error;
  }
}
