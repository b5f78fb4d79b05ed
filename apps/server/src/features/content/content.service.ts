import type { LinkedFile, Preview } from '@holdfast/contract/content';
import type { DrawnPage } from '@holdfast/contract/values';
import type { Scope, Tx } from '@holdfast/database';
import type { Catalog, DocumentWordsReader, ItemFile, ItemPreview, ItemReader, ItemVersion, OpenedMail } from '@holdfast/engine';
import { sha256 } from '@holdfast/foundation/bytes';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { MOST_DRAWN_BYTES, type PictureSize, type Previewer } from '@holdfast/previews';
import type { Actor } from '../../access/actor.ts';
import { drawnPageOf } from '../../http/drawn-page.ts';
import { phrasesOf, type Language } from '../../http/language.ts';
import type { ContentAccess, ContentAction, ContentGround } from '../content-access/index.ts';
import type { Vault } from '@holdfast/vault';
import type { Vaults } from '../../storage/index.ts';
import { bytesOf, fileOf, mailOf, previewOf, wordsOf, type WantedPart } from './read-item.ts';
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
  readonly item: Pick<TicketedItem, 'resourceId' | 'itemKey' | 'sequence'>;
  readonly resourceName: string;
  readonly reason: string;
  readonly ground: ContentGround;
}

/** An attachment that is taken, by the opening of its mail. */
export type TakenAttachment = Pick<Opening, 'item' | 'ground'>;

