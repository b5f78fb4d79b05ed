import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { isWithin } from '../../access/networks.ts';
import type { LocalParts } from './addresses.ts';
import { allReceivers, type ReceiverRow } from './receivers.store.ts';
import type { JournalPlace } from './receiving.service.ts';
import type { Recipient } from './smtp/smtp-session.ts';
import { replies } from './smtp/replies.ts';

/** A journal with the rules of its receiver. */
export interface OpenReceiver {
  readonly place: JournalPlace;
  readonly row: ReceiverRow;
}

export interface OpenAddressesParts {
  readonly database: Database;
  readonly localParts: LocalParts;
  readonly clock: Clock;
  readonly scopes: () => Promise<readonly Scope[]>;
}

/** The addresses that take in mail now. */
export interface OpenAddresses {
  /** Every receiver of every organisation; what was read within the last seconds counts. */
  all(): Promise<ReadonlyMap<string, OpenReceiver>>;
  recipient(address: string, client: string): Promise<Recipient<JournalPlace>>;
}

/** How long a change of a receiver may take to be obeyed. */
const FRESH_MS = 2_000;

export function createOpenAddresses({ database, localParts, clock, scopes }: OpenAddressesParts): OpenAddresses {
  let known: { readonly atMs: number; readonly found: Promise<ReadonlyMap<string, OpenReceiver>> } | undefined;
  const opened = new Map<string, { readonly sealed: Buffer; readonly localPart: string }>();

  async function localPartOf(scope: Scope, row: ReceiverRow): Promise<string> {
    const before = opened.get(row.receiver_id);
    if (before?.sealed.equals(row.sealed_address)) return before.localPart;
    const localPart = await localParts.open(scope, row);
    opened.set(row.receiver_id, { sealed: row.sealed_address, localPart });
    return localPart;
  }

  async function readAll(): Promise<ReadonlyMap<string, OpenReceiver>> {
    const found = new Map<string, OpenReceiver>();
    for (const scope of await scopes()) {
      for (const row of await database.within(scope, allReceivers)) {
        const place = { scope, receiverId: row.receiver_id, locationId: row.location_id, resourceId: row.resource_id };
        found.set(await localPartOf(scope, row), { place, row });
      }
    }
    return found;
  }

  function all(): Promise<ReadonlyMap<string, OpenReceiver>> {
    const atMs = clock.monotonicMs();
    if (known && atMs - known.atMs < FRESH_MS) return known.found;
    const found = readAll();
    known = { atMs, found };
    found.catch(() => (known = undefined));
    return found;
  }

  return Object.freeze<OpenAddresses>({
    all,
    async recipient(address, client) {
      const localPart = address.slice(0, Math.max(0, address.lastIndexOf('@'))).toLowerCase();
      const receiver = (await all()).get(localPart);
      if (!receiver) return { refused: replies.noSuchAddress };
      if (!isWithin(receiver.row.networks, client)) return { refused: replies.networkRefused };
      // The sender keeps what comes meanwhile.
      if (!receiver.row.is_enabled) return { refused: replies.paused };
      return { place: receiver.place, maxBytes: receiver.row.max_bytes };
    },
  });
}
