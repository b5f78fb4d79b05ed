import { graphError, isGraphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import type { Body, CreateOptions } from '../client/calls.ts';
import { asObject, asValues, isObject, requiredText, textOf } from '../client/checks.ts';
import { list } from '../client/paging/listing.ts';
import type { ExportedItem, ImportedItem, MailboxExportCalls, MailboxImporter, MailboxRef } from './mail-api.ts';

const IDS_PER_EXPORT = 20;
const RENEW_SESSION_EARLY_MS = 60_000;

function asExported(value: unknown): ExportedItem {
  const item = asObject<Record<string, unknown>>(value);
  const changeKey = textOf(item, 'changeKey');
  const data = textOf(item, 'data');
  const error = isObject(item['error']) ? item['error'] : undefined;
  return {
    itemId: requiredText(item, 'itemId'),
    ...(changeKey === undefined ? {} : { changeKey }),
    ...(data === undefined ? {} : { data: Buffer.from(data, 'base64') }),
    ...(error ? { error: { code: textOf(error, 'code') ?? '', message: textOf(error, 'message') ?? '' } } : {}),
  };
}

function asImported(value: unknown): ImportedItem {
  return { itemId: requiredText(value, 'itemId'), changeKey: requiredText(value, 'changeKey') };
}

async function* exportItems(
  caller: Caller,
  mailbox: MailboxRef,
  itemIds: readonly string[],
): AsyncGenerator<ExportedItem, void, undefined> {
  for (let at = 0; at < itemIds.length; at += IDS_PER_EXPORT) {
    const values = await caller.get(
      {
        route: 'POST /admin/exchange/mailboxes/{id}/exportItems',
        params: [mailbox.mailboxId],
        mailbox: mailbox.userId,
        json: { itemIds: itemIds.slice(at, at + IDS_PER_EXPORT) },
        isRepeatable: true,
      },
      asValues,
    );
    yield* values.map(asExported);
  }
}

interface ImportSession {
  readonly importUrl: string;
  readonly expiresAtMs: number;
}

function createImporter(caller: Caller, mailbox: MailboxRef): MailboxImporter {
  let session: ImportSession | undefined;
  const { clock } = caller.parts;

  async function openSession(): Promise<ImportSession> {
    if (session && session.expiresAtMs - RENEW_SESSION_EARLY_MS > clock.nowMs()) return session;
    const answer = await caller.get(
      {
        route: 'POST /admin/exchange/mailboxes/{id}/createImportSession',
        params: [mailbox.mailboxId],
        mailbox: mailbox.userId,
        isRepeatable: true,
      },
      asObject<Record<string, unknown>>,
    );
    const expiresAtMs = Date.parse(textOf(answer, 'expirationDateTime') ?? '');
    session = { importUrl: requiredText(answer, 'importUrl'), expiresAtMs: Number.isNaN(expiresAtMs) ? clock.nowMs() : expiresAtMs };
    return session;
  }

  async function send(json: Body, options: CreateOptions<ImportedItem> & { readonly isRepeatable?: boolean }): Promise<ImportedItem> {
    for (let renewals = 0; ; renewals += 1) {
      const { importUrl } = await openSession();
      try {
        return await caller.get(
          {
            route: 'POST outlook:{importUrl}',
            link: importUrl,
            mailbox: mailbox.userId,
            json,
            bytesOut: String(json['Data']).length,
            ...(options.recover ? { recover: options.recover } : {}),
            ...(options.isRepeatable ? { isRepeatable: true } : {}),
          },
          asImported,
        );
      } catch (error) {
        if (!isGraphError(error, 'graph.address-expired') || renewals > 0) throw error;
        session = undefined;
      }
    }
  }

  return Object.freeze<MailboxImporter>({
    create: (folderId, data, options = {}) =>
      send({ FolderId: folderId, Mode: 'create', Data: Buffer.from(data).toString('base64') }, options),
    update: ({ folderId, itemId, changeKey }, data) =>
      send(
        { FolderId: folderId, Mode: 'update', ItemId: itemId, ChangeKey: changeKey, Data: Buffer.from(data).toString('base64') },
        { isRepeatable: true },
      ),
  });
}

async function mailboxId(caller: Caller, userId: string): Promise<string | undefined> {
  const settings = await caller.get({ route: 'GET /users/{id}/settings/exchange', params: [userId] }, asObject<Record<string, unknown>>);
  return textOf(settings, 'primaryMailboxId');
}

/** Calls of the full-fidelity export and import. */
export function createMailboxExportCalls(caller: Caller): MailboxExportCalls {
  return Object.freeze<MailboxExportCalls>({
    async mailboxId({ userId }) {
      try {
        return await mailboxId(caller, userId);
      } catch (error) {
        if (isGraphError(error, 'graph.mailbox-missing', 'graph.item-gone')) return undefined;
        throw error;
      }
    },
    folders: ({ mailboxId, userId }) =>
      list<Body>(
        caller,
        { route: 'GET /admin/exchange/mailboxes/{id}/folders', params: [mailboxId], mailbox: userId },
        { by: 'top', size: 100 },
      ),
    items: ({ mailboxId, userId }, folderId) =>
      list<Body>(
        caller,
        { route: 'GET /admin/exchange/mailboxes/{id}/folders/{id}/items', params: [mailboxId, folderId], mailbox: userId },
        { by: 'top', size: 100 },
      ),
    exportItems: (mailbox, itemIds) => exportItems(caller, mailbox, itemIds),
    importer(mailbox) {
      if (mailbox.mailboxId === '') throw graphError('graph.bad-request', { field: 'mailboxId' });
      return createImporter(caller, mailbox);
    },
  });
}
