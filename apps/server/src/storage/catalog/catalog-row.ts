import { sortText, storableText } from '@holdfast/foundation/text';
import { isContainer, type ItemVersion } from '@holdfast/engine';

/** A version as the catalog's table takes it. */
export interface CatalogRow {
  readonly key: string;
  readonly parentKey: string | null;
  readonly kind: string;
  readonly isContainer: boolean;
  readonly name: string;
  readonly sortName: string;
  readonly sizeBytes: number;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly author: string | null;
  readonly notProtected: string | null;
  readonly hasAttachments: boolean;
  readonly detail: string;
}

/** What of a version has no column of its own, and the exact form of what a column rounds or can't hold. */
export type CatalogDetail = Pick<ItemVersion, 'contentTag' | 'contents' | 'properties'> &
  Partial<Pick<ItemVersion, 'name' | 'createdAt' | 'modifiedAt'>>;

function storableTime(text: string | undefined): string | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Where Microsoft Graph puts a person: mail says `emailAddress`, files, sites and messages of Teams say `user`. */
const persons = ['emailAddress', 'user', 'application', 'device'] as const;

/** The name that a person or an app is shown by; the address where there is none. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const own = [given['name'], given['displayName'], given['address'], given['email']];
  return (
    (own.find((part) => typeof part === 'string' && part !== '') as string | undefined) ??
    persons.map((kind) => nameOf(given[kind])).find(Boolean)
  );
}

/** Who made an item, as far as its properties tell. */
export function authorOf(item: Pick<ItemVersion, 'properties'>): string | null {
  const author = ['author', 'from', 'createdBy', 'organizer'].map((name) => nameOf(item.properties[name])).find(Boolean);
  return author === undefined ? null : storableText(author).slice(0, 400);
}

/** The row of a version. `versionOf(rowOf(version))` is the version, to the letter. */
export function rowOf(item: ItemVersion): CatalogRow {
  const name = storableText(item.name);
  const { notProtected, hasAttachments } = item.properties;
  const detail: CatalogDetail = {
    ...(name === item.name ? {} : { name: item.name }),
    ...(item.createdAt === undefined ? {} : { createdAt: item.createdAt }),
    ...(item.modifiedAt === undefined ? {} : { modifiedAt: item.modifiedAt }),
    contentTag: item.contentTag,
    contents: item.contents,
    properties: item.properties,
  };
  return {
    key: item.key,
    parentKey: item.parentKey,
    kind: item.kind,
    isContainer: isContainer(item.kind),
    name,
    sortName: sortText(name),
    sizeBytes: item.sizeBytes,
    createdAt: storableTime(item.createdAt),
    modifiedAt: storableTime(item.modifiedAt),
    author: authorOf(item),
    notProtected: typeof notProtected === 'string' ? notProtected : null,
    hasAttachments: item.kind === 'message' && hasAttachments === true,
    detail: JSON.stringify(detail),
  };
}

/** A version from its row. */
export function versionOf(row: {
  readonly item_key: string;
  readonly parent_key: string | null;
  readonly kind: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly detail: object;
}): ItemVersion {
  const { name, createdAt, modifiedAt, contentTag, contents, properties } = row.detail as CatalogDetail;
  return {
    key: row.item_key,
    kind: row.kind as ItemVersion['kind'],
    parentKey: row.parent_key,
    name: name ?? row.name,
    sizeBytes: row.size_bytes,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    contentTag,
    contents,
    properties,
  };
}
