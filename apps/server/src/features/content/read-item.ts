import { isDrawn } from '@holdfast/contract/content';
import type { DocumentWordsReader, ItemFile, ItemPreview, ItemReader, ItemVersion, OpenedMail } from '@holdfast/engine';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { MOST_DOCUMENT_BYTES } from '@holdfast/words';

/** What of an item is wanted: by default all of it. */
export interface WantedPart {
  readonly attachment?: number | undefined;
  readonly version?: string | undefined;
}

/** The exact bytes of an item, or of a part of it; `content.item-unknown` for a part that it does not have. */
export async function fileOf(
  items: ItemReader,
  vault: Vault,
  item: ItemVersion,
  { attachment, version, signal }: WantedPart & { readonly signal: AbortSignal },
): Promise<ItemFile> {
  try {
    return await items.file(vault.reader(), item, {
      ...(attachment === undefined ? {} : { attachment }),
      ...(version === undefined ? {} : { version }),
      signal,
    });
  } catch (error) {
    throw absentOr(error);
  }
}

/** What the item does not have is unknown to whoever asked for it. */
function absentOr(error: unknown): unknown {
  const isAbsent = isAppError(error, 'restore.no-such-attachment') || isAppError(error, 'restore.unreadable');
  return isAbsent ? new AppError('content.item-unknown', { cause: error }) : error;
}

/** The item made readable, or one version of a file. Files whose pages are drawn need no text beside them. */
export async function previewOf(
  items: ItemReader,
  vault: Vault,
  item: ItemVersion,
  { version, documents }: Pick<WantedPart, 'version'> & { readonly documents: DocumentWordsReader },
): Promise<ItemPreview> {
  try {
    return await items.preview(vault.reader(), item, {
      ...(version === undefined ? {} : { version }),
      ...(isDrawn(item.name) ? {} : { documents }),
    });
  } catch (error) {
    throw version === undefined ? error : absentOr(error);
  }
}

/** All of a file in memory; null for one with more bytes than that. */
export async function bytesOf({ bytes, sizeBytes = 0 }: ItemFile, most: number): Promise<Buffer | null> {
  if (sizeBytes > most) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The words of a file and of what is in it; null when there are none to be read, and empty for an empty file. */
export async function wordsOf(file: ItemFile, documents: DocumentWordsReader): Promise<string | null> {
  const bytes = await bytesOf(file, MOST_DOCUMENT_BYTES);
  if (bytes === null) return null;
  if (bytes.byteLength === 0) return '';
  const parts = await documents.read({ name: file.fileName, bytes });
  const text = parts.map((part) => part.text).filter((one) => one.trim() !== '');
  return text.length === 0 ? null : text.join('\n');
}

/** A message with its header. One that cannot be taken apart is shown by what is known of it; its original is there all the same. */
export async function mailOf(items: ItemReader, vault: Vault, item: ItemVersion): Promise<OpenedMail> {
  try {
    return await items.mail(vault.reader(), item);
  } catch (error) {
    if (!isAppError(error, 'restore.unreadable')) throw error;
    return { preview: await items.preview(vault.reader(), item), headers: [], sha256: '' };
  }
}
