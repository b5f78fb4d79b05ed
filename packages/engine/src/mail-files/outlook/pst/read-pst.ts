import { isAppError } from '@holdfast/foundation/errors';
import { LARGEST_MESSAGE, LARGEST_PIECE, type MailFile, type MailFileFault } from '../../mail-file.ts';
import { damaged } from '../damaged.ts';
import { MAPI, numberOf, textOf, type MapiItem } from '../mapi-item.ts';
import { readPropertyNames, type PropertyNames } from '../property-names.ts';
import { messageOfItem, type OutlookMessage } from '../outlook-message.ts';
import { createPstBlocks, type PstBlocks } from './pst-blocks.ts';
import { readPstHeader, wide, type PstHeader } from './pst-header.ts';
import { createPstObjects, type PstObjects } from './pst-objects.ts';
import { createPstPages, type PstLeaf, type PstPages } from './pst-pages.ts';

/** A message of a data file, or a piece of it that could not be read. `key` rises. */
export type PstPiece = { readonly key: number; readonly offset: number; readonly folder: string } & (
  | ({ readonly kind: 'mail' } & OutlookMessage)
  | { readonly kind: 'fault'; readonly code: MailFileFault; readonly bytes: Buffer }
);

const STORE = 0x21;
const NAMES = 0x61;
const ROOT_FOLDER = 0x122;
const KIND = { folder: 0x02, message: 0x04 } as const;
const DEEPEST_FOLDER = 100;

interface Node {
  readonly id: number;
  readonly data: number;
  readonly sub: number;
  readonly parent: number;
}

interface OpenPst {
  readonly file: MailFile;
  readonly header: PstHeader;
  readonly pages: PstPages;
  readonly blocks: PstBlocks;
  readonly objects: PstObjects;
  readonly names: PropertyNames;
  /** The folder above all that people see. */
  readonly top: number;
}

function nodeOf({ shape }: PstHeader, entry: Buffer): Node {
  if (shape === 'ansi') {
    return { id: entry.readUInt32LE(0), data: entry.readUInt32LE(4), sub: entry.readUInt32LE(8), parent: entry.readUInt32LE(12) };
  }
  return { id: entry.readUInt32LE(0), data: wide(entry, 8), sub: wide(entry, 16), parent: entry.readUInt32LE(24) };
}

async function findNode({ header, pages }: Pick<OpenPst, 'header' | 'pages'>, id: number): Promise<Node | undefined> {
  const entry = await pages.find(header.nodes, 'nodes', id);
  return entry && nodeOf(header, entry);
}

async function open(
  file: MailFile,
  header: PstHeader,
  passwordCheck: number | undefined,
): Promise<OpenPst | { readonly fault: MailFileFault }> {
  const pages = createPstPages(file, header.shape);
  const blocks = createPstBlocks(file, pages, header);
  const objects = createPstObjects(blocks, header.shape === 'unicode4k');
  const store = await findNode({ header, pages }, STORE);
  if (!store) throw damaged('it has no message store');
  const properties = await objects.properties(store);
  const wanted = numberOf(properties, MAPI.passwordCheck) ?? 0;
  if (wanted !== 0 && passwordCheck === undefined) return { fault: 'import.pst-password-needed' };
  if (wanted !== 0 && passwordCheck !== wanted) return { fault: 'import.pst-password-wrong' };
  const entry = properties.get(MAPI.subtreeEntry)?.bytes;
  const top = entry && entry.byteLength >= 24 ? entry.readUInt32LE(20) : ROOT_FOLDER;
  return { file, header, pages, blocks, objects, top, names: await namesOf({ header, pages }, objects) };
}

/** Names of properties help whoever reads them; a file without is read all the same. */
async function namesOf(of: Pick<OpenPst, 'header' | 'pages'>, objects: PstObjects): Promise<PropertyNames> {
  try {
    const node = await findNode(of, NAMES);
    const properties = node && (await objects.properties(node));
    const bytes = (id: number): Buffer => properties?.get(id)?.bytes ?? Buffer.alloc(0);
    return readPropertyNames(bytes(2), bytes(3), bytes(4));
  } catch {
    return new Map();
  }
}

/**
 * The paths of folders, each looked up once. Beside the folder that holds all that people see, Outlook keeps items of its own, such as
 * free and busy times: undefined for those. A folder whose place is lost is shown.
 */
