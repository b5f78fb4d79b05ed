import { isAppError } from '@holdfast/foundation/errors';
import { detectFormat, LOOKED_AT } from './detect-format.ts';
import {
  bytesFrom,
  comparePlaces,
  LARGEST_MESSAGE,
  LARGEST_PIECE,
  type MailFile,
  type MailFileEntry,
  type MailFileFault,
  type MailFileFormat,
  type MailPlace,
} from './mail-file.ts';
import { readMsg } from './outlook/msg/read-msg.ts';
import { readPst } from './outlook/pst/read-pst.ts';
import { readMbox } from './read-mbox.ts';
import { readZip, type ZipEntry } from './read-zip.ts';

/** A zip in a zip in a zip is read, and no deeper. */
const DEEPEST = 3;

/** What somebody says beside the files. */
export interface ReadingOptions {
  /** What Outlook keeps of the password of a data file. */
  readonly passwordCheck?: number | undefined;
}

interface Opened {
  readonly options: ReadingOptions;
  readonly file: MailFile;
  /** Of the file, which each place in it begins with. */
  readonly place: MailPlace;
  /** Where to go on within it. */
  readonly after: MailPlace | undefined;
  readonly depth: number;
}

/** The folder of a file by its path: `.sbd` is how Thunderbird calls the folder of what is below a mailbox. */
export function folderOf(name: string, format: MailFileFormat): string {
  const parts = name.split(/[/\\]/u).filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = parts.pop() ?? '';
  const folders = parts.map((part) => part.replace(/\.sbd$/iu, ''));
  return [...folders, ...(format.startsWith('mbox') ? [last.replace(/\.(?:mbox|mbx|mbs)$/iu, '')] : [])].join('/');
}

async function faultOf({ file, place }: Opened, code: MailFileFault): Promise<MailFileEntry> {
  const bytes = await file.read(0, Math.min(LARGEST_PIECE, file.sizeBytes));
  return { kind: 'fault', code, place: [...place, 0], fileName: file.name, offset: 0, folder: folderOf(file.name, 'eml'), bytes };
}

async function* readOne(opened: Opened): AsyncGenerator<MailFileEntry, void, undefined> {
  const { file, place, after } = opened;
  if (after !== undefined) return;
  if (file.sizeBytes > LARGEST_MESSAGE) {
    yield await faultOf(opened, 'import.too-large');
    return;
  }
  const bytes = await file.read(0, file.sizeBytes);
  yield { kind: 'mail', place: [...place, 0], fileName: file.name, offset: 0, folder: folderOf(file.name, 'eml'), bytes };
}

async function* readMailbox(
  { file, place, after }: Opened,
  dialect: Extract<MailFileFormat, `mbox${string}`>,
): AsyncGenerator<MailFileEntry, void, undefined> {
  const [last] = after ?? [];
  const found = { fileName: file.name, folder: folderOf(file.name, dialect) };
  for await (const piece of readMbox(bytesFrom(file, last ?? 0), { dialect, offset: last ?? 0 })) {
    if (piece.offset !== last) yield { ...found, ...piece, place: [...place, piece.offset] };
  }
}

/** The items of an Outlook data file, in folders below one with its name. */
async function* readDataFile(opened: Opened): AsyncGenerator<MailFileEntry, void, undefined> {
  const { file, place, after, options } = opened;
  const top = [folderOf(file.name, 'eml'), file.name.replace(/^.*[/\\]/u, '').replace(/\.[op]st$/iu, '')].filter((part) => part !== '');
  for await (const piece of readPst(file, { after: after?.[0], passwordCheck: options.passwordCheck })) {
    if (piece.kind === 'closed') {
      if (after === undefined) yield await faultOf(opened, piece.code);
      return;
    }
    const { key, folder, ...rest } = piece;
    yield { ...rest, fileName: file.name, folder: [...top, folder].filter((part) => part !== '').join('/'), place: [...place, key] };
  }
}

/** A message that Outlook has saved as a file. */
async function* readOutlookFile(opened: Opened): AsyncGenerator<MailFileEntry, void, undefined> {
  const { file, place, after } = opened;
  if (after !== undefined) return;
  if (file.sizeBytes > LARGEST_MESSAGE) {
    yield await faultOf(opened, 'import.too-large');
    return;
  }
  const read = await readMsg(await file.read(0, file.sizeBytes), LARGEST_MESSAGE);
  if ('fault' in read) {
    yield await faultOf(opened, read.fault);
    return;
  }
  yield { kind: 'mail', ...read, place: [...place, 0], fileName: file.name, offset: 0, folder: folderOf(file.name, 'msg') };
}

