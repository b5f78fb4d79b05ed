import type { VaultReader } from '@holdfast/vault';
import type { ItemKind, ItemVersion, JsonObject } from '../ports/item.ts';
import { storedJson } from './item-file.ts';

/** Their file in the archive is what Microsoft 365 said of them already, or they are listed in the file of their conversation. */
const SAY_IT_THEMSELVES: ReadonlySet<ItemKind> = new Set([
  'area',
  'task',
  'listItem',
  'page',
  'rule',
  'category',
  'mailboxSettings',
  'shortcut',
]);
/** Kept whole beside what the catalog knows of them. */
const KEPT_AS_JSON: ReadonlySet<ItemKind> = new Set(['event', 'contact']);

/** True for an item of which its file does not hold everything that Microsoft 365 said. */
export function hasMetadata({ kind }: ItemVersion): boolean {
  return !SAY_IT_THEMSELVES.has(kind);
}

/** The name beside `Report.docx`: `Report.docx.metadata.json`. */
export function metadataNameOf(path: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1)}.metadata.json`;
}

function withoutPermissions({ permissions: _permissions, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** What Microsoft 365 said of an item: read state, categories, access, versions, authors and times. */
export async function metadataText(
  reader: VaultReader,
  item: ItemVersion,
  { permissions }: { readonly permissions: boolean },
): Promise<string> {
  const { kind, name, createdAt, modifiedAt, sizeBytes } = item;
  const properties = permissions ? item.properties : withoutPermissions(item.properties);
  const original = KEPT_AS_JSON.has(kind) ? { original: await storedJson(reader, item) } : {};
  return `${JSON.stringify({ kind, name, createdAt, modifiedAt, sizeBytes, properties, ...original }, null, 2)}\n`;
}
