import { AppError } from '@holdfast/foundation/errors';
import type { CatalogReader, ItemsQuery } from '../../ports/catalog.ts';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import { placementsOf } from '../../workloads/archive/archived-message.ts';
import { AREAS } from '../../workloads/exchange/areas.ts';
import type { RestoreRequest } from '../request.ts';

/** What a placement says of the message there; the rest is the same wherever it was. */
const OF_PLACE = ['receivedDateTime', 'isRead', 'isDraft', 'flag', 'categories'] as const;
const INBOX = 'path:inbox';

interface Place {
  readonly folder: string;
  readonly folderId: string | undefined;
  readonly providerId: string | undefined;
  readonly capturedAt: string;
  readonly state: JsonObject;
}

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function placesOf(item: ItemVersion): readonly Place[] {
  return placementsOf(item).map((stored) => {
    const place = stored as JsonObject;
    const state = OF_PLACE.flatMap((name): [string, Json][] => (place[name] === undefined ? [] : [[name, place[name]]]));
    return {
      folder: text(place['folder']) ?? '',
      folderId: text(place['folderId']),
      providerId: text(place['providerId']),
      capturedAt: text(place['capturedAt']) ?? '',
      state: Object.fromEntries(state),
    };
  });
}

/** Where a message goes: the folder that was asked for if it was ever there, else where it was seen last. */
function placeFor(item: ItemVersion, wanted: string | undefined): Place | undefined {
  const places = placesOf(item).toSorted((a, b) => (a.capturedAt < b.capturedAt ? 1 : -1));
  return places.find(({ folder }) => folder === wanted) ?? places[0];
}

/** The folders of some paths as items, those above them before them. A folder keeps the id that the provider gave it. */
class Folders {
  readonly #byPath = new Map<string, ItemVersion>();
  readonly #taken = new Set<string>();
  readonly #idOf: ReadonlyMap<string, string | undefined>;
  readonly #rootKey: string;

  constructor(places: readonly Place[], hasTarget: boolean) {
    this.#idOf = new Map(places.map(({ folder, folderId }) => [folder, folderId]));
    // What was in no folder comes into the folder of the restore, and otherwise to where mail arrives.
    this.#rootKey = hasTarget ? AREAS.mail : INBOX;
  }

  keyOf(path: string): string {
    if (path === '') return this.#rootKey;
    const known = this.#byPath.get(path);
    if (known) return known.key;
    const end = path.lastIndexOf('/');
    const parentKey = end < 0 ? AREAS.mail : this.keyOf(path.slice(0, end));
    const id = this.#idOf.get(path);
    // A folder that was renamed was two folders, and its id is that of one of them.
    const key = id === undefined || this.#taken.has(id) ? `path:${path}` : id;
    this.#taken.add(key);
    this.#byPath.set(path, folderItem(key, parentKey, path.slice(end + 1)));
    return key;
  }

  all(): readonly ItemVersion[] {
    const area: ItemVersion = { ...folderItem(AREAS.mail, null, 'mail'), kind: 'area' };
    const inbox = { ...folderItem(INBOX, AREAS.mail, 'Inbox'), properties: { wellKnown: 'inbox' } };
    return [area, ...(this.#rootKey === INBOX ? [inbox] : []), ...this.#byPath.values()];
  }
}

function folderItem(key: string, parentKey: string | null, name: string): ItemVersion {
  return { key, kind: 'mailFolder', parentKey, name, sizeBytes: 0, contentTag: '', contents: [], properties: {} };
}

/** What tells that messages may be taken for each other, as the target is searched by it. */
function likeness({ name, properties }: ItemVersion): string {
  const { internetMessageId, receivedDateTime } = properties;
  return typeof internetMessageId === 'string' && internetMessageId !== ''
    ? internetMessageId.toLowerCase()
    : `${typeof receivedDateTime === 'string' ? receivedDateTime : ''} ${name}`;
}

interface Loaded {
  readonly folders: readonly ItemVersion[];
  readonly messages: ReadonlyMap<string, ItemVersion>;
}

/** The message in its folder, with the names that the provider had for it. */
function inFolder(item: ItemVersion, place: Place | undefined, parentKey: string): ItemVersion {
  const { placements: _placements, ...properties } = item.properties;
  const originals = placesOf(item).flatMap(({ providerId }) => providerId ?? []);
  return { ...item, parentKey, properties: { ...properties, ...place?.state, originals } };
}

type Wanted = Pick<RestoreRequest, 'source' | 'sequence' | 'selection' | 'target' | 'archivedFolder'>;

/**
 * Chosen messages of an archive as the catalog of a mailbox would have them: each in one folder, with the state that it had
 * there. Memory holds the chosen messages, which a restore names some hundred at a time.
 */
export function archivedMailbox(catalog: CatalogReader, request: Wanted): CatalogReader {
  const { source, sequence, selection, target, archivedFolder } = request;
  let loading: Promise<Loaded> | undefined;
  let looking: Promise<ReadonlySet<string>> | undefined;

  async function load(): Promise<Loaded> {
    if (selection === 'all') throw new AppError('restore.other-kind', { details: { source: 'archive' } });
    const items = await Array.fromAsync(catalog.items(source.id, sequence, { keys: selection }));
    const placed = items.map((item) => [item, placeFor(item, archivedFolder)] as const);
    const folders = new Folders(
      placed.flatMap(([, place]) => place ?? []),
      target.folder !== undefined,
    );
    const messages = placed.map(([item, place]) => [item.key, inFolder(item, place, folders.keyOf(place?.folder ?? ''))] as const);
    return { folders: folders.all(), messages: new Map(messages) };
  }
  const loaded = (): Promise<Loaded> => (loading ??= load());

  /**
   * What the provider called the messages of the archive that look like chosen ones: Message-ID alone never makes two
   * mails one, so that what is at the target under one of these names stands for that message and for no other.
   */
  async function namesakes(): Promise<ReadonlySet<string>> {
    const { messages } = await loaded();
    const alike = new Set([...messages.values()].map(likeness));
    const names = new Set<string>();
    for await (const item of catalog.items(source.id, sequence, { kinds: ['message'] })) {
      if (!alike.has(likeness(item))) continue;
      for (const { providerId } of placesOf(item)) if (providerId !== undefined) names.add(providerId);
    }
    return names;
  }

  async function* byKeys(keys: readonly string[]): AsyncGenerator<ItemVersion, void, undefined> {
    const { messages } = await loaded();
    for (const key of keys) {
      const message = messages.get(key);
      if (message) yield message;
      else if ((await (looking ??= namesakes())).has(key)) yield { ...folderItem(key, null, ''), kind: 'message' };
    }
  }

  return Object.freeze<CatalogReader>({
    points: (resourceId) => catalog.points(resourceId),
    async *items(_resourceId: string, _sequence: number | undefined, query: ItemsQuery = {}) {
      if (query.keys) return yield* byKeys(query.keys);
      const { folders, messages } = await loaded();
      for (const item of [...folders, ...messages.values()]) {
        if (query.kinds && !query.kinds.includes(item.kind)) continue;
        if (query.parentKey === undefined || query.parentKey === item.parentKey) yield item;
      }
    },
  });
}