function createPaths(pst: OpenPst) {
  const known = new Map<number, string | undefined>([[pst.top, '']]);
  async function nameOf(id: number): Promise<{ readonly name: string; readonly parent: number }> {
    const node = await findNode(pst, id).catch(() => undefined);
    if (!node) return { name: '', parent: 0 };
    const properties = await pst.objects.properties(node).catch(() => undefined);
    const name = (properties && textOf(properties, MAPI.displayName)) ?? '';
    return { name: name.replaceAll('/', '-').trim() || `0x${id.toString(16)}`, parent: node.parent };
  }
  async function pathOf(id: number, depth = 0): Promise<string | undefined> {
    if (known.has(id)) return known.get(id);
    if (id === ROOT_FOLDER) return undefined;
    if (id === 0 || id % 32 !== KIND.folder || depth > DEEPEST_FOLDER) return '';
    const { name, parent } = await nameOf(id);
    const above = parent === id ? '' : await pathOf(parent, depth + 1);
    const path = above === undefined ? undefined : [above, name].filter((part) => part !== '').join('/');
    known.set(id, path);
    return path;
  }
  return (id: number): Promise<string | undefined> => pathOf(id);
}

/** As much of what could not be read as there is. */
async function rawOf({ blocks }: OpenPst, { data }: Node): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of blocks.dataOf(data)) {
      parts.push(part);
      if (parts.reduce((sum, { byteLength }) => sum + byteLength, 0) > LARGEST_PIECE) break;
    }
  } catch {
    // What came before the damage is kept.
  }
  return Buffer.concat(parts).subarray(0, LARGEST_PIECE);
}

async function pieceOf(pst: OpenPst, node: Node, folder: string): Promise<PstPiece> {
  const found = { key: node.id, offset: await pst.blocks.offsetOf(node.data), folder };
  const fault = async (code: MailFileFault): Promise<PstPiece> => ({ ...found, kind: 'fault', code, bytes: await rawOf(pst, node) });
  try {
    const item: MapiItem = await pst.objects.item(node);
    const message = await messageOfItem(item, pst.names, LARGEST_MESSAGE);
    return message ? { ...found, kind: 'mail', ...message } : await fault('import.too-large');
  } catch (error) {
    // Offsets beyond the end of a buffer are how broken counts show themselves.
    if (!isAppError(error, 'import.damaged') && !(error instanceof RangeError)) throw error;
    return fault('import.damaged');
  }
}

async function damagedPage({ file }: OpenPst, { key, at }: Extract<PstLeaf, { kind: 'damaged' }>): Promise<PstPiece> {
  const bytes = Number.isSafeInteger(at) && at > 0 ? await file.read(at, 512) : Buffer.alloc(0);
  return { kind: 'fault', code: 'import.damaged', key, offset: Number.isSafeInteger(at) ? at : 0, folder: '', bytes };
}

/** The items of an Outlook data file after one, in the order of their numbers. */
export async function* readPst(
  file: MailFile,
  { after, passwordCheck }: { readonly after?: number | undefined; readonly passwordCheck?: number | undefined },
): AsyncGenerator<PstPiece | { readonly kind: 'closed'; readonly code: MailFileFault }, void, undefined> {
  const header = await readPstHeader(file);
  if ('fault' in header) {
    yield { kind: 'closed', code: header.fault };
    return;
  }
  const pst = await open(file, header, passwordCheck).catch((error: unknown) => {
    if (!isAppError(error, 'import.damaged') && !(error instanceof RangeError)) throw error;
    return { fault: 'import.damaged' } as const;
  });
  if ('fault' in pst) {
    yield { kind: 'closed', code: pst.fault };
    return;
  }
  const pathOf = createPaths(pst);
  for await (const leaf of pst.pages.walk(header.nodes, 'nodes', after ?? 0)) {
    if (leaf.kind === 'damaged') {
      yield await damagedPage(pst, leaf);
      continue;
    }
    if (leaf.key % 32 !== KIND.message) continue;
    const node = nodeOf(header, leaf.bytes);
    const folder = await pathOf(node.parent);
    if (folder !== undefined) yield await pieceOf(pst, node, folder);
  }
}