/** A file of a zip has its bytes one after the other: what goes back in it reads it from its beginning. */
function fileOfEntry(entry: ZipEntry, name: string): MailFile & { close(): void } {
  let reader: AsyncIterator<Buffer> | undefined;
  let start = 0;
  let held: Buffer = Buffer.alloc(0);
  const begin = (): AsyncIterator<Buffer> => {
    start = 0;
    held = Buffer.alloc(0);
    return entry.stream()[Symbol.asyncIterator]();
  };
  return {
    name,
    sizeBytes: entry.sizeBytes,
    async read(offset, length) {
      if (!reader || offset < start) {
        await reader?.return?.();
        reader = begin();
      }
      const parts: Buffer[] = [];
      let wanted = length;
      for (;;) {
        const from = Math.min(held.byteLength, Math.max(0, offset + length - wanted - start));
        const piece = held.subarray(from, from + wanted);
        parts.push(piece);
        wanted -= piece.byteLength;
        if (wanted === 0) break;
        const { value, done } = await reader.next();
        if (done === true) break;
        start += held.byteLength;
        held = value;
      }
      return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    },
    close: () => void reader?.return?.(),
  };
}

async function* readEntry(opened: Opened, entry: ZipEntry): AsyncGenerator<MailFileEntry, void, undefined> {
  const file = fileOfEntry(entry, `${opened.file.name.replace(/\.zip$/iu, '')}/${entry.name}`);
  const fault = (code: MailFileFault): MailFileEntry => {
    const { place } = opened;
    return { kind: 'fault', code, place: [...place, 0], fileName: file.name, offset: entry.offset, folder: '', bytes: Buffer.alloc(0) };
  };
  if (entry.isEncrypted || entry.isBomb) {
    if (opened.after === undefined) yield fault(entry.isEncrypted ? 'import.encrypted' : 'import.bomb');
    return;
  }
  let last: MailPlace = opened.place;
  try {
    for await (const found of readFile({ ...opened, file })) {
      last = found.place;
      yield found;
    }
  } catch (error) {
    if (!isAppError(error, 'import.damaged')) throw error;
    yield { ...fault('import.damaged'), place: [...last, 0] };
  } finally {
    file.close();
  }
}

async function* readArchive(opened: Opened): AsyncGenerator<MailFileEntry, void, undefined> {
  const { file, place, after, depth, options } = opened;
  if (depth >= DEEPEST) {
    if (after === undefined) yield await faultOf(opened, 'import.too-deep');
    return;
  }
  let number = 0;
  try {
    for await (const entry of readZip(file)) {
      const at = number;
      number += 1;
      const [last, ...within] = after ?? [];
      if (last !== undefined && at < last) continue;
      yield* readEntry({ options, file, place: [...place, at], after: at === last ? within : undefined, depth: depth + 1 }, entry);
    }
  } catch (error) {
    if (!isAppError(error, 'import.damaged')) throw error;
    yield { ...(await faultOf(opened, 'import.damaged')), place: [...place, number, 0] };
  }
}

/** What one file holds. */
async function* readFile(opened: Opened): AsyncGenerator<MailFileEntry, void, undefined> {
  const { file, after } = opened;
  const head = await file.read(0, Math.min(LOOKED_AT, file.sizeBytes));
  const detected = detectFormat(head, head.byteLength === file.sizeBytes);
  if ('fault' in detected) {
    if (after === undefined) yield await faultOf(opened, detected.fault);
    return;
  }
  const { format } = detected;
  if (format === 'zip') yield* readArchive(opened);
  else if (format === 'pst') yield* readDataFile(opened);
  else if (format === 'msg') yield* readOutlookFile(opened);
  else if (format === 'eml') yield* readOne(opened);
  else yield* readMailbox(opened, format);
}

/** Everything that files hold, in order, after a place. Each message has its exact bytes; each piece that is none says why. */
export async function* readMailFiles(
  files: AsyncIterable<MailFile>,
  after?: MailPlace,
  options: ReadingOptions = {},
): AsyncGenerator<MailFileEntry, void, undefined> {
  let number = 0;
  for await (const file of files) {
    const at = number;
    number += 1;
    const [last, ...within] = after ?? [];
    if (last !== undefined && at < last) continue;
    for await (const found of readFile({ options, file, place: [at], after: at === last ? within : undefined, depth: 0 })) {
      if (after === undefined || comparePlaces(found.place, after) > 0) yield found;
    }
  }
}

/** What a file says that it is, by its first bytes. */
export async function formatOfMailFile(file: MailFile): Promise<MailFileFormat | MailFileFault> {
  const head = await file.read(0, Math.min(LOOKED_AT, file.sizeBytes));
  const detected = detectFormat(head, head.byteLength === file.sizeBytes);
  return 'fault' in detected ? detected.fault : detected.format;
}
