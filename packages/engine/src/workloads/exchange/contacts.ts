import type { GraphClient } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { Unread } from '../../pipeline/cursor-state.ts';
import type { ContentSink, Draft, ReadItem, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import { compareListing, exported, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { followCollection } from '../delta-collection.ts';
import { partDefect } from '../part-defect.ts';
import { createRemovals } from '../removals.ts';
import { forgetScopes } from '../follow-delta.ts';
import { createRevisits, resolveLost } from '../revisit.ts';
import { AREAS } from './areas.ts';

const REMOVALS_SCOPE = 'contacts:removals';
const DEFAULT_FOLDER_SCOPE = 'contacts:default';

type ContactEntry = Awaited<ReturnType<GraphClient['exchange']['contacts']['contact']>>;

interface Folder {
  readonly id: string;
  readonly parentKey: string;
  readonly name: string;
  readonly isDefault: boolean;
}

async function listFolders(graph: GraphClient, userId: string, parent?: Folder): Promise<Folder[]> {
  const found: Folder[] = [];
  const parentKey = parent?.id ?? AREAS.contacts;
  for await (const folder of graph.exchange.contacts.contactFolders({ userId }, parent && { folderId: parent.id })) {
    const one = { id: folder.id, parentKey, name: folder.displayName ?? '', isDefault: false };
    found.push(one, ...(await listFolders(graph, userId, one)));
  }
  return found;
}

/** The default folder is in no list: something in it names it, and then it is remembered. */
async function defaultFolder(context: EnumerateContext, graph: GraphClient): Promise<string | undefined> {
  const known = context.cursor(DEFAULT_FOLDER_SCOPE);
  if (known !== undefined) return known;
  return graph.exchange.contacts.defaultContactFolderId({ userId: context.resource.graphId });
}

async function read(
  graph: GraphClient,
  ref: { readonly userId: string; readonly contactId: string },
  contact: object,
  sink: ContentSink,
): Promise<ReadItem> {
  const contents = [await sink.store('export', exported(contact), { kind: 'json', mediaType: 'application/json' })];
  try {
    const photo = await graph.exchange.contacts.contactPhoto(ref);
    if (photo) contents.push(await sink.store('photo', photo, { kind: 'file', mediaType: 'image/jpeg' }));
  } catch (error) {
    return { contents, defects: [partDefect(error, 'photo', ['photo'])] };
  }
  return { contents };
}

function contactDraft(graph: GraphClient, userId: string, folderId: string | null, contact: ContactEntry): Draft {
  return {
    key: contact.id,
    kind: 'contact',
    parentKey: contact.parentFolderId ?? folderId,
    name: contact.displayName ?? '',
    contentTag: contact.changeKey ?? tagOf(jsonProperties(without(contact))),
    properties: jsonProperties({
      changeKey: contact.changeKey,
      companyName: contact.companyName,
      emailAddresses: contact.emailAddresses,
    }),
    ...(contact.createdDateTime ? { createdAt: contact.createdDateTime } : {}),
    ...(contact.lastModifiedDateTime ? { modifiedAt: contact.lastModifiedDateTime } : {}),
    read: (sink) => read(graph, { userId, contactId: contact.id }, contact, sink),
  };
}

async function* putAgain(context: EnumerateContext, graph: GraphClient, { key, parentKey }: Unread): AsyncGenerator<Step, void, undefined> {
  const userId = context.resource.graphId;
  const contact = await graph.exchange.contacts.contact({ userId, contactId: key });
  const previous = (await context.known.load([key])).get(key);
  yield { step: 'put', draft: contactDraft(graph, userId, parentKey, contact), previous };
}

/** Contact folders and contacts with their photos. */
export async function* enumerateContacts(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const userId = context.resource.graphId;
  const removals = createRemovals(context, REMOVALS_SCOPE);
  const revisits = createRevisits(context);
  const folders = await listFolders(graph, userId);
  const standard = await defaultFolder(context, graph);
  if (standard !== undefined) {
    if (context.cursor(DEFAULT_FOLDER_SCOPE) === undefined) yield { step: 'cursor', scope: DEFAULT_FOLDER_SCOPE, value: standard };
    folders.unshift({ id: standard, parentKey: AREAS.contacts, name: 'Contacts', isDefault: true });
  }
  for (const folder of folders) {
    const scope = `contacts:items:${folder.id}`;
    const part = { key: `unread:${scope}`, kind: 'contactFolder', parentKey: folder.parentKey, name: folder.name } as const;
    const contacts = guardPart(part, () =>
      followCollection(context, {
        scope,
        parentKey: folder.id,
        kind: 'contact',
        removals,
        open: (cursor) => graph.exchange.contacts.contactDelta({ userId, folderId: folder.id }, cursor),
        draft: (contact) => contactDraft(graph, userId, folder.id, contact),
      }),
    );
    yield* revisits.noting(contacts);
  }
  yield* removals.settle();
  const there = folders.map(({ id }) => id);
  yield* forgetScopes(context, ['contacts:items:'], there);
  yield* resolveLost(context, 'unread:contacts:items:', there);
  yield* revisits.rest(
    ({ kind }) => kind === 'contact',
    (unread) => putAgain(context, graph, unread),
  );
  for (const parentKey of new Set([AREAS.contacts, ...folders.map((folder) => folder.id)])) {
    yield* compareListing(context, {
      parentKey,
      kind: 'contactFolder',
      listing: listingOf(folders.filter((folder) => folder.parentKey === parentKey)),
      draft: ({ id, name, isDefault }) => ({
        key: id,
        kind: 'contactFolder',
        parentKey,
        name,
        contentTag: '',
        properties: isDefault ? { isDefault } : {},
      }),
    });
  }
}

async function* listingOf<T>(values: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* values;
}
