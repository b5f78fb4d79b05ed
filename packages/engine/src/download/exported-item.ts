import { sha256Hex } from '@holdfast/foundation/bytes';
import type { Bytes } from '@holdfast/foundation/streams';
import type { VaultReader } from '@holdfast/vault';
import type { Content, ItemVersion, Json } from '../ports/item.ts';
import { placementsOf } from '../workloads/archive/archived-message.ts';
import { fileBytesOf, fileNameOf, wholeOf } from './item-file.ts';
import { mboxMessage } from './mbox.ts';
import { safeName } from './safe-name.ts';

/** A file that an export has of an item. */
export interface ExportedFile {
  /** Which of the stored contents it is; null for the item itself. */
  readonly content: number | null;
  readonly name: string;
  readonly sizeBytes: number;
  /** Of the bytes as they are kept; undefined for what is made from properties. */
  readonly sha256: string | undefined;
}

/** What an index says of an item. */
export interface ExportFacts {
  readonly sender: string;
  readonly sentAt: string | null;
  readonly receivedAt: string | null;
  readonly messageId: string;
}

/** A message file is read whole when it goes into a mailbox file; the service takes none that is longer. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;
const SUBJECT_LENGTH = 60;
const NAME_LENGTH = 80;
/** One level of a folder, and all of them: with them a path stays below what Windows takes. */
const FOLDER_LENGTH = 40;
const FOLDERS_LENGTH = 90;

function cut(name: string, length: number): string {
  const kept: string[] = [];
  for (const sign of name) {
    if (kept.length >= length) break;
    kept.push(sign);
  }
  return kept.join('');
}

/** `2026-11-02 10.00.00`: as names can carry it. */
function stampOf({ modifiedAt, createdAt }: ItemVersion): string {
  return (modifiedAt ?? createdAt ?? '').slice(0, 19).replaceAll(':', '.').replace('T', ' ');
}

/** Date, subject and hash: mails of the same minute and subject have names of their own. */
function messageName(item: ItemVersion, whole: Content): string {
  const name = `${stampOf(item)} ${safeName(cut(item.name, SUBJECT_LENGTH), '-')} ${whole.ref.sha256.slice(0, 12)}`;
  return `${name.trim()}.eml`;
}

function shortFileName(item: ItemVersion): string {
  const name = fileNameOf(item);
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  return safeName(`${cut(name.slice(0, name.length - ending.length), NAME_LENGTH)}${ending}`, 'file');
}

/** The files of an item: itself, and what is attached where its own bytes do not hold that. */
export function exportedFiles(item: ItemVersion): readonly ExportedFile[] {
  const whole = wholeOf(item);
  if (whole) {
    const name = item.kind === 'message' ? messageName(item, whole) : shortFileName(item);
    return [{ content: null, name, sizeBytes: whole.ref.sizeBytes, sha256: whole.ref.sha256 }];
  }
  const own: ExportedFile = { content: null, name: shortFileName(item), sizeBytes: item.sizeBytes, sha256: undefined };
  const attached = item.contents.flatMap(({ role, label, ref }, content): readonly ExportedFile[] => {
    if (role !== 'attachment' && role !== 'hosted') return [];
    const name = safeName(cut(`${own.name} - ${label ?? 'attachment'}`, NAME_LENGTH), 'attachment');
    return [{ content, name, sizeBytes: ref.sizeBytes, sha256: ref.sha256 }];
  });
  return [own, ...attached];
}

/** The bytes of one of these files. */
export function openExported(reader: VaultReader, item: ItemVersion, content: number | null, signal: AbortSignal): Bytes {
  if (content === null) return fileBytesOf(reader, item, signal);
  const stored = item.contents[content];
  if (!stored) throw new Error(`The item has no content ${content}.`);
  return reader.read(stored.ref, { signal });
}

/** Whether a mailbox file can hold an item: a message whose exact bytes are kept. */
export function fitsMbox(item: Pick<ItemVersion, 'kind' | 'contents'>): boolean {
  return item.kind === 'message' && item.contents.some(({ role }) => role === 'mime');
}

/** A message as a mailbox file has it (mboxrd). */
export async function exportedMbox(reader: VaultReader, item: ItemVersion): Promise<Iterable<Uint8Array>> {
  const whole = wholeOf(item);
  if (!whole) throw new Error('A message without its bytes was put into a mailbox file.');
  return mboxMessage(await reader.readAll(whole.ref, MESSAGE_LIMIT), item.modifiedAt ?? item.createdAt);
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export function exportFacts({ properties, createdAt, modifiedAt, kind }: ItemVersion): ExportFacts {
  const { emailAddress } = (properties['from'] ?? {}) as { readonly emailAddress?: { readonly name?: string; readonly address?: string } };
  const { name = '', address = '' } = emailAddress ?? {};
  return {
    sender: name === '' || name === address ? address : `${name} <${address}>`,
    sentAt: text(properties['sentDateTime']) || (createdAt ?? null),
    receivedAt: text(properties['receivedDateTime']) || (kind === 'message' ? (modifiedAt ?? null) : null),
    messageId: text(properties['internetMessageId']),
  };
}

/** The folder of an archived message, as the first capture found it; undefined for items that lie in folders of the catalog. */
export function archivedFolder(item: ItemVersion): string | undefined {
  const [first] = placementsOf(item);
  if (first === undefined) return undefined;
  return text((first as { readonly folder?: Json }).folder);
}

/** A folder as a path that every system takes. One that is too deep is cut, and told apart by its hash. */
export function exportedFolder(levels: readonly string[]): string {
  const path = levels.map((level) => safeName(cut(level, FOLDER_LENGTH))).join('/');
  if (path.length <= FOLDERS_LENGTH) return path;
  const kept = path.slice(0, FOLDERS_LENGTH).split('/').slice(0, -1);
  return [...kept, sha256Hex(Buffer.from(JSON.stringify(levels))).slice(0, 8)].join('/');
}
