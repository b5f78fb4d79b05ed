import { printPaper } from '@holdfast/paper';
import { createPreviewer } from '@holdfast/previews';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, expect, test } from 'vitest';
import { at, owner } from '../apps/server/src/features/period-reports/testing/sample-report.ts';
import { papers } from '../apps/server/src/features/printed-reports/testing/sample-papers.ts';
import { useBrowser, visit, type Language } from './support/browser.ts';
import { differenceOf } from './support/compare-pictures.ts';

useBrowser();

const previewer = createPreviewer({ clock: systemClock });
afterAll(() => previewer.close());

/** A picture of a page is as wide as this on the screen: half of what is drawn, so that letters are small and smooth. */
const WIDTH = 800;

/** The pages that are held against their pictures: the report with its charts, and what is handed to auditors. */
const pages: readonly (readonly [name: string, paper: string, page: number])[] = [
  ['report-page-1', 'a monthly report', 1],
  ['report-page-2', 'a monthly report', 2],
  ['certificate', 'a deletion certificate', 1],
  ['procedure', 'the procedure documentation', 1],
];

async function printed(name: string, language: Language): Promise<Uint8Array> {
  const paper = papers[name]?.(language);
  if (!paper) throw new Error(`There is no paper ${name}.`);
  return printPaper(paper, { madeAt: at, organisation: owner.organisation, publicUrl: 'https://holdfast.example' });
}

/** A page as readers see it: drawn by a PDF reader of others, as files are that the portal shows. */
async function pictureOf(bytes: Uint8Array, page: number): Promise<string> {
  const drawing = await previewer.page({ bytes, page });
  if ('problem' in drawing) throw new Error(`The page cannot be drawn: ${drawing.problem}.`);
  return Buffer.from(drawing.drawn.picture).toString('base64');
}

test.each(['en', 'de'] as const)('PDF files look as they did, page by page (%s)', async (language) => {
  const { page: comparing } = await visit({ address: 'http://127.0.0.1' });
  const { page } = await visit({ address: 'http://127.0.0.1', width: WIDTH });
  const differences: (string | null)[] = [];
  for (const [name, paper, number] of pages) {
    const picture = await pictureOf(await printed(paper, language), number);
    await page.setContent(
      `<body style="margin:0"><img style="display:block" width="${WIDTH}" src="data:image/webp;base64,${picture}"></body>`,
    );
    await page.waitForFunction('document.images[0]?.complete === true');
    differences.push(await differenceOf(`paper-${name}-${language}`, await page.locator('img').screenshot(), comparing));
  }
  expect(differences.filter((one) => one !== null)).toEqual([]);
});
