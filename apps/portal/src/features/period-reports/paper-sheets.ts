import type { Block, Paper } from '@holdfast/contract/paper';
import type { Sheet } from '../../ui/export/export.ts';

/** Turns written counts into numbers; sizes keep their unit and stay text. */
const valueOf = (written: string): string | number =>
  /^\d{1,3}(?:[.,]\d{3})*$/.test(written) ? Number(written.replaceAll(/\D/g, '')) : written;

function sheetOf(section: string, block: Block, text: { readonly name: string; readonly value: string }): readonly Sheet[] {
  if (block.kind === 'figures')
    return [{ name: section, titles: [text.name, text.value], rows: block.figures.map(({ label, value }) => [label, valueOf(value)]) }];
  if (block.kind !== 'table') return [];
  const rows = block.rows.map(({ cells, values = [] }) => cells.map((cell, at) => values[at] ?? cell));
  return [{ name: block.title || section, titles: block.columns.map(({ title }) => title), rows }];
}

/** The sheets of a workbook for a paper: first its verdict and facts, then its figures and tables with plain numbers. */
export function sheetsOf({ title, facts, verdict, sections }: Paper, text: { readonly name: string; readonly value: string }): Sheet[] {
  const about: Sheet = {
    name: title,
    titles: [text.name, text.value],
    rows: [[verdict.state, verdict.text], ...facts.map(({ label, value }) => [label, value])],
  };
  return [about, ...sections.flatMap((section) => section.blocks.flatMap((block) => sheetOf(section.title, block, text)))];
}
