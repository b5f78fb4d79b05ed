import type { Contact, ContactFolder } from '@microsoft/microsoft-graph-types';
import type { Caller } from '../client/caller.ts';
import { asValues, textOf } from '../client/checks.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import type { PageSize } from '../client/paging/page.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { ContactCalls, ContactFolderRef } from './calendar-api.ts';

const PAGE: PageSize = { by: 'top', size: 250 };
const PHOTO_LIMIT_BYTES = 32 * 1024 * 1024;

async function defaultFolderId(caller: Caller, userId: string): Promise<string | undefined> {
  const values = await caller.get(
    { route: 'GET /users/{id}/contacts', params: [userId], query: { $top: '1', $select: 'parentFolderId' }, isPage: true },
    asValues,
  );
  return textOf(values[0], 'parentFolderId');
}

function listContacts({ userId, folderId }: ContactFolderRef): GraphCall {
  return { route: 'GET /users/{id}/contactFolders/{id}/contacts', params: [userId, folderId] };
}

/** A second folder of the same name below one parent is refused, so that repeating does no harm. */
function createFolderCall(parent: { readonly userId: string; readonly folderId?: string }, json: object): GraphCall {
  if (parent.folderId === undefined) return { route: 'POST /users/{id}/contactFolders', params: [parent.userId], json, isRepeatable: true };
  return {
    route: 'POST /users/{id}/contactFolders/{id}/childFolders',
    params: [parent.userId, parent.folderId],
    json,
    isRepeatable: true,
  };
}

/** Calls of contacts. */
export function createContactCalls(caller: Caller): ContactCalls {
  return Object.freeze<ContactCalls>({
    contactFolders: ({ userId }, parent) =>
      list<ContactFolder>(
        caller,
        parent
          ? { route: 'GET /users/{id}/contactFolders/{id}/childFolders', params: [userId, parent.folderId] }
          : { route: 'GET /users/{id}/contactFolders', params: [userId] },
        PAGE,
      ),
    defaultContactFolderId: ({ userId }) => defaultFolderId(caller, userId),
    createContactFolder: (parent, folder) => caller.known(createFolderCall(parent, folder)),
    contacts: (folder) => list<Contact>(caller, listContacts(folder), PAGE),
    contactDelta: (folder, cursor) =>
      readDelta<Contact>(
        caller,
        {
          call: { route: 'GET /users/{id}/contactFolders/{id}/contacts/delta', params: [folder.userId, folder.folderId] },
          page: { by: 'prefer', size: 500 },
          list: { call: listContacts(folder), page: PAGE },
        },
        cursor,
      ),
    contact: ({ userId, contactId }) => caller.known({ route: 'GET /users/{id}/contacts/{id}', params: [userId, contactId] }),
    createContact: ({ userId, folderId }, contact, options = {}) =>
      caller.known({
        route: 'POST /users/{id}/contactFolders/{id}/contacts',
        params: [userId, folderId],
        json: contact,
        ...(options.recover ? { recover: options.recover } : {}),
      }),
    updateContact: ({ userId, contactId }, change) =>
      caller.known({ route: 'PATCH /users/{id}/contacts/{id}', params: [userId, contactId], json: change }),
    permanentlyDeleteContactFolder: ({ userId, folderId }) =>
      caller.remove({ route: 'POST /users/{id}/contactFolders/{id}/permanentDelete', params: [userId, folderId], isRepeatable: true }),
    deleteContact: ({ userId, contactId }) => caller.remove({ route: 'DELETE /users/{id}/contacts/{id}', params: [userId, contactId] }),
    contactPhoto: ({ userId, contactId }) =>
      caller.bytes({ route: 'GET /users/{id}/contacts/{id}/photo/$value', params: [userId, contactId] }, PHOTO_LIMIT_BYTES),
    setContactPhoto: ({ userId, contactId }, photo) =>
      caller.send({ route: 'PUT /users/{id}/contacts/{id}/photo/$value', params: [userId, contactId], raw: photo }),
  });
}
