import type { Block, Paper } from '@holdfast/contract/paper';
import { printPaper } from '@holdfast/paper';
import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import { expectArchivable, isJudged, judge, judged, saved, textOf } from '@holdfast/paper/testing/pdf-judges';
import { describe, expect, test } from 'vitest';
import { composeReport } from '../period-reports/compose-report.ts';
import { at, owner, sampleFigures, sampleReport } from '../period-reports/testing/sample-report.ts';
import { runPaper, type RunReport } from './run-paper.ts';
import { aRun, erased, papers, proof } from './testing/sample-papers.ts';

/** Every kind of paper as a PDF file, judged by programs of others. */
function wordsOf(block: Block): readonly string[] {
  if (block.kind === 'text') return [block.text];
  if (block.kind === 'list') return block.items.map(({ text }) => text);
  if (block.kind === 'figures') return block.figures.flatMap(({ label, value }) => [label, value]);
  if (block.kind === 'chart') return [block.title, ...block.drawing.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))];
  return [
    block.title,
    ...block.columns.map(({ title }) => title),
    ...block.rows.flatMap(({ cells }) => cells),
    ...(block.rows.length === 0 ? [block.empty] : []),
  ];
}

/** Every word and figure that the API answers. */
const saidBy = ({ title, subtitle, verdict, facts, sections }: Paper): readonly string[] => [
  title,
  subtitle,
  verdict.state,
  verdict.text,
  ...facts.flatMap(({ label, value }) => [label, value]),
  ...sections.flatMap((section) => [section.title, ...section.blocks.flatMap(wordsOf)]),
];

const linksOf = (paper: Paper): readonly string[] =>
  paper.sections
    .flatMap(({ blocks }) =>
      blocks.flatMap((block): readonly (string | undefined)[] => {
        if (block.kind === 'figures') return block.figures.map(({ link }) => link);
        if (block.kind === 'list') return block.items.map(({ link }) => link);
        if (block.kind === 'chart') return [block.link];
        if (block.kind !== 'table') return [];
        return [block.moreLink, ...block.rows.flatMap(({ link, links = [] }) => [link, ...links.map((one) => one ?? undefined)])];
      }),
    )
    .filter((link) => link !== undefined);

describe.skipIf(!isJudged).each(Object.keys(papers))(`%s${judged}`, (name) => {
  test.each(['en', 'de'] as const)('is an archivable PDF file that says in %s what the API says', async (language) => {
    const paper = papers[name]?.(language);
    if (!paper) throw new Error(`There is no paper ${name}.`);
    const file = saved(await printPaper(paper, { madeAt: at, organisation: owner.organisation, publicUrl: 'https://holdfast.example' }));
    expectArchivable(file);
    const text = textOf(file);
    for (const said of saidBy(paper)) expect(text).toContain(said.replaceAll(/\s+/g, ''));
    const objects = judge(file, 'qpdf', '--qdf', '--object-streams=disable', '$', '-');
    for (const link of linksOf(paper)) expect(objects).toContain(`https://holdfast.example${link}`);
  });
});

test.each([
  [
    'en',
    ['Art. 17, Ticket 4711', 'ann@contoso.example', 'ben@contoso.example', 'Rechtsstreit Falke', 'Geschäftsbriefe', 'Bucket'],
    /^Deletion certificate$/,
  ],
  [
    'de',
    ['Art. 17, Ticket 4711', 'ann@contoso.example', 'ben@contoso.example', 'Rechtsstreit Falke', 'Geschäftsbriefe', 'Bucket'],
    /^Lösch/,
  ],
] as const)(
  'in %s the certificate of an erasure says on whose word and why, what was kept by which hold and minimum, and where copies remain',
  (language, told, title) => {
    const paper = papers['the certificate of an erasure']?.(language);
    if (!paper) throw new Error('There is no such paper.');
    const said = saidBy(paper);
    expect(paper.title).toMatch(title);
    for (const words of told) expect(said.join('\n')).toContain(words);
    const { deletions } = language === 'de' ? de : en;
    for (const words of [deletions.untilReleased, deletions.untilEvent, deletions.journalNote]) expect(said).toContain(words);
    // One for each place that still has a copy, one for the lock and one for the day on which packs are swept, and the note.
    expect(paper.sections.find(({ title: section }) => section === deletions.remains)?.blocks.flatMap(wordsOf)).toHaveLength(7);
    const bare = runPaper(
      aRun({ type: 'erasure', status: 'successful' }, { erasure: { ...erased, keepers: [], remains: null } }),
      language,
    );
    expect(saidBy(bare)).not.toContain(deletions.keepers);
    expect(saidBy(bare)).toContain(deletions.remainsNone);
  },
);

test('a paper begins with its verdict: what the run found, or how it ended', () => {
  const verdictOf = (name: string) => papers[name]?.('en').verdict;
  expect(verdictOf('a monthly report')).toEqual({
    ink: 'danger',
    state: 'Data at risk',
    text: '1,118 of 1,123 mailboxes, drives, sites and teams are protected; 1 of 62 runs failed; deviations found: 12.',
    parts: expect.arrayContaining([
      { text: '1,118', link: '/backup-and-restore/reports?tab=coverage&state=protected&countedOnly=true' },
    ]) as unknown,
  });
  expect(verdictOf('the protection status')).toMatchObject({ ink: 'warning', state: 'Needs attention' });
  expect(verdictOf('the report of a restore')).toEqual({ ink: 'warning', state: 'Defective', text: 'Items: 4,310. Size: 1.5 MB.' });
  expect(verdictOf('the evidence of a drill')).toEqual({ ink: 'success', state: 'Successful', text: 'Checked items: 500. Deviations: 0.' });
  expect(verdictOf('a deletion certificate')?.text).toBe('Restore points deleted: 42. Restore points kept: 30.');
  expect(verdictOf('the certificate of an erasure')?.text).toBe('Deleted: 1,221. Kept: 17.');
  const lost = runPaper(
    aRun({ type: 'verify', status: 'successful' }, { evidence: { ...proof, deviations: 3 } as RunReport['evidence'] }),
    'de',
  );
  expect(lost.verdict).toEqual({ ink: 'danger', state: 'Daten gefährdet', text: 'Geprüfte Elemente: 500. Abweichungen: 3.' });
  const failed = runPaper(aRun({ status: 'failed', code: 'graph.mailbox-missing' }), 'en');
  expect(failed.verdict).toMatchObject({ ink: 'danger', state: 'Failed' });
  expect(failed.verdict.text).toMatch(/^Items: 4,310\. Size: 1\.5 MB\. .*mailbox/i);
  const well = { ...sampleFigures, attention: [] };
  expect(composeReport(sampleReport, well, 'de').verdict).toMatchObject({ ink: 'success', state: 'Alles in Ordnung' });
  expect(composeReport(sampleReport, { ...well, attention: [{ code: 'noDrill', count: 1 }] }, 'de').verdict.ink).toBe('warning');
});
