import { csvLine } from '../../http/csv.ts';
import type { ExportRow, IndexedItem } from './export-rows.ts';
import { xmlText } from './xml-text.ts';

/** How a column is read by the program of a tax auditor. */
type ColumnType = 'text' | 'number' | 'date';

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly says: string;
  readonly of: (item: IndexedItem) => string | number | null;
}

/** `02.11.2026`, the form of a date that the description standard takes for granted. */
const dayOf = (instant: string | null): string => (instant === null ? '' : instant.slice(0, 10).split('-').toReversed().join('.'));
const timeOf = (instant: string | null): string => (instant === null ? '' : instant.slice(11, 19));

/** Auditors of German tax offices read them: the names are German, whoever makes the export. */
const COLUMNS: readonly Column[] = [
  { name: 'Nummer', type: 'number', says: 'Laufende Nummer des Dokuments', of: (item) => item.item_no },
  { name: 'Datei', type: 'text', says: 'Pfad der Originaldatei in diesem Datenträger', of: (item) => item.path },
  { name: 'Konto', type: 'text', says: 'Postfach oder Speicherort', of: (item) => item.account },
  { name: 'Ordner', type: 'text', says: 'Ordner, in dem das Dokument lag', of: (item) => item.folder },
  { name: 'Art', type: 'text', says: 'Art des Dokuments', of: (item) => item.kind },
  { name: 'Bezeichnung', type: 'text', says: 'Betreff oder Dateiname', of: (item) => item.name },
  { name: 'Absender', type: 'text', says: 'Absender einer Nachricht', of: (item) => item.sender },
  { name: 'Gesendet_Datum', type: 'date', says: 'Tag des Versands oder der Erstellung (UTC)', of: (item) => dayOf(item.sent_at) },
  { name: 'Gesendet_Uhrzeit', type: 'text', says: 'Uhrzeit des Versands oder der Erstellung (UTC)', of: (item) => timeOf(item.sent_at) },
  { name: 'Empfangen_Datum', type: 'date', says: 'Tag des Eingangs (UTC)', of: (item) => dayOf(item.received_at) },
  { name: 'Empfangen_Uhrzeit', type: 'text', says: 'Uhrzeit des Eingangs (UTC)', of: (item) => timeOf(item.received_at) },
  { name: 'Groesse', type: 'number', says: 'Größe der Originaldatei in Byte', of: (item) => item.size_bytes },
  { name: 'SHA256', type: 'text', says: 'SHA-256-Hashwert der Originaldatei', of: (item) => item.sha256 },
  { name: 'Nachrichten_ID', type: 'text', says: 'Kennung der Nachricht (Message-ID)', of: (item) => item.message_id },
];

const KINDS: Readonly<Record<ColumnType, string>> = {
  text: '<AlphaNumeric/>',
  number: '<Numeric/>',
  date: '<Date><Format>DD.MM.YYYY</Format></Date>',
};

function tag(name: string, ...inside: readonly string[]): string {
  return `<${name}>${inside.join('')}</${name}>`;
}

function columnTag({ name, type, says }: Column, at: number): string {
  return tag(at === 0 ? 'VariablePrimaryKey' : 'VariableColumn', tag('Name', name), tag('Description', says), KINDS[type]);
}

const TABLE_SAYS =
  'Exportierte Dokumente. Einem Text, den eine Tabellenkalkulation als Formel lesen würde, steht ein Hochkomma voran; doppelte Anführungszeichen sind verdoppelt.';

/** The description of a package of tax-relevant data, by the standard of German tax audits of September 2004. */
export function z3Index({ name, query, owner }: ExportRow): string {
  const table = tag(
    'Table',
    tag('URL', 'documents.csv'),
    tag('Name', 'Dokumente'),
    tag('Description', TABLE_SAYS),
    '<UTF8/>',
    tag('DecimalSymbol', ','),
    tag('DigitGroupingSymbol', '.'),
    tag('Range', tag('From', '2')),
    tag(
      'VariableLength',
      tag('ColumnDelimiter', ','),
      tag('RecordDelimiter', '&#13;&#10;'),
      tag('TextEncapsulator', '&quot;'),
      ...COLUMNS.map((column, index) => `\n${columnTag(column, index)}`),
    ),
  );
  const supplier = tag('DataSupplier', tag('Name', xmlText(owner)), tag('Location'), tag('Comment', xmlText(query)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">
<DataSet>
${tag('Version', '1.0')}
${supplier}
${tag('Media', tag('Name', xmlText(name)), `\n${table}\n`)}
</DataSet>
`;
}

/** The documents of the package, a line each. */
export async function* z3Documents(items: AsyncIterable<IndexedItem>): AsyncGenerator<string, void, undefined> {
  yield csvLine(COLUMNS.map((column) => column.name));
  for await (const item of items) {
    if (item.code === null) yield csvLine(COLUMNS.map(({ of }) => of(item)).map(oneLineOf));
  }
}

/** A record is one line: readers of the standard know no line end within a text. */
const oneLineOf = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? value.replaceAll(/[\r\n]+/gu, ' ') : value;
