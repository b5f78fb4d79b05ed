/** A file that may hold mail, readable at any place of it. */
export interface MailFile {
  /** Its path below what is imported, with `/`. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The bytes of a range; fewer only where the file ends. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** What a file turned out to be. The four dialects of mbox differ in how a line that begins with "From " is told from the start of a message. */
export type MailFileFormat = 'eml' | 'mboxo' | 'mboxrd' | 'mboxcl' | 'mboxcl2' | 'zip' | 'pst' | 'msg';

/** Why a piece of a file is no message that could be taken in. */
export type MailFileFault =
  | 'import.not-mail'
  | 'import.is-html'
  | 'import.no-header'
  | 'import.too-large'
  | 'import.encrypted'
  | 'import.damaged'
  | 'import.bomb'
  | 'import.too-deep'
  | 'import.pst-encrypted'
  | 'import.pst-password-needed'
  | 'import.pst-password-wrong'
  | 'import.pst-protected'
  | 'import.pst-version';

/** Where something is in what is imported: file, then entry of a zip, then offset. Later is larger, number by number. */
export type MailPlace = readonly number[];

interface Found {
  readonly place: MailPlace;
  /** The file it is in, and within a zip the entry. */
  readonly fileName: string;
  /** Where in that file it begins. */
  readonly offset: number;
  /** The folder that the names of files and folders tell. */
  readonly folder: string;
}

/** What is known of an item of Outlook beside the message that was made of it: it never had one. */
export interface Reconstructed {
  /** Every property of the item, as JSON. */
  readonly properties: Buffer;
  /** When the provider delivered it, ISO 8601. */
  readonly receivedAt?: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
}

/** A message with its exact bytes. */
export interface FoundMail extends Found {
  readonly kind: 'mail';
  readonly bytes: Buffer;
  readonly reconstructed?: Reconstructed;
}

/** A piece that is no message, as it is in the file, cut where it is larger than a message may be. */
export interface FoundFault extends Found {
  readonly kind: 'fault';
  readonly code: MailFileFault;
  readonly bytes: Buffer;
}

export type MailFileEntry = FoundMail | FoundFault;

/** The largest message that is taken in. Exchange Online takes 150 MB at most. */
export const LARGEST_MESSAGE = 150 * 1024 * 1024;
/** As much is kept of a piece that is no message. */
export const LARGEST_PIECE = 1024 * 1024;

const READ_AT_ONCE = 1024 * 1024;

/** The bytes of a file from an offset on. */
export async function* bytesFrom(file: Pick<MailFile, 'sizeBytes' | 'read'>, offset = 0): AsyncGenerator<Buffer, void, undefined> {
  for (let at = offset; at < file.sizeBytes;) {
    const bytes = await file.read(at, Math.min(READ_AT_ONCE, file.sizeBytes - at));
    if (bytes.byteLength === 0) return;
    at += bytes.byteLength;
    yield bytes;
  }
}

/** Below zero where `a` comes first. */
export function comparePlaces(a: MailPlace, b: MailPlace): number {
  for (let level = 0; level < Math.max(a.length, b.length); level += 1) {
    const difference = (a[level] ?? -1) - (b[level] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
