import { sha256Hex } from '@holdfast/foundation/bytes';
import type { Clock } from '@holdfast/foundation/clock';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import { once, type Bytes } from '@holdfast/foundation/streams';
import type { VaultReader } from '@holdfast/vault';
import { fileBytesOf, fileNameOf, mediaTypeOf, storedJson, wholeOf } from '../download/item-file.ts';
import { safeName } from '../download/safe-name.ts';
import { createMimeParser } from '../mime/mime-parser.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { gonePartsOf } from '../pipeline/gone.ts';
import { asVersion } from '../ports/file-versions.ts';
import type { Content, ItemVersion, JsonObject } from '../ports/item.ts';
import { factsOf } from './item-facts.ts';
import { filePreview, PREVIEW_TEXT_LIMIT } from './file-preview.ts';
import { cutToPage, readable, type ItemPreview, type PreviewAttachment, type PreviewGone } from './item-preview.ts';
import { DOCUMENT_LIMIT, DOCUMENTS_LIMIT, type DocumentWords, type DocumentWordsReader } from './document-words.ts';
import { wordsOf, type ItemWords } from './item-words.ts';
import { mailInThread, type MailInThread } from './mail-in-thread.ts';
import { jsonPreview } from './json-preview.ts';
import { addressText, mailPreview } from './mail-preview.ts';

/** One item, or one attachment of it, as a file. */
export interface ItemFile {
  readonly fileName: string;
  readonly mediaType: string;
  /** Known where bytes are kept as they are. */
  readonly sizeBytes?: number;
  readonly bytes: Bytes;
}

/** A message as it was stored, taken apart: its header lines in their order, and the hash of its bytes as they were read back. */
export interface OpenedMail {
  readonly preview: ItemPreview;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly sha256: string;
}

export type ItemReaderErrorCode = 'restore.no-such-attachment' | 'restore.unreadable';

export interface ItemFileOptions {
  readonly attachment?: number;
  /** A file as it was in the version of this label. */
  readonly version?: string;
  readonly signal: AbortSignal;
}

/** What of a file is shown. */
export interface PreviewOptions {
  /** The file as it was in the version of this label. */
  readonly version?: string;
  /** Reads what a document says, so that Office files are shown as text. Without it they have none. */
  readonly documents?: DocumentWordsReader;
}

/** Shows single items of a vault to a person. */
export interface ItemReader {
  /**
   * The item as text and facts. A message that can't be taken apart is told by what the service said of it.
   * Throws `restore.unreadable` for a version that is not stored.
   */
  preview(reader: VaultReader, item: ItemVersion, options?: PreviewOptions): Promise<ItemPreview>;
  /** A message with its header and its hash; `restore.unreadable` when it is not stored whole or too large to be taken apart. */
  mail(reader: VaultReader, item: ItemVersion): Promise<OpenedMail>;
  /** A message as one of its thread; `restore.unreadable` like `mail`. */
  inThread(reader: VaultReader, item: ItemVersion): Promise<MailInThread>;
  /** Everything of the item that can be searched: its whole text, its people, its attachments with what is in them. */
  words(reader: VaultReader, item: ItemVersion, documents: DocumentWordsReader): Promise<ItemWords>;
  /**
   * The exact bytes of the item, or of its attachment by the index that `preview` gave;
   * `restore.no-such-attachment` when it has none of that index, `restore.unreadable` for a version that is not stored.
   */
  file(reader: VaultReader, item: ItemVersion, options: ItemFileOptions): Promise<ItemFile>;
  close(): Promise<void>;
}

/** The largest message that is taken apart: what the service itself takes is 150 MB. */
const MAIL_LIMIT = 160 * 1024 * 1024;
const NO_TYPE = 'application/octet-stream';

/** A type as a header can carry it: what a message claims may be anything. */
function plainType(mediaType: string | undefined): string {
  return mediaType !== undefined && /^[\w.+-]+\/[\w.+-]+$/u.test(mediaType) ? mediaType : NO_TYPE;
}

function partsOf(item: ItemVersion): readonly Content[] {
  return item.contents.filter((content) => content.role === 'attachment' || content.role === 'hosted');
}

