/**
 * The rules of the description standard of German tax audits (September 2004) for the elements that packages of ours use, written down
 * from that standard. The definition itself belongs to its authors.
 */
const TEXTS = [
  'Version',
  'Name',
  'Location',
  'Comment',
  'URL',
  'Description',
  'From',
  'To',
  'Length',
  'DecimalSymbol',
  'DigitGroupingSymbol',
  'SkipNumBytes',
  'Epoch',
  'ColumnDelimiter',
  'RecordDelimiter',
  'TextEncapsulator',
  'MaxLength',
  'Format',
  'Accuracy',
  'ImpliedAccuracy',
];
const COLUMN = '(Name, Description?, (Numeric | (AlphaNumeric, MaxLength?) | Date))';
const PARTS: Readonly<Record<string, string>> = {
  DataSet: '(Version, DataSupplier?, Media+)',
  DataSupplier: '(Name, Location, Comment)',
  Media: '(Name, Table*)',
  Table: '(URL, Name?, Description?, UTF8?, (DecimalSymbol, DigitGroupingSymbol)?, SkipNumBytes?, Range?, Epoch?, VariableLength)',
  Range: '(From, (To | Length)?)',
  VariableLength: '(ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?, ((VariablePrimaryKey+, VariableColumn*) | VariableColumn+))',
  VariablePrimaryKey: COLUMN,
  VariableColumn: COLUMN,
  Numeric: '((ImpliedAccuracy | Accuracy)?)',
  Date: '(Format?)',
  AlphaNumeric: 'EMPTY',
  UTF8: 'EMPTY',
};

export const OWN_DTD = [
  ...TEXTS.map((name) => `<!ELEMENT ${name} (#PCDATA)>`),
  ...Object.entries(PARTS).map(([name, content]) => `<!ELEMENT ${name} ${content}>`),
].join('\n');
