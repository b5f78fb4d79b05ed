import { deltaPage } from '../delta/delta-page.ts';
import { listPage } from '../delta/list-page.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, conflict, Failure, requireMatch } from '../http/failure.ts';
import { readFilter } from '../http/filter.ts';
import type { JsonObject } from '../values/json.ts';
import { ordered } from '../http/order-by.ts';
import { project } from '../http/query.ts';
import { bytes, created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { requireMailboxOwner } from '../mail/open.ts';
import { changeKeyOf, outlookTime } from '../mail/render-message.ts';
import { addItem, feedOfItems, putItem, removeItem } from '../state/item-list.ts';
import { missingItem, ownedId, readOwnedId } from '../http/owned-ids.ts';
import { pictureBytes } from '../state/picture.ts';
import { type ContactFolderRecord, type ContactRecord, contactsState, type ContactsState, DEFAULT_FOLDER } from './contact-state.ts';

interface Open {
  readonly owner: Person;
  readonly state: ContactsState;
}

const DEFAULTS: JsonObject = {
  categories: [],
  birthday: null,
  fileAs: '',
  displayName: '',
  givenName: null,
  initials: null,
  middleName: null,
  nickName: null,
  surname: null,
  title: null,
  yomiGivenName: null,
  yomiSurname: null,
  yomiCompanyName: null,
  generation: null,
  imAddresses: [],
  jobTitle: null,
  companyName: null,
  department: null,
  officeLocation: null,
  profession: null,
  businessHomePage: null,
  assistantName: null,
  manager: null,
  homePhones: [],
  mobilePhone: null,
  businessPhones: [],
  spouseName: null,
  personalNotes: '',
  children: [],
  emailAddresses: [],
  homeAddress: {},
  businessAddress: {},
  otherAddress: {},
};

function open(context: Context): Open {
  const owner = requireMailboxOwner(context);
  return { owner, state: contactsState(context.tenant, owner) };
}

function requireFolder({ owner, state }: Open, id: string): ContactFolderRecord {
  const found = readOwnedId(owner.id, 'contactFolder', id);
  const folder = found && state.folders.items.get(found.number);
  if (!folder) throw missingItem(id);
  return folder;
}

function requireContact({ owner, state }: Open, id: string): ContactRecord {
  const found = readOwnedId(owner.id, 'contact', id);
  const contact = found && state.contacts.items.get(found.number);
  if (!contact) throw missingItem(id);
  return contact;
}

function folderId(context: Context, owner: Person, number: number): string {
  return ownedId(owner.id, 'contactFolder', { number, part: 0 }, context.prefer.isImmutableId);
}

function renderFolder(context: Context, owner: Person, folder: ContactFolderRecord): JsonObject {
  return {
    id: folderId(context, owner, folder.number),
    parentFolderId: folderId(context, owner, folder.parent),
    displayName: folder.displayName,
  };
}

function renderContact(context: Context, owner: Person, record: ContactRecord): JsonObject {
  const changeKey = changeKeyOf(`contact/${record.number}`, record.version);
  const { singleValueExtendedProperties: extended, ...contact } = record.contact;
  return {
    '@odata.etag': `W/"${changeKey}"`,
    id: ownedId(owner.id, 'contact', { number: record.number, part: 0 }, context.prefer.isImmutableId),
    createdDateTime: outlookTime(record.createdMs),
    lastModifiedDateTime: outlookTime(record.modifiedMs),
    changeKey,
    parentFolderId: folderId(context, owner, record.folder),
    ...DEFAULTS,
    ...contact,
    ...(context.query.expands('singleValueExtendedProperties') && extended !== undefined
      ? { singleValueExtendedProperties: extended }
      : {}),
  };
}

function listFolders(context: Context, opened: Open, parent: number): Reply {
  const { owner, state } = opened;
  return listPage(context, {
    items: feedOfItems(state.folders, (folder) => folder.parent === parent && folder.number !== DEFAULT_FOLDER),
    context: `users('${owner.id}')/contactFolders`,
    defaultSize: 10,
    maxSize: 999,
    render: (folder) => project(renderFolder(context, owner, folder), context.query.select),
  });
}

async function createFolder(context: Context, opened: Open, parent: number): Promise<Reply> {
  const { owner, state } = opened;
  const { displayName } = await context.json();
  if (typeof displayName !== 'string' || displayName === '') throw badRequest('outlook', 'A folder needs a display name.');
  const isTaken = [...state.folders.items.values()].some(
    (folder) => folder.parent === parent && folder.displayName.toLowerCase() === displayName.toLowerCase(),
  );
  if (isTaken) throw conflict('outlook', 'A folder with the specified name already exists.');
  const nowMs = context.tenant.clock.nowMs();
  const folder = addItem(state.folders, nowMs, (number) => ({
    number,
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    displayName,
    parent,
  }));
  return created({
    '@odata.context': context.links.context(`users('${owner.id}')/contactFolders/$entity`),
    ...renderFolder(context, owner, folder),
  });
}

function listContacts(context: Context, opened: Open, folder: ContactFolderRecord): Reply {
  const { owner, state } = opened;
  const { query } = context;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, 'outlook');
  return listPage(context, {
    items: ordered(
      feedOfItems(state.contacts, (contact) => contact.folder === folder.number),
      {
        orderBy: query.orderBy,
        service: 'outlook',
        render: (contact) => renderContact(context, owner, contact),
      },
    ),
    context: `users('${owner.id}')/contactFolders('${folderId(context, owner, folder.number)}')/contacts`,
    defaultSize: 10,
    maxSize: 999,
    render: (contact) => project(renderContact(context, owner, contact), query.select),
    ...(filter ? { includes: (contact: ContactRecord) => filter(renderContact(context, owner, contact)) } : {}),
  });
}

