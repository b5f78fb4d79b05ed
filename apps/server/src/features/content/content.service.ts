import type { Preview } from '@holdfast/contract/content';
import type { Scope, Tx } from '@holdfast/database';
import type { Catalog, ItemFile, ItemPreview, ItemReader, ItemVersion } from '@holdfast/engine';
import { sha256 } from '@holdfast/foundation/bytes';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Vault } from '@holdfast/vault';
import type { Actor } from '../../access/actor.ts';
import { phrasesOf, type Language } from '../../http/language.ts';
import type { ProxyAction } from '@holdfast/contract/proxy-rights';
import type { ContentAccess, ContentGround } from '../content-access/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { sourceText } from './source-text.ts';
import type { ContentTicketsStore, TicketedItem, WantedItem } from './content-tickets.store.ts';

/** Who opens something, where, and by which request. */
export interface ContentCaller {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly request: { readonly id: string; readonly address: string; readonly language: Language };
}

/** The bytes of an item or attachment, as they are sent. */
export interface OpenedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes?: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** An opening as the audit log is told of it. */
export interface Opening {
  readonly item: TicketedItem;
  readonly resourceName: string;
  readonly reason: string;
  readonly ground: ContentGround;
}

export interface ContentServiceOptions {
  readonly access: ContentAccess;
  readonly store: ContentTicketsStore;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes the opening into the audit log, in the transaction that makes the ticket. */
  record(tx: Tx, caller: ContentCaller, opening: Opening): Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface TicketPlace {
  readonly tenantId: string;
  readonly ticket: string;
}

/** What of the item is wanted: by default all of it. */
interface WantedPart {
  readonly attachment?: number | undefined;
  readonly version?: string | undefined;
}

export interface ContentService {
  /** A ticket for one item, for this session, for a minute. */
  open(
    caller: ContentCaller,
    request: WantedItem & { readonly reason: string },
  ): Promise<{ readonly ticket: string; readonly expiresAt: string }>;
  preview(caller: ContentCaller, place: TicketPlace): Promise<Preview>;
  /** The stored bytes as text, as much of them as a page can show. */
  source(caller: ContentCaller, place: TicketPlace, signal: AbortSignal): Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** The exact bytes; the vault stays open until the last of them was read or the client has gone. */
  file(caller: ContentCaller, place: TicketPlace & WantedPart, signal: AbortSignal): Promise<OpenedFile>;
}

const TICKET_BYTES = 32;
const UNUSED_MS = 60_000;
/** What is shown offers its attachments, which are fetched with the same ticket. */
const USED_MS = 5 * 60_000;

/** A preview as the API has it: names of facts in the reader's language, names of columns as they are. */
function answerOf({ properties, fields, ...same }: ItemPreview, language: Language): Preview {
  const names = phrasesOf(language).restore.facts;
  const facts = properties.map(({ name, value }) => ({ name: names[name], value }));
  const { to, cc, attachments, versions, gone } = same;
  return {
    ...same,
    to: [...to],
    cc: [...cc],
    attachments: [...attachments],
    versions: [...versions],
    gone: [...gone],
    frame: null,
    properties: [...facts, ...fields],
  };
}

/** An item, attachment or version as it is stored; one that is not is unknown. */
async function fileOf(
  items: ItemReader,
  vault: Vault,
  item: ItemVersion,
  { attachment, version, signal }: WantedPart & { readonly signal: AbortSignal },
): Promise<ItemFile> {
  try {
    return await items.file(vault.reader(), item, {
      ...(attachment === undefined ? {} : { attachment }),
      ...(version === undefined ? {} : { version }),
      signal,
    });
  } catch (error) {
    const isAbsent = isAppError(error, 'restore.no-such-attachment') || isAppError(error, 'restore.unreadable');
    throw isAbsent ? new AppError('content.item-unknown', { cause: error }) : error;
  }
}

/** Looking at one item of somebody, with a reason that the audit log keeps. */
export function createContentService(options: ContentServiceOptions): ContentService {
  const { store, vaults, items, clock, ids } = options;

  async function itemOf(scope: Scope, ticketed: TicketedItem): Promise<ItemVersion> {
    const catalog = options.catalogOf(scope, ticketed.locationId);
    for await (const item of catalog.items(ticketed.resourceId, ticketed.sequence, { keys: [ticketed.itemKey] })) return item;
    throw new AppError('content.item-unknown');
  }

  function requireAccess(tx: Tx, { actor, scope }: ContentCaller, item: TicketedItem, action: ProxyAction): Promise<ContentGround> {
    const { tenantId, resourceId, itemKey } = item;
    return options.access.require(tx, { actor, scope, tenantId }, { action, resourceId, items: [itemKey] });
  }

  /** A right may have ended since the ticket was given, and files are downloads. */
  async function redeem(caller: ContentCaller, { tenantId, ticket }: TicketPlace, action: ProxyAction) {
    const { actor, scope } = caller;
    const at = now(clock);
    const usedUntil = new Date(at.getTime() + USED_MS);
    const ticketed = await store.use(scope, { hash: sha256(ticket), sessionId: actor.sessionId, tenantId, at, usedUntil });
    if (!ticketed) throw new AppError('content.ticket-expired');
    await store.within(scope, (tx) => requireAccess(tx, caller, ticketed, action));
    return { locationId: ticketed.locationId, item: await itemOf(scope, ticketed) };
  }

  return Object.freeze<ContentService>({
    async open(caller, { reason, ...wanted }) {
      const ticket = ids.token(TICKET_BYTES);
      const at = now(clock);
      const expiresAt = new Date(at.getTime() + UNUSED_MS);
      await store.within(caller.scope, async (tx) => {
        const found = await store.find(tx, wanted);
        if (!found) throw new AppError('content.item-unknown');
        const { resourceName, ...item } = found;
        const ground = await requireAccess(tx, caller, item, 'read');
        await store.add(tx, { item, hash: sha256(ticket), sessionId: caller.actor.sessionId, at, expiresAt });
        await options.record(tx, caller, { item, resourceName, reason, ground });
      });
      return { ticket, expiresAt: expiresAt.toISOString() };
    },
    async preview(caller, place) {
      const { locationId, item } = await redeem(caller, place, 'read');
      const preview = await vaults.use(caller.scope, locationId, (vault) => items.preview(vault.reader(), item));
      return answerOf(preview, caller.request.language);
    },
    async source(caller, place, signal) {
      const { locationId, item } = await redeem(caller, place, 'read');
      return vaults.use(caller.scope, locationId, async (vault) => sourceText((await fileOf(items, vault, item, { signal })).bytes));
    },
    async file(caller, { attachment, version, ...place }, signal) {
      const { locationId, item } = await redeem(caller, place, 'export');
      const opened = Promise.withResolvers<ItemFile>();
      const finished = Promise.withResolvers<void>();
      // A client that goes before the first byte never starts the stream, so its end must not wait for it.
      signal.addEventListener('abort', () => finished.resolve(), { once: true });
      const held = vaults.use(caller.scope, locationId, async (vault) => {
        opened.resolve(await fileOf(items, vault, item, { attachment, version, signal }));
        await finished.promise;
      });
      held.catch((error: unknown) => opened.reject(error as Error));
      const { bytes, ...head } = await opened.promise;
      async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
        try {
          yield* bytes;
        } finally {
          finished.resolve();
          await held;
        }
      }
      return { ...head, content: content() };
    },
  });
}
