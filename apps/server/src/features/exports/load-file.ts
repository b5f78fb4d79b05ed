import type { IndexedItem } from './export-rows.ts';

/**
 * A load file as Concordance made them and review tools read them: UTF-8 with a byte order mark, a record a line, U+0014 between fields,
 * `þ` around each, `®` for a line end within one. The form has no way to write these three signs as themselves.
 */
const BOM = '\uFEFF';
const QUOTE = '\u00FE';
const BETWEEN = '\u0014';

const FIELDS = [
  'DOCID',
  'BEGATTACH',
  'ENDATTACH',
  'PARENTID',
  'CUSTODIAN',
  'FOLDER',
  'KIND',
  'TITLE',
  'FROM',
  'DATESENT',
  'DATERECEIVED',
  'FILESIZE',
  'SHA256',
  'MESSAGEID',
  'REVIEWSTATUS',
  'REVIEWTAGS',
  'REVIEWNOTES',
  'NATIVELINK',
  'TEXTLINK',
] as const;

const DOCUMENTS_A_FOLDER = 1_000;

/** The number of a document. It follows from the list, so it is the same in each export of that list. */
export const docIdOf = (itemNo: number): string => `HF${String(itemNo).padStart(8, '0')}`;

function folderOf(docId: string): string {
  const number = Math.floor((Number(docId.slice(2)) - 1) / DOCUMENTS_A_FOLDER) + 1;
  return String(number).padStart(5, '0');
}

/** Where the bytes of a document lie: its number is its name, whatever it is called. Its ending tells programs what it is. */
export function nativePath(docId: string, name: string): string {
  const [ending = ''] = /\.[A-Za-z0-9]{1,10}$/u.exec(name) ?? [];
  return `NATIVES/${folderOf(docId)}/${docId}${ending.toLowerCase()}`;
}

export const textPath = (docId: string): string => `TEXT/${folderOf(docId)}/${docId}.txt`;

function cellOf(value: string | number | null): string {
  const text = String(value ?? '')
    .toWellFormed()
    .replaceAll(QUOTE, 'th')
    .replaceAll('\u00AE', '(R)')
    .replaceAll(BETWEEN, ' ')
    .replaceAll(/\r\n|\r|\n/gu, '\u00AE');
  return `${QUOTE}${text}${QUOTE}`;
}

const lineOf = (values: readonly (string | number | null)[]): string => `${values.map(cellOf).join(BETWEEN)}\r\n`;

/** Review tools run on Windows and take paths as it writes them. */
const linkOf = (path: string | null): string => (path === null ? '' : `.\\${path.replaceAll('/', '\\')}`);

function recordOf(item: IndexedItem, family: readonly IndexedItem[]): string {
  const first = family[0] ?? item;
  const last = family.at(-1) ?? item;
  const hasFamily = family.length > 1;
  return lineOf([
    docIdOf(item.item_no),
    hasFamily ? docIdOf(first.item_no) : '',
    hasFamily ? docIdOf(last.item_no) : '',
    item === first ? '' : docIdOf(first.item_no),
    item.account,
    item.folder,
    item.kind,
    item.name,
    item.sender,
    item.sent_at,
    item.received_at,
    item.size_bytes,
    item.sha256,
    item.message_id,
    item.review,
    item.review_tags,
    item.review_notes,
    linkOf(item.path),
    item.text_code === null ? linkOf(item.text_path) : '',
  ]);
}

const isOneFamily = (a: IndexedItem, b: IndexedItem): boolean =>
  a.source_id === b.source_id && a.sequence === b.sequence && a.item_key === b.item_key;

/** The lines of a load file. What an item has attached beside it follows it, as one family. */
export async function* loadFileOf(items: AsyncIterable<IndexedItem>): AsyncGenerator<string, void, undefined> {
  yield `${BOM}${lineOf(FIELDS)}`;
  let family: IndexedItem[] = [];
  const records = (): string => family.map((item) => recordOf(item, family)).join('');
  for await (const item of items) {
    if (item.code !== null) continue;
    const [first] = family;
    if (first && !isOneFamily(first, item)) {
      yield records();
      family = [];
    }
    family.push(item);
  }
  yield records();
}
