import type { Preview } from '@holdfast/contract/content';
import type { Scope, Tx } from '@holdfast/database';
import type { Catalog, Content, ItemVersion, MimeParser } from '@holdfast/engine';
import { sha256 } from '@holdfast/foundation/bytes';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { once } from '@holdfast/foundation/streams';
import type { Vault } from '@holdfast/vault';
import type { Actor } from '../../access/actor.ts';
import type { Vaults } from '../backup/index.ts';
import type { ContentTicketsStore, TicketedItem } from './content-tickets.store.ts';
import { previewOfItem, previewOfMail } from './preview.ts';

/** Who opens something, where. */
export interface ContentCaller {
  readonly actor: Actor;
  readonly scope: Scope;
}

export interface OpenRequest {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
  readonly nodeId: string;
  readonly sequence?: number | undefined;
  readonly reason: string;
}

/** The bytes of an item or attachment, as they are sent. */
export interface OpenedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ContentServiceOptions {
  readonly store: ContentTicketsStore;
  readonly vaults: Vaults;
  readonly parser: MimeParser;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes the opening into the audit log, in the transaction that makes the ticket. */
  record(
    tx: Tx,
    caller: ContentCaller,
    opened: { readonly resourceId: string; readonly itemKey: string; readonly reason: string },
  ): Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface ContentService {
  /** A ticket for one item, for this account, for a minute. */
  open(caller: ContentCaller, request: OpenRequest): Promise<{ readonly ticket: string; readonly expiresAt: string }>;
  preview(caller: ContentCaller, tenantId: string, ticket: string): Promise<Preview>;
  file(
    caller: ContentCaller,
    place: { readonly tenantId: string; readonly ticket: string; readonly attachment?: number | undefined },
  ): Promise<OpenedFile>;
}

const TICKET_MS = 60_000;
const MAIL_LIMIT = 150 * 1024 * 1024;
/** What is shown of an item first: its message, its file, its stored form. */
const MAIN_ROLES: readonly Content['role'][] = ['mime', 'file', 'export', 'photo'];

function mainContent(item: ItemVersion): Content | undefined {
  return MAIN_ROLES.map((role) => item.contents.find((content) => content.role === role)).find((content) => content !== undefined);
}

function fileNameOf(item: ItemVersion, content: Content): string {
  if (content.role === 'mime') return `${item.name || 'message'}.eml`;
  return content.role === 'export' ? `${item.name || 'item'}.json` : item.name;
}

/** The vault stays open until the last byte was read: the stream is what holds it. */
async function stream(
  vaults: Vaults,
  scope: Scope,
  { locationId, content }: { readonly locationId: string; readonly content: Content },
): Promise<AsyncIterable<Uint8Array>> {
  const opened = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  const finished = Promise.withResolvers<void>();
  const held = vaults.use(scope, locationId, async (vault) => {
    opened.resolve(vault.reader().read(content.ref));
    await finished.promise;
  });
  held.catch((error: unknown) => opened.reject(error as Error));
  const bytes = await opened.promise;
  return (async function* read() {
    try {
      yield* bytes;
    } finally {
      finished.resolve();
      await held;
    }
  })();
}

export function createContentService(options: ContentServiceOptions): ContentService {
  const { store, vaults, parser, clock } = options;

  async function itemOf(scope: Scope, opened: TicketedItem): Promise<ItemVersion> {
    const catalog = options.catalogOf(scope, opened.locationId);
    for await (const item of catalog.items(opened.resourceId, opened.sequence, { keys: [opened.itemKey] })) return item;
    throw new AppError('content.item-unknown');
  }

  async function take(
    { actor, scope }: ContentCaller,
    tenantId: string,
    ticket: { readonly text: string; readonly once: boolean },
  ): Promise<TicketedItem> {
    const opened = await store.take(scope, {
      hash: sha256(ticket.text),
      accountId: actor.accountId,
      tenantId,
      at: new Date(clock.nowMs()),
      once: ticket.once,
    });
    if (!opened) throw new AppError('content.ticket-expired');
    return opened;
  }

  async function parsed(vault: Vault, content: Content) {
    return parser.parse(await vault.reader().readAll(content.ref, MAIL_LIMIT));
  }

  return Object.freeze<ContentService>({
    async open(caller, request) {
      const ticket = options.ids.token(32);
      const expiresAt = new Date(clock.nowMs() + TICKET_MS);
      await store.within(caller.scope, async (tx) => {
        const point = await store.pointOf(tx, request);
        if (!point) throw new AppError('content.item-unknown');
        const { tenantId, locationId, nodeId: itemKey } = request;
        await store.add(tx, {
          ...point,
          tenantId,
          locationId,
          itemKey,
          hash: sha256(ticket),
          accountId: caller.actor.accountId,
          expiresAt,
        });
        await options.record(tx, caller, { resourceId: point.resourceId, itemKey, reason: request.reason });
      });
      return { ticket, expiresAt: expiresAt.toISOString() };
    },
    async preview(caller, tenantId, ticket) {
      const opened = await take(caller, tenantId, { text: ticket, once: true });
      const item = await itemOf(caller.scope, opened);
      const content = mainContent(item);
      if (content?.role !== 'mime') return previewOfItem(item);
      return vaults.use(caller.scope, opened.locationId, async (vault) => previewOfMail(item, await parsed(vault, content)));
    },
    async file(caller, { tenantId, ticket, attachment }) {
      const opened = await take(caller, tenantId, { text: ticket, once: false });
      const item = await itemOf(caller.scope, opened);
      const content = mainContent(item);
      if (!content) throw new AppError('content.item-unknown');
      if (attachment === undefined) {
        const bytes = await stream(vaults, caller.scope, { locationId: opened.locationId, content });
        const mediaType = content.mediaType ?? (content.role === 'mime' ? 'message/rfc822' : 'application/octet-stream');
        return { fileName: fileNameOf(item, content), mediaType, sizeBytes: content.ref.sizeBytes, content: bytes };
      }
      const mail = await vaults.use(caller.scope, opened.locationId, (vault) => parsed(vault, content));
      const found = mail.attachments[attachment];
      if (!found) throw new AppError('content.item-unknown');
      const { name: fileName, bytes } = found;
      // Never under the type that the sender claimed: a browser must not open it as something that runs.
      return { fileName, mediaType: 'application/octet-stream', sizeBytes: bytes.byteLength, content: once(bytes) };
    },
  });
}
