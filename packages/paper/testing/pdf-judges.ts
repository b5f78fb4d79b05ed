import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

const tools = ['qpdf', 'pdffonts', 'pdftotext', 'pdfinfo'] as const;

/** Programs of others judge PDF files: the library that wrote one cannot be asked about itself. */
export const isJudged = tools.every((tool) => spawnSync('which', [tool]).status === 0);
/** Says in the list of tests why they were left out. */
export const judged = isJudged ? '' : ' (qpdf and poppler-utils are not installed)';

/** The file at a path, for as long as the test runs. */
export function saved(pdf: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-paper-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'paper.pdf');
  writeFileSync(file, pdf);
  return file;
}

/** What a program says of a file, whose place among the arguments is `$`. */
export function judge(file: string, tool: (typeof tools)[number], ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    tool,
    args.map((arg) => (arg === '$' ? file : arg)),
    { encoding: 'utf8' },
  );
  expect(status, `${tool}: ${stderr}`).toBe(0);
  return stdout;
}

/** Expects a sound PDF/A-2b file whose fonts are all embedded and subset, and that does nothing when it is opened. */
export function expectArchivable(file: string): void {
  expect(judge(file, 'qpdf', '--check', '$')).toContain('No syntax or stream encoding errors found');
  const fonts = judge(file, 'pdffonts', '$').trim().split('\n').slice(2);
  expect(fonts.length).toBeGreaterThan(0);
  for (const font of fonts) expect(font).toMatch(/\byes yes yes\b/);
  const info = judge(file, 'pdfinfo', '-meta', '$');
  expect(info).toContain('<pdfaid:part>2</pdfaid:part>');
  expect(info).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
  const objects = judge(file, 'qpdf', '--qdf', '--object-streams=disable', '$', '-');
  expect(objects).toMatch(/\/S \/GTS_PDFA1/);
  expect(objects).toMatch(/\/DestOutputProfile/);
  expect(objects).toMatch(/\/ID \[/);
  expect(objects).not.toMatch(/\/(?:Encrypt|JavaScript|Launch|EmbeddedFile|OpenAction|LZWDecode)\b/);
}

/** The text of a file without its spaces: a line that was broken in two is found as it was written. */
export const textOf = (file: string): string => judge(file, 'pdftotext', '-raw', '$', '-').replaceAll(/\s+/g, '');