function attachmentsOf(item: ItemVersion): readonly PreviewAttachment[] {
  return partsOf(item).map(({ label, mediaType, ref }, index) => ({
    index,
    name: label ?? String(index + 1),
    mediaType: plainType(mediaType),
    sizeBytes: ref.sizeBytes,
  }));
}

function goneOf(item: ItemVersion): readonly PreviewGone[] {
  return gonePartsOf(item).map(({ part, since }) => {
    const [role = '', ...name] = part.split(':');
    if (role === 'version') return { part: role, name: name.join(':'), since };
    return { part: role === 'photo' ? role : 'picture', name: '', since };
  });
}

interface Readable {
  readonly preview: ItemPreview;
  readonly bcc: readonly string[];
  readonly mail?: ParsedMail;
  /** What the service said of it, where it is no message that could be taken apart and no file. */
  readonly stored?: JsonObject;
}

/** A document of an item; null for one that is larger than is read. */
type KeptDocument = { readonly name: string; readonly bytes: Uint8Array } | null;

async function keptDocument(reader: VaultReader, { ref }: Content, name: string): Promise<KeptDocument> {
  return ref.sizeBytes > DOCUMENT_LIMIT ? null : { name, bytes: await reader.readAll(ref, DOCUMENT_LIMIT) };
}

/** The documents of an item, one at a time: the file that it is, or what is attached to it. */
async function* keptDocuments(reader: VaultReader, item: ItemVersion, mail: ParsedMail | undefined): AsyncGenerator<KeptDocument> {
  const whole = wholeOf(item);
  if (item.kind === 'file' && whole) yield await keptDocument(reader, whole, item.name);
  for (const { name, bytes } of mail?.attachments ?? []) yield bytes.byteLength > DOCUMENT_LIMIT ? null : { name, bytes };
  if (item.kind === 'file' || mail) return;
  for (const part of item.contents) if (part.role === 'attachment') yield await keptDocument(reader, part, part.label ?? '');
}

async function documentWords(documents: DocumentWordsReader, kept: AsyncIterable<KeptDocument>): Promise<readonly DocumentWords[]> {
  const words: DocumentWords[] = [];
  let count = 0;
  for await (const document of kept) {
    count += 1;
    const isRead = document !== null && count <= DOCUMENTS_LIMIT;
    words.push(...(isRead ? await documents.read(document) : [{ path: [], text: '', state: 'tooLarge' as const }]));
    if (count > DOCUMENTS_LIMIT) break;
  }
  return words;
}

/** A message that could not be taken apart is known by what the service said of it alone: it counts as unread, or as too large. */
function unopened(item: ItemVersion, mail: ParsedMail | undefined): readonly DocumentWords[] {
  const whole = item.kind === 'message' && !mail ? wholeOf(item) : undefined;
  return whole ? [{ path: [], text: '', state: whole.ref.sizeBytes > MAIL_LIMIT ? 'tooLarge' : 'failed' }] : [];
}

/** What a document and everything in it says; null for one without words. */
async function textIn(reader: VaultReader, item: ItemVersion, documents: DocumentWordsReader): Promise<string | null> {
  const parts = await documentWords(documents, keptDocuments(reader, item, undefined));
  const texts = parts.map((part) => readable(part.text)).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join('\n');
}

/** What is read of an item at once: a message as a whole, documents one after the other. */
const weightOf = ({ contents }: ItemVersion): number => contents.reduce((most, { ref }) => Math.max(most, ref.sizeBytes), 0);