/** Of the folder that the path names, or of the default folder. */
function contactsDelta(context: Context, opened: Open, folder: ContactFolderRecord): Reply {
  const { owner, state } = opened;
  const type = '#microsoft.graph.contact';
  return deltaPage(context, {
    feed: feedOfItems(state.contacts, (contact) => contact.folder === folder.number),
    resource: `contacts/${owner.id}/${folder.number}`,
    context: 'Collection(contact)',
    defaultSize: 10,
    maxSize: 1000,
    render: (contact, query) => ({ '@odata.type': type, ...project(renderContact(context, owner, contact), query.select) }),
    removed: (id) => ({
      '@odata.type': type,
      id: ownedId(owner.id, 'contact', { number: Number(id), part: 0 }, context.prefer.isImmutableId),
      '@removed': { reason: 'deleted' },
    }),
  });
}

function readContact(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in DEFAULTS || name === 'singleValueExtendedProperties'));
}

function answer(context: Context, owner: Person, record: ContactRecord): JsonObject {
  return {
    '@odata.context': context.links.context(`users('${owner.id}')/contacts/$entity`),
    ...project(renderContact(context, owner, record), context.query.select),
  };
}

/** Exchange makes the name that a new contact is shown by of its parts when none is given. */
function withDisplayName(contact: JsonObject): JsonObject {
  const { displayName, givenName, surname } = contact;
  if (typeof displayName === 'string' && displayName !== '') return contact;
  const parts = [givenName, surname].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.length === 0 ? contact : { ...contact, displayName: parts.join(' ') };
}

async function createContact(context: Context): Promise<Reply> {
  const opened = open(context);
  const folder = requireFolder(opened, context.params[1] ?? '');
  const contact = withDisplayName(readContact(await context.json()));
  const nowMs = context.tenant.clock.nowMs();
  const base = { version: 0, createdMs: nowMs, modifiedMs: nowMs, folder: folder.number, contact, photo: undefined };
  return created(
    answer(
      context,
      opened.owner,
      addItem(opened.state.contacts, nowMs, (number) => ({ ...base, number })),
    ),
  );
}

async function changeContact(context: Context): Promise<Reply> {
  const { owner, state } = open(context);
  const record = requireContact({ owner, state }, context.params[1] ?? '');
  requireMatch('outlook', context.headers['if-match'], `W/"${changeKeyOf(`contact/${record.number}`, record.version)}"`);
  const change = readContact(await context.json());
  return ok(
    answer(context, owner, putItem(state.contacts, context.tenant.clock.nowMs(), { ...record, contact: { ...record.contact, ...change } })),
  );
}

function removeContact(context: Context): Reply {
  const opened = open(context);
  removeItem(opened.state.contacts, context.tenant.clock.nowMs(), requireContact(opened, context.params[1] ?? ''));
  return noContent;
}

