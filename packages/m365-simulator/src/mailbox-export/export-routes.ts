import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { chance, randomOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, changedMeanwhile, fail, notFound } from '../http/failure.ts';
import { type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { project } from '../http/query.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { requireMailboxOwner } from '../mail/open.ts';
import { readExported, writeExported } from './exported-item.ts';
import { allFolders, type AnyFolder, findItem, renderItem } from './mailbox-items.ts';

const MAX_ITEMS = 20;
const IMPORT_BYTES = 200 * 1024 * 1024;
const SESSION_SECONDS = 3600;

function mailboxId(context: Context, person: Person): string {
  return `MBX:${person.id}@${context.tenant.tenantId}`;
}

/** The owner of the mailbox that the path names by its mailbox id. */
function requireOwner(context: Context): Person {
  const id = /^MBX:([0-9a-f-]{36})@([0-9a-f-]{36})$/u.exec(context.params[0] ?? '');
  const person = id?.[2] === context.tenant.tenantId ? context.tenant.directory.user(id[1] ?? '') : undefined;
  if (!person?.hasMailbox) throw fail(404, 'ErrorNonExistentMailbox', 'The mailbox was not found.');
  return person;
}

function requireFolder(context: Context, owner: Person): AnyFolder {
  const folder = allFolders(context.tenant, owner).find((entry) => entry.id === context.params[1]);
  if (!folder) throw notFound('outlook');
  return folder;
}

function exchangeSettings(context: Context): Reply {
  const person = requireMailboxOwner(context);
  const annotation = { '@odata.context': context.links.context(`users('${person.id}')/settings/exchange/$entity`) };
  return ok({ ...annotation, id: person.id, primaryMailboxId: mailboxId(context, person) });
}

function listFolders(context: Context): Reply {
  const owner = requireOwner(context);
  return listPage(context, {
    items: positionsOf(allFolders(context.tenant, owner)),
    context: `admin/exchange/mailboxes('${context.params[0] ?? ''}')/folders`,
    defaultSize: 100,
    maxSize: 999,
    render: (folder) =>
      project(
        {
          id: folder.id,
          displayName: folder.displayName,
          parentFolderId: folder.parentId,
          childFolderCount: folder.children,
          totalItemCount: folder.count,
          type: folder.type,
        },
        context.query.select,
      ),
  });
}

function listItems(context: Context): Reply {
  const owner = requireOwner(context);
  return listPage(context, {
    items: requireFolder(context, owner).items,
    context: `admin/exchange/mailboxes('${context.params[0] ?? ''}')/folders('${context.params[1] ?? ''}')/items`,
    defaultSize: 10,
    maxSize: 999,
    render: (item) => project(renderItem(item), context.query.select),
  });
}

/** One item of an export; what can't be exported says why, and the others come nevertheless. */
function exportItem(context: Context, owner: Person, itemId: string): JsonObject {
  const { tenant } = context;
  const refused = (code: string, message: string): JsonObject => ({ itemId, changeKey: null, error: { code, message } });
  const item = findItem(tenant, owner, itemId);
  if (!item) return refused('ErrorItemNotFound', 'The specified object was not found in the store.');
  const { exportRefusals, exchangeVersion } = tenant.switches;
  const random = randomOf({ seed: tenant.seed, kind: 'export', owner: item.id, index: 0 });
  if (context.hasEffect('corruptMessage') || chance(random, exportRefusals))
    return refused('ErrorCorruptData', 'The item could not be exported.');
  return { itemId, changeKey: item.changeKey, data: writeExported(item.exported(), exchangeVersion) };
}

async function exportItems(context: Context): Promise<Reply> {
  const owner = requireOwner(context);
  const { itemIds } = await context.json();
  if (!Array.isArray(itemIds) || itemIds.length === 0 || itemIds.length > MAX_ITEMS)
    throw badRequest('outlook', `Between 1 and ${MAX_ITEMS} ids of items are required.`);
  const value = itemIds.map((id: JsonValue) => exportItem(context, owner, textOf(id)));
  return ok({ '@odata.context': context.links.context('Collection(microsoft.graph.exportItemResponse)'), value });
}

function createImportSession(context: Context): Reply {
  const owner = requireOwner(context);
  const importUrl = context.links.signed({
    host: 'outlookImport',
    hostName: 'outlook.office365.com',
    path: `/api/gv1.0/Mailboxes('${encodeURIComponent(mailboxId(context, owner))}')/importItem`,
    claims: { owner: owner.id },
    livesSeconds: SESSION_SECONDS,
  });
  const expirationDateTime = new Date(context.tenant.clock.nowMs() + SESSION_SECONDS * 1000).toISOString();
  return ok({ '@odata.context': context.links.context('microsoft.graph.mailboxItemImportSession'), importUrl, expirationDateTime });
}

interface Import {
  readonly folderId: string;
  readonly data: string;
  /** Of an update: the item and the version of it that is replaced. */
  readonly replaces: { readonly itemId: string; readonly changeKey: string } | undefined;
}

function readImport(body: JsonObject): Import {
  const { FolderId: folderId, Mode: mode, Data: data, ItemId: itemId, ChangeKey: changeKey } = body;
  if (typeof folderId !== 'string' || typeof data !== 'string') throw badRequest('outlook', 'FolderId and Data are required.');
  if (mode === 'create') {
    if (itemId !== undefined || changeKey !== undefined) throw badRequest('outlook', 'ItemId and ChangeKey are for updates.');
    return { folderId, data, replaces: undefined };
  }
  if (mode !== 'update') throw badRequest('outlook', 'Mode is create or update.');
  if (typeof itemId !== 'string' || typeof changeKey !== 'string') throw badRequest('outlook', 'ItemId and ChangeKey are required.');
  return { folderId, data, replaces: { itemId, changeKey } };
}

async function importItem(context: Context): Promise<Reply> {
  const { tenant, claims } = context;
  const owner = typeof claims['owner'] === 'string' ? tenant.directory.user(claims['owner']) : undefined;
  if (!owner) throw notFound('outlook');
  const { folderId, data, replaces } = readImport(await context.json(IMPORT_BYTES));
  const folder = allFolders(tenant, owner).find((entry) => entry.id === folderId);
  if (!folder) throw notFound('outlook', 'The folder was not found.');
  const imported = readExported(data, tenant.switches.exchangeVersion);
  if (!replaces) {
    const made = folder.add(imported);
    return ok({ itemId: made.id, changeKey: made.changeKey });
  }
  const item = findItem(tenant, owner, replaces.itemId);
  if (item?.folderId !== folder.id) throw notFound('outlook');
  if (item.changeKey !== replaces.changeKey) throw changedMeanwhile('outlook');
  return ok({ itemId: item.id, changeKey: item.replace(imported) });
}

const service = 'outlook';
const MAILBOX = '/admin/exchange/mailboxes/{id}';
const LIST = ['$select', '$top', '$skip', '$count'];

/** Export and import of mailbox items at full fidelity. */
export const exportRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/settings/exchange', service, query: ['$select'], handler: exchangeSettings },
  { method: 'GET', path: `${MAILBOX}/folders`, service, query: LIST, handler: listFolders },
  { method: 'GET', path: `${MAILBOX}/folders/{id}/items`, service, query: LIST, handler: listItems },
  { method: 'POST', path: `${MAILBOX}/exportItems`, service, handler: exportItems },
  { method: 'POST', path: `${MAILBOX}/createImportSession`, service, handler: createImportSession },
  { method: 'POST', path: '/api/gv1.0/Mailboxes/{id}/importItem', host: 'outlookImport', service, handler: importItem },
];
