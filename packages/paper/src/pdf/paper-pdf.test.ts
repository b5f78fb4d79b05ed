import type { Paper } from '@holdfast/contract/paper';
import { expect, test } from 'vitest';
import { expectArchivable, isJudged, judge, judged, saved } from '../../testing/pdf-judges.ts';
import { byteUnit, drawBars, drawColumns } from '../draw/charts.ts';
import { paperPdf } from './paper-pdf.ts';

const options = { madeAt: new Date('2026-11-01T00:10:00Z'), organisation: 'Contoso', publicUrl: 'https://holdfast.example' };

function aPaper(rows = 3): Paper {
  return {
    language: 'de',
    title: 'Monatsbericht',
    subtitle: 'Oktober 2026',
    verdict: { ink: 'warning', state: 'Handlungsbedarf', text: '118 von 120 Postfächern sind geschützt.' },
    facts: [{ label: 'Nummer', value: '202610' }],
    sections: [
      {
        title: 'Geschützt',
        blocks: [
          { kind: 'figures', figures: [{ label: 'Postfächer', value: '1.234', link: '/backup-and-restore/reports' }] },
          {
            kind: 'chart',
            title: 'Wachstum',
            drawing: drawColumns(
              [{ label: '1.', values: [3, 1] }],
              [
                { name: 'A', ink: 'brand' },
                { name: 'B', ink: 'danger' },
              ],
              { format: String },
            ),
          },
          { kind: 'list', items: [{ text: 'Prüfen Sie den Lauf “Täglich”.' }] },
          {
            kind: 'table',
            title: 'Größte Postfächer',
            columns: [
              { title: 'Name', width: 3, isNumber: false },
              { title: 'Größe', width: 1, isNumber: true },
            ],
            rows: Array.from({ length: rows }, (_, at) => ({ cells: [`Änne Müller Ελλάδα Москва ${at} 漢字`, `${at} MB`], link: '/x' })),
            empty: 'Keine',
          },
        ],
      },
    ],
  };
}

test('the same paper is the same file, byte for byte', async () => {
  const first = await paperPdf(aPaper(), options);
  expect(Buffer.compare(first, await paperPdf(aPaper(), options))).toBe(0);
  expect(Buffer.compare(first, await paperPdf(aPaper(4), options))).not.toBe(0);
});

test.skipIf(!isJudged)(`other programs find no fault, every font embedded, and each word${judged}`, async () => {
  const file = saved(await paperPdf(aPaper(), options));
  expectArchivable(file);
  expect(judge(file, 'pdffonts', '$').trim().split('\n')).toHaveLength(4);
  const words = judge(file, 'pdftotext', '-layout', '$', '-');
  for (const word of [
    'Monatsbericht',
    'Oktober 2026',
    'Handlungsbedarf',
    '118 von 120 Postfächern sind geschützt.',
    '202610',
    '1.234',
    'Postfächer',
    'Änne Müller Ελλάδα Москва 2 ??',
    '2 MB',
    'Prüfen Sie den Lauf “Täglich”.',
  ])
    expect(words).toContain(word);
  expect(words.indexOf('Handlungsbedarf'), 'the verdict comes before everything else').toBeLessThan(words.indexOf('Nummer'));
});

test.skipIf(!isJudged)(`a table goes over as many pages as it takes, with its head on each, and loses no row${judged}`, async () => {
  const file = saved(await paperPdf(aPaper(200), options));
  const pages = judge(file, 'pdftotext', '-layout', '$', '-').split('\f').slice(0, -1);
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages.slice(1)) expect(page).toMatch(/Name\s+Größe/);
  const rows = pages.join('\n').match(/Änne Müller Ελλάδα Москва (\d+)/g) ?? [];
  expect(new Set(rows).size).toBe(200);
  for (const [at, page] of pages.entries()) expect(page).toMatch(new RegExp(`Contoso · Monatsbericht · Oktober 2026\\s+${at + 1}\\s*$`));
});

test.skipIf(!isJudged)(`an address without room in its line goes on behind its sign; one with room stays whole${judged}`, async () => {
  const columns = Array.from({ length: 6 }, () => ({ title: '', width: 1, isNumber: false }));
  const cells = ['aenne.mueller@contoso.example', 'a@b.example', ...columns.slice(2).map(() => '')];
  const table = { kind: 'table' as const, title: '', columns, rows: [{ cells, values: [] }], empty: '' };
  const file = saved(await paperPdf({ ...aPaper(), sections: [{ title: '', blocks: [table] }] }, options));
  const lines = judge(file, 'pdftotext', '-raw', '$', '-').split('\n');
  expect(lines).toContain('aenne.mueller@');
  expect(lines.join('\n')).toMatch(/contoso\.example/);
  expect(lines.join('\n')).toContain('a@b.example');
});

test('the longest bar and the highest column fill their room, and what is nothing is not drawn', () => {
  const bars = drawBars(
    [
      { label: 'a', shown: '4', values: [4] },
      { label: 'b', shown: '0', values: [0] },
      { label: 'c', shown: '2', values: [2] },
    ],
    [{ name: 'Size', ink: 'brand' }],
  );
  expect(bars.shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape.width] : []))).toEqual([350, 175]);
  const columns = drawColumns(
    [{ label: '1', values: [2, 3] }],
    [
      { name: 'A', ink: 'brand' },
      { name: 'B', ink: 'danger' },
    ],
    { format: String },
  );
  const heights = columns.shapes.flatMap((shape) => (shape.kind === 'rect' && shape.width > 10 ? [shape.height] : []));
  expect(heights[0] ?? 0).toBeCloseTo(((heights[1] ?? 0) * 2) / 3, 1);
  expect(columns.shapes.filter((shape) => shape.kind === 'text').map(({ text }) => text)).toContain('5');
});

test('columns say what they stand for, counts have no halves at the axis, and sizes round numbers of their unit', () => {
  const series = [{ name: 'Failed', ink: 'danger' }] as const;
  const wordsOf = (drawing: ReturnType<typeof drawColumns>) =>
    drawing.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  const runs = drawColumns([{ label: '3 Oct', values: [1] }], series, { format: String });
  expect(runs.shapes.flatMap((shape) => (shape.kind === 'rect' && shape.hint !== undefined ? [shape.hint] : []))).toEqual([
    '3 Oct, Failed: 1',
  ]);
  expect(wordsOf(runs)).toEqual(['0', '1', '3 Oct', 'Failed']);
  const sizes = drawColumns([{ label: '', values: [3 * 1_024 ** 3] }], series, {
    format: (bytes) => `${bytes / 1_024 ** 3} GB`,
    unit: byteUnit,
  });
  expect(wordsOf(sizes).slice(0, 3)).toEqual(['0 GB', '2.5 GB', '5 GB']);
  const card = { width: 300, height: 260, size: 12, labels: 2, hasLegend: false };
  const days = Array.from({ length: 30 }, (_, day) => ({ label: `${day + 1}.`, values: [day] }));
  const narrow = drawColumns(days, series, { format: String }, card);
  expect(wordsOf(narrow).filter((word) => word.endsWith('.'))).toEqual(['15.', '30.']);
  const ends = narrow.shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape.x + shape.width] : []));
  expect(Math.max(...ends), 'half of the last label has room').toBeLessThanOrEqual(card.width - 18);
});
