import { idPrefix, type IdSeries, idSeries, readItemId, writeItemId } from '../state/item-ids.ts';

/** The ids of one mailbox. Folder ids never change; message ids do on a move, unless they are immutable. */
export interface MailIds {
  folder(number: number): string;
  readFolder(id: string): number | undefined;
  message(key: string, folder: number, isImmutable: boolean): string;
  /** The ids of the generated messages that are in their folder, by their index. */
  generated(folder: number, isImmutable: boolean): IdSeries;
  /** The key, and the folder that the id names when it is one of those that change. */
  readMessage(id: string): { readonly key: string; readonly folder: number | undefined } | undefined;
  attachment(key: string, index: number): string;
  readAttachment(id: string): { readonly key: string; readonly index: number } | undefined;
}

const FOLDER = 1;
const MESSAGE = 2;
const IMMUTABLE = 3;
const ATTACHMENT = 0x40;
const cache = new Map<string, MailIds>();
const KEPT = 4000;

/** Keys are `g{folder}.{index}` for generated messages and `n{number}` for those that came later. */
function readKey(key: string): { readonly a: number; readonly b: number } {
  if (key.startsWith('n')) return { a: 0xffffffff, b: Number(key.slice(1)) };
  const dot = key.indexOf('.');
  return { a: Number(key.slice(1, dot)), b: Number(key.slice(dot + 1)) };
}

function writeKey(a: number, b: number): string {
  return a === 0xffffffff ? `n${b}` : `g${a}.${b}`;
}

function create(mailboxId: string): MailIds {
  const plain = idPrefix(mailboxId, 'AAMk');
  const fixed = idPrefix(mailboxId, 'AAkA');
  const folders = new Map<number, string>();
  return Object.freeze({
    folder(number: number) {
      let id = folders.get(number);
      if (id === undefined) {
        id = writeItemId(plain, { kind: FOLDER, a: number, b: 0, folder: 0 });
        folders.set(number, id);
      }
      return id;
    },
    readFolder(id: string) {
      const found = readItemId(plain, id);
      return found?.kind === FOLDER ? found.a : undefined;
    },
    message(key: string, folder: number, isImmutable: boolean) {
      const { a, b } = readKey(key);
      return isImmutable ? writeItemId(fixed, { kind: IMMUTABLE, a, b, folder: 0 }) : writeItemId(plain, { kind: MESSAGE, a, b, folder });
    },
    generated(folder: number, isImmutable: boolean) {
      return isImmutable
        ? idSeries(fixed, { kind: IMMUTABLE, a: folder, folder: 0 })
        : idSeries(plain, { kind: MESSAGE, a: folder, folder });
    },
    readMessage(id: string) {
      const immutable = readItemId(fixed, id);
      if (immutable) return immutable.kind === IMMUTABLE ? { key: writeKey(immutable.a, immutable.b), folder: undefined } : undefined;
      const found = readItemId(plain, id);
      return found?.kind === MESSAGE ? { key: writeKey(found.a, found.b), folder: found.folder } : undefined;
    },
    attachment(key: string, index: number) {
      const { a, b } = readKey(key);
      return writeItemId(plain, { kind: ATTACHMENT, a, b, folder: index });
    },
    readAttachment(id: string) {
      const found = readItemId(plain, id);
      return found?.kind === ATTACHMENT ? { key: writeKey(found.a, found.b), index: found.folder } : undefined;
    },
  });
}

/** The ids of a mailbox, kept for the next request. */
export function mailIds(mailboxId: string): MailIds {
  let ids = cache.get(mailboxId);
  if (!ids) {
    ids = create(mailboxId);
    if (cache.size >= KEPT) cache.clear();
    cache.set(mailboxId, ids);
  }
  return ids;
}
