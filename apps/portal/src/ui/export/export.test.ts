import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import type { Translate } from '../../i18n/phrase-key.ts';
import { csvText, exportFile, fileNameFor, outputTypeOf, sheetNameFor, sheetsOf, withoutFormula } from './export.ts';

const text: Translate = (key) => key;

test('file and sheet carry the given name with slashes changed to underscores', () => {
  expect(fileNameFor('Runs 2026/11/21', 'xlsx')).toBe('Runs 2026_11_21.xlsx');
  expect(fileNameFor('a/b', 'csv')).toBe('a_b.csv');
  expect(sheetNameFor('a/b', 0)).toBe('a_b');
});

test('a sheet name is cut to what Excel accepts and loses what Excel refuses', () => {
  const name = sheetNameFor(String.raw`[Jobs]: all? * \ of them, every single one`, 0);
  expect(name).toHaveLength(31);
  expect(name).not.toMatch(/[\\/?*[\]:]/);
  expect(sheetNameFor('x'.repeat(40), 1)).toBe(`${'x'.repeat(27)} (2)`);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('a text that starts like a formula gets an apostrophe: %j', (value) => {
  expect(withoutFormula(value)).toBe(`'${value}`);
});

test('csv has a byte order mark, commas, newlines and no header row unless titles are asked for', () => {
  const rows = [{ name: 'Müller, Eva', size: 12, on: null }];
  expect(csvText(rows)).toBe('\uFEFF"Müller, Eva",12,');
  expect(csvText(rows, ['Name', 'Size', 'On'])).toBe('\uFEFFName,Size,On\n"Müller, Eva",12,');
});

test('what is written as csv is read back as it was, but for the apostrophe of formulas', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: fc.string(), b: fc.string({ unit: 'binary' }), c: fc.integer() }), { minLength: 1 }), (rows) => {
      const { data } = Papa.parse<string[]>(csvText(rows).slice(1), { delimiter: ',', newline: '\n' });
      expect(data).toEqual(rows.map((row) => [withoutFormula(row.a), withoutFormula(row.b), String(row.c)]));
    }),
  );
});

test('more rows than a sheet holds go to a second one', () => {
  expect(sheetsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(sheetsOf([], 2)).toEqual([[]]);
});

test('an unknown output type and an unknown book type are errors in the language of the reader', async () => {
  await expect(exportFile({ rows: [], name: 'x', output: 'pdf' }, text)).rejects.toThrow('kit.unknownOutputType');
  expect(() => outputTypeOf('ods', text)).toThrow('kit.unknownBookType');
});

test('an xlsx file is a zip under the given name', async () => {
  const file = await exportFile({ rows: [{ a: '=cmd()', b: 3 }], name: 'Jobs/all', output: 'xlsx' }, text);
  expect(file.name).toBe('Jobs_all.xlsx');
  const bytes = new Uint8Array(await file.blob.arrayBuffer());
  expect(String.fromCodePoint(...bytes.slice(0, 2))).toBe('PK');
});
