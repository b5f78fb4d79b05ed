import type { Paper } from '@holdfast/contract/paper';
import { expect, test } from 'vitest';
import { sheetsOf } from './paper-sheets.ts';

const paper: Paper = {
  language: 'de',
  title: 'Monatsbericht',
  subtitle: 'Oktober 2026',
  verdict: { ink: 'success', state: 'Alles in Ordnung', text: '3 von 3 sind geschützt.' },
  facts: [{ label: 'Berichtsnummer', value: '202610' }],
  sections: [
    {
      title: 'Legal Holds',
      blocks: [
        {
          kind: 'figures',
          figures: [
            { label: 'Elemente', value: '48.211' },
            { label: 'Daten', value: '1,5 GB' },
            { label: 'Gesetzt', value: '0' },
          ],
        },
        {
          kind: 'table',
          title: '',
          columns: [
            { title: 'Name', width: 1, isNumber: false },
            { title: 'Größe', width: 1, isNumber: true },
          ],
          rows: [{ cells: ['Änne Müller', '1,5 MB'], values: [null, 1_572_864] }],
          empty: 'Keine',
        },
      ],
    },
  ],
};

test('a workbook has what a report is about, its figures and its tables, with plain numbers', () => {
  expect(sheetsOf(paper, { name: 'Angabe', value: 'Wert' })).toEqual([
    {
      name: 'Monatsbericht',
      titles: ['Angabe', 'Wert'],
      rows: [
        ['Alles in Ordnung', '3 von 3 sind geschützt.'],
        ['Berichtsnummer', '202610'],
      ],
    },
    {
      name: 'Legal Holds',
      titles: ['Angabe', 'Wert'],
      rows: [
        ['Elemente', 48_211],
        ['Daten', '1,5 GB'],
        ['Gesetzt', 0],
      ],
    },
    { name: 'Legal Holds', titles: ['Name', 'Größe'], rows: [['Änne Müller', 1_572_864]] },
  ]);
});
