import type { CaseDetails, CaseEvent } from '@holdfast/contract/case-values';
import type { RunDetails } from '@holdfast/contract/monitoring';
import type { Block, Paper } from '@holdfast/contract/paper';
import { printPaper } from '@holdfast/paper';
import { expectArchivable, isJudged, judge, judged, saved, textOf } from '@holdfast/paper/testing/pdf-judges';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../http/language.ts';
import { composeReport } from '../period-reports/compose-report.ts';
import { at, moment, owner, person, runId, sampleFigures, sampleReport } from '../period-reports/testing/sample-report.ts';
import { procedurePaper } from '../procedures/procedure-paper.ts';
import { auditPaper } from './audit-paper.ts';
import { casePaper } from './case-paper.ts';
import { dataPaper } from './data-paper.ts';
import { protectionPaper } from './protection-paper.ts';
import { runPaper, type RunReport } from './run-paper.ts';

/** Every kind of paper as a PDF file, judged by programs of others. */
function aRun(changes: Partial<RunDetails>, rest: Partial<RunReport> = {}): RunReport {
  const run = {
    reportId: runId,
    reportNumber: 77,
    jobName: 'Mail every night',
    type: 'restore',
    status: 'defective',
    startedBy: 'ann@contoso.example',
    queuedAt: moment,
    startedAt: moment,
    endedAt: moment,
    processed: 4_310,
    bytes: 1_572_864,
    errors: 12,
    excluded: 5,
    counts: { added: 0, changed: 0, removed: 42, unchanged: 30 },
    code: null,
    restore: null,
    ...changes,
  } as unknown as RunDetails;
  const account = { ...person, status: 'successful', items: 4_310, bytes: 1_572_864, code: null };
  const problem = { accountName: person.name, path: 'Inbox/Angebot', code: 'graph.mailbox-missing' };
  return {
    owner,
    at,
    run,
    accounts: [account],
    problems: [problem],
    approval: undefined,
    evidence: undefined,
    ...rest,
  } as unknown as RunReport;
}
const proof = {
  kind: 'drill',
  checked: 500,
  deviations: 0,
  findings: [{ code: 'vault.items-lost', count: 3 }],
} as unknown as RunReport['evidence'];
const approval: RunReport['approval'] = {
  requester: 'ann@contoso.example',
  approver: 'ben@contoso.example',
  mode: 'secondPerson',
  decidedAt: at,
};

const event = {
  sequence: 7,
  at: moment,
  event: 'cases.opened',
  outcome: 'succeeded',
  actor: 'ann@contoso.example',
  subjectName: 'Fraud',
  subjectId: null,
  reason: 'Complaint',
} as const;
const aCase = {
  matter: 'Fraud',
  reference: '4711',
  status: 'open',
  people: [{}],
  custodians: [],
  queries: [],
  holds: [],
} as unknown as CaseDetails;
const caseEvent: CaseEvent = {
  at: moment,
  event: 'cases.opened',
  actor: 'ann@contoso.example',
  subject: 'Fraud',
  reason: null,
  details: {},
};
const site = { name: 'Verträge', items: 812, bytes: 33_554_432, versionBytes: 4_194_304, duplicates: 12, exposed: 3 };
const counts = {
  sites: 9,
  files: 6_217,
  bytes: 33_554_432,
  versionBytes: 4_194_304,
  duplicates: 12,
  duplicateBytes: 2_048,
  exposed: 3,
  deleted: 8,
};
const scan = {
  report: { reportNumber: 12, reportDate: moment, kind: 'monthly', counts },
  ages: [{ age: 'older', files: 31, bytes: 4_096 }],
  sites: [site],
} as unknown as Pick<Parameters<typeof dataPaper>[0], 'report' | 'ages' | 'sites'>;

/** Each kind of paper, as the product composes it. */
const papers: Readonly<Record<string, (language: Language) => Paper>> = {
  'a monthly report': (language) => composeReport(sampleReport, sampleFigures, language),
  'the protection status': (language) =>
    protectionPaper(
      {
        owner,
        at,
        counts: sampleFigures.protection,
        rows: [{ ...person, workload: 'exchange', state: 'partly', reason: 'coverage.no-restore-point', newestPointAt: moment }],
      },
      language,
    ),
  'the report of a restore': (language) => runPaper(aRun({}), language),
  'the evidence of a drill': (language) => runPaper(aRun({ type: 'drill', status: 'successful' }, { evidence: proof }), language),
  'a deletion certificate': (language) => runPaper(aRun({ type: 'deletion', status: 'successful' }, { approval }), language),
  'the audit log': (language) =>
    auditPaper(
      {
        owner,
        at,
        from: sampleReport.from,
        to: sampleReport.to,
        checkpoint: { size: 9, rootHash: 'f00d'.repeat(16) },
        events: [event],
      } as never,
      language,
    ),
  'a case log': (language) => casePaper({ owner, at, of: aCase, events: [caseEvent] }, language),
  'a data management report': (language) => dataPaper({ owner, at, ...scan }, language),
  'the procedure documentation': (language) =>
    procedurePaper(
      { number: 2, madeAt: moment, maker: 'ann@contoso.example', changes: 1, hash: 'c0ffee'.repeat(10) },
      {
        ...owner,
        program: '0.1.0',
        checkpoint: null,
        verifiedAt: moment,
        entries: [{ part: 'jobs', key: '1', name: 'Mail', values: { kind: 'backup', schedule: '{"mode":"interval","everyMinutes":60}' } }],
        changes: [
          {
            part: 'jobs',
            name: 'Mail',
            kind: 'changed',
            fields: [{ field: 'schedule', before: '{"mode":"disabled"}', after: '{"mode":"interval","everyMinutes":60}' }],
            actor: 'ben@contoso.example',
            at: moment,
          },
        ],
        sections: [{ title: 'Scannen', text: 'Durch die Poststelle.' }],
      },
      language,
    ),
};

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

test('a paper begins with its verdict: what the run found, or how it ended', () => {
  const verdictOf = (name: string) => papers[name]?.('en').verdict;
  expect(verdictOf('a monthly report')).toEqual({
    ink: 'danger',
    state: 'Data at risk',
    text: '1,118 of 1,123 mailboxes, drives, sites and teams are protected; 1 of 62 runs failed; deviations found: 12.',
    parts: expect.arrayContaining([
      { text: '1,118', link: '/backup-and-restore/reports?tab=coverage&state=protected&wholeOnly=true' },
    ]) as unknown,
  });
  expect(verdictOf('the protection status')).toMatchObject({ ink: 'warning', state: 'Needs attention' });
  expect(verdictOf('the report of a restore')).toEqual({ ink: 'warning', state: 'Defective', text: 'Items: 4,310. Size: 1.5 MB.' });
  expect(verdictOf('the evidence of a drill')).toEqual({ ink: 'success', state: 'Successful', text: 'Checked items: 500. Deviations: 0.' });
  expect(verdictOf('a deletion certificate')?.text).toBe('Restore points deleted: 42. Restore points kept: 30.');
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