/** Reads several items at a time as long as memory holds no more of them than one message may be long, whoever asks. */
export function createItemReader(clock: Clock): ItemReader {
  const parser = createMimeParser(clock);
  const memory = createSemaphore(MAIL_LIMIT);
  const inMemory = <T>(item: ItemVersion, work: () => Promise<T>): Promise<T> => memory.run(work, undefined, weightOf(item));

  async function parsed(reader: VaultReader, item: ItemVersion): Promise<ParsedMail | undefined> {
    const whole = wholeOf(item);
    if (item.kind !== 'message' || !whole || whole.ref.sizeBytes > MAIL_LIMIT) return undefined;
    return parser.parse(await reader.readAll(whole.ref, MAIL_LIMIT));
  }

  /** A whole message, taken apart, and the hash of its bytes. */
  async function opened<T>(reader: VaultReader, item: ItemVersion, show: (mail: ParsedMail, sha256: string) => T): Promise<T> {
    const whole = wholeOf(item);
    if (item.kind !== 'message' || !whole || whole.ref.sizeBytes > MAIL_LIMIT) throw new AppError('restore.unreadable');
    return inMemory(item, async () => {
      const raw = await reader.readAll(whole.ref, MAIL_LIMIT);
      // Before it is parsed: the parser takes the bytes along.
      const sha256 = sha256Hex(raw);
      return show(await parser.parse(raw), sha256);
    });
  }

  /** The item in words, whom a message was sent to unseen, and the message itself. */
  async function readableOf(reader: VaultReader, item: ItemVersion, textLimit: number): Promise<Readable> {
    if (item.kind === 'file') return { preview: await filePreview(reader, item, textLimit), bcc: [] };
    try {
      const mail = await parsed(reader, item);
      if (mail) return { preview: mailPreview(item, mail), bcc: mail.bcc.map(addressText), mail };
    } catch (error) {
      if (!isAppError(error, 'restore.unreadable')) throw error;
    }
    const stored = await storedJson(reader, item);
    return { preview: { ...jsonPreview(item, stored), attachments: attachmentsOf(item) }, bcc: [], stored };
  }

  return Object.freeze<ItemReader>({
    async preview(reader, given, { version, documents } = {}) {
      const item = version === undefined ? given : asVersion(given, version);
      const { preview } = await inMemory(item, () => readableOf(reader, item, PREVIEW_TEXT_LIMIT));
      const text = preview.text ?? (documents && item.kind === 'file' ? await textIn(reader, item, documents) : null);
      return { ...cutToPage({ ...preview, text }), gone: goneOf(item) };
    },
    mail: (reader, item) =>
      opened(reader, item, (mail, sha256) => ({
        preview: { ...cutToPage(mailPreview(item, mail)), gone: goneOf(item) },
        headers: mail.headers,
        sha256,
      })),
    inThread: (reader, item) => opened(reader, item, (mail) => mailInThread(item, mail)),
    words: (reader, item, documents) =>
      inMemory(item, async () => {
        // The text of a file is read with the documents.
        const { preview, bcc, mail, stored } = await readableOf(reader, item, 0);
        const read = [...unopened(item, mail), ...(await documentWords(documents, keptDocuments(reader, item, mail)))];
        return { ...wordsOf(item, preview, bcc, read), facts: factsOf(item, mail, { stored, documents: read }) };
      }),
    async file(reader, given, { attachment, version, signal }) {
      const item = version === undefined ? given : asVersion(given, version);
      if (attachment === undefined) {
        const sizeBytes = wholeOf(item)?.ref.sizeBytes;
        const bytes = fileBytesOf(reader, item, signal);
        return {
          fileName: fileNameOf(item),
          mediaType: plainType(mediaTypeOf(item)),
          bytes,
          ...(sizeBytes === undefined ? {} : { sizeBytes }),
        };
      }
      const inMail = (await inMemory(item, () => parsed(reader, item)))?.attachments[attachment];
      if (inMail) {
        const { name, mediaType, bytes } = inMail;
        return { fileName: safeName(name, 'attachment'), mediaType: plainType(mediaType), sizeBytes: bytes.byteLength, bytes: once(bytes) };
      }
      const stored = wholeOf(item) ? undefined : partsOf(item)[attachment];
      if (!stored) throw new AppError('restore.no-such-attachment', { details: { attachment } });
      return {
        fileName: safeName(stored.label ?? 'attachment', 'attachment'),
        mediaType: plainType(stored.mediaType),
        sizeBytes: stored.ref.sizeBytes,
        bytes: reader.read(stored.ref, { signal }),
      };
    },
    close: () => parser.close(),
  });
}
