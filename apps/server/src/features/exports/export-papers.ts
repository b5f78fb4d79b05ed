import { en } from '@holdfast/phrases/en';
import type { Scope } from '@holdfast/database';
import { csvLine } from '../../http/csv.ts';
import { checkPage } from './check-page.ts';
import type { ExportFilesStore } from './export-files.store.ts';
import type { ExportRow, IndexedItem, Paper } from './export-rows.ts';
import { pagesOf } from './pages.ts';

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
];

/** What XML 1.0 can't say at all is left out. */
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSPEAKABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

function xmlText(value: string | number | null): string {
  return String(value ?? '')
    .toWellFormed()
    .replaceAll(UNSPEAKABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

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

async function* linesOf(files: ExportFilesStore, scope: Scope, row: ExportRow, paper: Paper): AsyncGenerator<string, void, undefined> {
  const items = () => itemsOf(files, scope, row.export_id);
  switch (paper) {
    case 'index.csv':
      yield `\uFEFF${csvLine(COLUMNS)}`;
      for await (const item of items()) if (item.code === null) yield csvLine(cellsOf(item));
      return;
    case 'index.xml':
      yield `<?xml version="1.0" encoding="UTF-8"?>\n<export xmlns="${NAMESPACE}">\n`;
      for await (const item of items()) if (item.code === null) yield xmlItem(item);
      yield '</export>\n';
      return;
    case 'index.xsd':
      yield SCHEMA;
      return;
    case 'errors.csv':
      yield `\uFEFF${csvLine(['account', 'folder', 'kind', 'name', 'code', 'reason'])}`;
      for await (const { account, folder, kind, name, code } of items()) {
        if (code !== null) yield csvLine([account, folder, kind, name, code, reasonOf(code)]);
      }
      return;
    case 'CHECK.html':
      yield checkPage(row);
  }
}

/** A file that tells of the others. It says the same whenever it is written. */
export async function* paperOf(
  files: ExportFilesStore,
  scope: Scope,
  row: ExportRow,
  paper: Paper,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const text of linesOf(files, scope, row, paper)) yield Buffer.from(text);
}