/** Past the recycle bin, with all that is in it. */
function purgeFolder(context: Context): Reply {
  const opened = open(context);
  const { folders, contacts } = opened.state;
  const nowMs = context.tenant.clock.nowMs();
  const purge = (folder: ContactFolderRecord): void => {
    for (const child of folders.items.values()) if (child.parent === folder.number) purge(child);
    for (const contact of contacts.items.values()) if (contact.folder === folder.number) removeItem(contacts, nowMs, contact);
    removeItem(folders, nowMs, folder);
  };
  const folder = requireFolder(opened, context.params[1] ?? '');
  if (folder.number === DEFAULT_FOLDER) throw badRequest('outlook', 'The default folder cannot be deleted.');
  purge(folder);
  return noContent;
}

function getPhoto(context: Context): Reply {
  const record = requireContact(open(context), context.params[1] ?? '');
  if (!record.photo)
    throw new Failure(404, 'ImageNotFound', "Exception of type 'Microsoft.Fast.Profile.Core.Exception.ImageNotFoundException' was thrown.");
  return bytes(pictureBytes(context.tenant.received, record.photo), 'image/png');
}

async function putPhoto(context: Context): Promise<Reply> {
  const opened = open(context);
  const record = requireContact(opened, context.params[1] ?? '');
  const photo = await context.body();
  if (photo.byteLength === 0) throw badRequest('outlook', 'The picture is empty.');
  putItem(opened.state.contacts, context.tenant.clock.nowMs(), { ...record, photo: context.tenant.received.add(photo) });
  return { status: 200 };
}

const service = 'outlook';
const LIST = ['$select', '$top', '$skip', '$filter', '$orderby', '$count', '$expand'];
const FOLDER_LIST = ['$select', '$top', '$skip', '$count'];
const FOLDERS = '/users/{id}/contactFolders';

/** Folders, contacts and their pictures. */
export const contactRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: FOLDERS, service, query: FOLDER_LIST, handler: (context) => listFolders(context, open(context), 0) },
  { method: 'POST', path: FOLDERS, service, handler: (context) => createFolder(context, open(context), 0) },
  { method: 'POST', path: `${FOLDERS}/{id}/permanentDelete`, service, handler: purgeFolder },
  {
    method: 'GET',
    path: `${FOLDERS}/{id}/childFolders`,
    service,
    query: FOLDER_LIST,
    handler: (context) => listFolders(context, open(context), requireFolder(open(context), context.params[1] ?? '').number),
  },
  {
    method: 'POST',
    path: `${FOLDERS}/{id}/childFolders`,
    service,
    handler: (context) => createFolder(context, open(context), requireFolder(open(context), context.params[1] ?? '').number),
  },
  {
    method: 'GET',
    path: `${FOLDERS}/{id}/contacts`,
    service,
    query: LIST,
    handler: (context) => listContacts(context, open(context), requireFolder(open(context), context.params[1] ?? '')),
  },
  { method: 'POST', path: `${FOLDERS}/{id}/contacts`, service, handler: createContact },
  {
    method: 'GET',
    path: `${FOLDERS}/{id}/contacts/delta`,
    service,
    query: ['$select', '$top'],
    handler: (context) => contactsDelta(context, open(context), requireFolder(open(context), context.params[1] ?? '')),
  },
  {
    method: 'GET',
    path: '/users/{id}/contacts',
    service,
    query: LIST,
    handler: (context) =>
      listContacts(context, open(context), open(context).state.folders.items.get(DEFAULT_FOLDER) as ContactFolderRecord),
  },
  {
    method: 'GET',
    path: '/users/{id}/contacts/delta',
    like: '/users/{id}/contactFolders/{id}/contacts/delta',
    service,
    query: ['$select', '$top'],
    handler: (context) =>
      contactsDelta(context, open(context), open(context).state.folders.items.get(DEFAULT_FOLDER) as ContactFolderRecord),
  },
  {
    method: 'GET',
    path: '/users/{id}/contacts/{id}',
    service,
    query: ['$select', '$expand'],
    handler: (context) => ok(answer(context, open(context).owner, requireContact(open(context), context.params[1] ?? ''))),
  },
  { method: 'PATCH', path: '/users/{id}/contacts/{id}', service, handler: changeContact },
  { method: 'DELETE', path: '/users/{id}/contacts/{id}', service, handler: removeContact },
  { method: 'GET', path: '/users/{id}/contacts/{id}/photo/$value', service, handler: getPhoto },
  { method: 'PUT', path: '/users/{id}/contacts/{id}/photo/$value', service, streams: true, handler: putPhoto },
];