export interface ContentServiceOptions {
  readonly access: ContentAccess;
  readonly store: ContentTicketsStore;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  readonly documents: DocumentWordsReader;
  readonly previewer: Pick<Previewer, 'page'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes the opening into the audit log, in the transaction that makes the ticket. */
  record(tx: Tx, caller: ContentCaller, opening: Opening): Promise<void>;
  /** The same of an attachment that an auditor takes, before a byte of it is read. */
  readonly recordAttachment: (tx: Tx, caller: ContentCaller, taken: TakenAttachment) => Promise<void>;
  /** The kept files that the item of a ticket links to, as far as the reader may find them. */
  links(tx: Tx, caller: ContentCaller, item: TicketedItem): Promise<readonly LinkedFile[]>;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface TicketPlace {
  readonly tenantId: string;
  readonly ticket: string;
  /** The item that the ticket must be for, where the caller names it. */
  readonly nodeId?: string;
}

interface WantedPage {
  readonly page: number;
  readonly size: PictureSize;
}

/** A message of a ticket, with what only a message has. */
export interface ReadMessage {
  readonly resourceId: string;
  readonly item: ItemVersion;
  readonly preview: Preview;
  readonly headers: OpenedMail['headers'];
  /** Its bytes were read back and are those that were stored. */
  readonly isVerified: boolean;
}

export interface ContentService {
  /** A ticket for one item, for this session, for a minute. */
  open(
    caller: ContentCaller,
    request: WantedItem & { readonly reason: string },
  ): Promise<{ readonly ticket: string; readonly expiresAt: string }>;
  preview(caller: ContentCaller, place: TicketPlace & Pick<WantedPart, 'version'>): Promise<Preview>;
  /** A page of a file as a picture, or of one of its versions; `content.not-shown` where there is none. */
  page(caller: ContentCaller, place: TicketPlace & Pick<WantedPart, 'version'> & WantedPage, signal: AbortSignal): Promise<DrawnPage>;
  /** The stored bytes as text, as much of them as a page can show. */
  source(caller: ContentCaller, place: TicketPlace, signal: AbortSignal): Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** What a file says, or one of its versions; null when no text can be read of it. */
  words(caller: ContentCaller, place: TicketPlace & Pick<WantedPart, 'version'>, signal: AbortSignal): Promise<string | null>;
  /** The same of a message, with its header and its places. Looking at it is reading, unless the caller hands it out. */
  message(caller: ContentCaller, place: TicketPlace, action?: ContentAction): Promise<ReadMessage>;
  /** Where the item of a ticket is kept; nothing of it is read. */
  ticketed(
    caller: ContentCaller,
    place: TicketPlace,
  ): Promise<{ readonly resourceId: string; readonly locationId: string; readonly item: Pick<ItemVersion, 'key'> }>;
  /** The exact bytes; the vault stays open until the last of them was read or the client has gone. */
  file(caller: ContentCaller, place: TicketPlace & WantedPart, signal: AbortSignal): Promise<OpenedFile>;
}

const TICKET_BYTES = 32;
/** Files that are in memory to be drawn; others wait outside of it. */
const DRAWN_AT_ONCE = 2;
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

/** A file whose vault stays open until the last byte was read or the client has gone. */
async function whileRead(
  vaults: Vaults,
  { scope, locationId, signal }: { readonly scope: Scope; readonly locationId: string; readonly signal: AbortSignal },
  read: (vault: Vault) => Promise<ItemFile>,
): Promise<OpenedFile> {
  const opened = Promise.withResolvers<ItemFile>();
  const finished = Promise.withResolvers<void>();
  // A client that goes before the first byte never starts the stream, so its end must not wait for it.
  signal.addEventListener('abort', () => finished.resolve(), { once: true });
  const held = vaults.use(scope, locationId, async (vault) => {
    opened.resolve(await read(vault));
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
}

/** Auditors take attachments of mails: a picture in a post is none. */
async function takeAttachment(
  { store, recordAttachment }: Pick<ContentServiceOptions, 'store' | 'recordAttachment'>,
  caller: ContentCaller,
  taken: TakenAttachment,
  kind: string,
): Promise<void> {
  if (kind !== 'message') throw new AppError('content.export-right-needed');
  await store.within(caller.scope, (tx) => recordAttachment(tx, caller, taken));
}

async function itemOf(options: ContentServiceOptions, scope: Scope, ticketed: TicketedItem): Promise<ItemVersion> {
  const catalog = options.catalogOf(scope, ticketed.locationId);
  for await (const item of catalog.items(ticketed.resourceId, ticketed.sequence, { keys: [ticketed.itemKey] })) return item;
  throw new AppError('content.item-unknown');
}

/** Looking at one item of somebody, with a reason that the audit log keeps. */
export function createContentService(options: ContentServiceOptions): ContentService {
  const { store, vaults, items, documents, previewer, clock, ids } = options;
  const drawing = createSemaphore(DRAWN_AT_ONCE);

  function requireAccess(tx: Tx, { actor, scope }: ContentCaller, item: TicketedItem, action: ContentAction): Promise<ContentGround> {
    const { tenantId, resourceId, itemKey, sequence } = item;
    return options.access.require(tx, { actor, scope, tenantId }, { action, resourceId, items: [itemKey], sequence });
  }

  /** A right may have ended since the ticket was given, and files are downloads. */
  async function redeem(caller: ContentCaller, { tenantId, ticket, nodeId }: TicketPlace, action: ContentAction) {
    const { actor, scope } = caller;
    const at = now(clock);
    const usedUntil = new Date(at.getTime() + USED_MS);
    const ticketed = await store.use(scope, { hash: sha256(ticket), sessionId: actor.sessionId, tenantId, at, usedUntil });
    if (!ticketed) throw new AppError('content.ticket-expired');
    const ground = await store.within(scope, (tx) => requireAccess(tx, caller, ticketed, action));
    if (nodeId !== undefined && nodeId !== ticketed.itemKey) throw new AppError('content.item-unknown');
    const { locationId, resourceId } = ticketed;
    return { locationId, resourceId, ticketed, ground, item: await itemOf(options, scope, ticketed) };
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
    ticketed: (caller, place) => redeem(caller, place, 'read'),
    async preview(caller, { version, ...place }) {
      const { locationId, item, ticketed } = await redeem(caller, place, 'read');
      const preview = await vaults.use(caller.scope, locationId, (vault) => previewOf(items, vault, item, { version, documents }));
      const links = await store.within(caller.scope, (tx) => options.links(tx, caller, ticketed));
      return { ...answerOf(preview, caller.request.language), ...(links.length > 0 ? { links: [...links] } : {}) };
    },
    async page(caller, { page, size, version, ...place }, signal) {
      const { locationId, item } = await redeem(caller, place, 'read');
      return drawing.run(async () => {
        signal.throwIfAborted();
        const bytes = await vaults.use(caller.scope, locationId, async (vault) =>
          bytesOf(await fileOf(items, vault, item, { version, signal }), MOST_DRAWN_BYTES),
        );
        if (bytes === null) throw new AppError('content.not-shown');
        return drawnPageOf(await previewer.page({ bytes, page, size }), 'content.not-shown');
      });
    },
    async source(caller, place, signal) {
      const { locationId, item } = await redeem(caller, place, 'read');
      return vaults.use(caller.scope, locationId, async (vault) => sourceText((await fileOf(items, vault, item, { signal })).bytes));
    },
    async words(caller, { version, ...place }, signal) {
      const { locationId, item } = await redeem(caller, place, 'read');
      return vaults.use(caller.scope, locationId, async (vault) =>
        wordsOf(await fileOf(items, vault, item, { version, signal }), documents),
      );
    },
    async message(caller, place, action = 'read') {
      const { locationId, resourceId, item } = await redeem(caller, place, action);
      const { preview, headers, sha256: found } = await vaults.use(caller.scope, locationId, (vault) => mailOf(items, vault, item));
      const stored = item.contents.find(({ role }) => role === 'mime')?.ref.sha256;
      return { resourceId, item, headers, isVerified: found === stored, preview: answerOf(preview, caller.request.language) };
    },
    async file(caller, { attachment, version, ...place }, signal) {
      const { locationId, item, ground, ticketed } = await redeem(caller, place, attachment === undefined ? 'export' : 'attachment');
      if (ground.by === 'auditor') await takeAttachment(options, caller, { item: ticketed, ground }, item.kind);
      return whileRead(vaults, { scope: caller.scope, locationId, signal }, (vault) =>
        fileOf(items, vault, item, { attachment, version, signal }),
      );
    },
  });
}
