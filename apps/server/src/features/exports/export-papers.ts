import { en } from '@holdfast/phrases/en';
import type { Scope } from '@holdfast/database';
import { csvLine } from '../../http/csv.ts';
import { checkPage } from './check-page.ts';
import type { ExportFilesStore } from './export-files.store.ts';
import type { ExportLinksStore } from './export-links.store.ts';
import type { ExportRow, IndexedItem, Paper } from './export-rows.ts';
import { loadFileOf } from './load-file.ts';
import { pagesOf } from './pages.ts';
import { searchProgram } from './search-program.ts';
import { xmlText } from './xml-text.ts';
import { z3Documents, z3Index } from './z3-package.ts';

/** What papers are made of. */
export interface PaperParts {
  readonly files: ExportFilesStore;
  readonly links: ExportLinksStore;
}

const COLUMNS = [
  'file',
  'account',
  'folder',
  'kind',
  'name',
  'sender',
  'sent',
  'received',
  'size',
  'sha256',
  'messageId',
  'review',
  'tags',
  'notes',
] as const;

const cellsOf = (item: IndexedItem): readonly (string | number | null)[] => [
  item.path ?? '',
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
];

function xmlItem(item: IndexedItem): string {
  const cells = cellsOf(item);
  const fields = COLUMNS.map((name, at) => `<${name}>${xmlText(cells[at] ?? null)}</${name}>`);
  return `<item>${fields.join('')}</item>\n`;
}

const NAMESPACE = 'urn:holdfast:export:1';

const SCHEMA = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${NAMESPACE}" elementFormDefault="qualified">
  <xs:element name="export">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="item" minOccurs="0" maxOccurs="unbounded">
          <xs:complexType>
            <xs:sequence>
${COLUMNS.map((name) => `              <xs:element name="${name}" type="${name === 'size' ? 'xs:nonNegativeInteger' : 'xs:string'}"/>`).join('\n')}
            </xs:sequence>
          </xs:complexType>
        </xs:element>
      </xs:sequence>
    </xs:complexType>
  </xs:element>
</xs:schema>
`;

const sayings: Readonly<Record<string, unknown>> = en.errors;
const reasons: Readonly<Record<string, unknown>> = en.reasons;

/** Why an item is not there, in words; the code stands beside it. */
function reasonOf(code: string): string {
  const [room = '', ...name] = code.split('.');
  const known = (reasons[room] as Readonly<Record<string, unknown>> | undefined)?.[name.join('.')] ?? sayings[code];
  return typeof known === 'string' ? known : '';
}

async function* itemsOf(files: ExportFilesStore, scope: Scope, exportId: string): AsyncGenerator<IndexedItem, void, undefined> {
  for await (const page of pagesOf(
    (after) => files.allItems(scope, exportId, after),
    (item) => item.item_no,
  ))
    yield* page;
}

type Items = () => AsyncIterable<IndexedItem>;

async function* csvIndex(items: Items): AsyncGenerator<string, void, undefined> {
  yield `\uFEFF${csvLine(COLUMNS)}`;
  for await (const item of items()) if (item.code === null) yield csvLine(cellsOf(item));
}

async function* xmlIndex(items: Items): AsyncGenerator<string, void, undefined> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<export xmlns="${NAMESPACE}">\n`;
  for await (const item of items()) if (item.code === null) yield xmlItem(item);
  yield '</export>\n';
}

const READ_LATER = 'It was read when it was tried again.';

/** What could not be exported: items, and texts and conversations of items that could be; with what was only read when it was tried again. */
async function* errorList(items: Items): AsyncGenerator<string, void, undefined> {
  yield `\uFEFF${csvLine(['account', 'folder', 'kind', 'name', 'code', 'reason', 'history'])}`;
  for await (const { account, folder, kind, name, code: ofItem, text_code: ofText, conversation_code: around, faults } of items()) {
    const code = ofItem ?? ofText ?? around;
    if (code === null && faults.length === 0) continue;
    const history = faults.map((fault) => `${fault.at} ${fault.code}${fault.ofText ? ' (text)' : ''}`).join('; ');
    yield csvLine([account, folder, kind, name, code, code === null ? READ_LATER : reasonOf(code), history]);
  }
}

async function* alone(text: string | Promise<string>): AsyncGenerator<string, void, undefined> {
  yield await text;
}

const writers: Readonly<Record<Exclude<Paper, 'links.csv'>, (row: ExportRow, items: Items) => AsyncIterable<string>>> = {
  'index.csv': (_row, items) => csvIndex(items),
  'index.xml': (row, items) => (row.format === 'z3' ? alone(z3Index(row)) : xmlIndex(items)),
  'index.xsd': () => alone(SCHEMA),
  'errors.csv': (_row, items) => errorList(items),
  'documents.csv': (_row, items) => z3Documents(items()),
  'loadfile.dat': (_row, items) => loadFileOf(items()),
  'search.mjs': () => alone(searchProgram()),
  'CHECK.html': (row) => alone(checkPage(row)),
};

const LINK_COLUMNS = [
  'file',
  'link',
  'sent',
  'rule',
  'tie',
  'missing',
  'name',
  'owner',
  'version',
  'changed',
  'sha256',
  'exported',
  'ownerId',
  'itemId',
] as const;

/** Where the items of the export link to, and the version of each file as it was when the item was sent. */
async function* linkList(links: ExportLinksStore, scope: Scope, exportId: string): AsyncGenerator<string, void, undefined> {
  yield `\uFEFF${csvLine(LINK_COLUMNS)}`;
  const pages = pagesOf(
    (after) => links.page(scope, exportId, after),
    ({ itemNo }) => itemNo,
  );
  for await (const page of pages)
    for (const { file, link, sentAt, rule, tie, missing, name, owner, version, changedAt, sha256, exported, ownerId, itemId } of page)
      yield csvLine([file, link, sentAt, rule, tie, missing, name, owner, version, changedAt, sha256, exported, ownerId, itemId]);
}

/** A file that tells of the others. It says the same whenever it is written. */
export async function* paperOf(
  { files, links }: PaperParts,
  scope: Scope,
  row: ExportRow,
  paper: Paper,
): AsyncGenerator<Uint8Array, void, undefined> {
  const items = (): AsyncIterable<IndexedItem> => itemsOf(files, scope, row.export_id);
  const lines = paper === 'links.csv' ? linkList(links, scope, row.export_id) : writers[paper](row, items);
  for await (const text of lines) yield Buffer.from(text);
}
