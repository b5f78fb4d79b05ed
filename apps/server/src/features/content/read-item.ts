import type { DocumentWordsReader, ItemFile, ItemReader, ItemVersion, OpenedMail } from '@holdfast/engine';
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
    const isAbsent = isAppError(error, 'restore.no-such-attachment') || isAppError(error, 'restore.unreadable');
    throw isAbsent ? new AppError('content.item-unknown', { cause: error }) : error;
  }
}

/** The words of a file and of what is in it; null when there are none to be read, and empty for an empty file. */
export async function wordsOf({ fileName, bytes }: ItemFile, documents: DocumentWordsReader): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > MOST_DOCUMENT_BYTES) return null;
    pieces.push(piece);
  }
  if (size === 0) return '';
  const parts = await documents.read({ name: fileName, bytes: Buffer.concat(pieces) });
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
