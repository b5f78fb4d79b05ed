/**
 * How long a paper of 200 pages takes to print, and how much memory the whole process has held: a report with its charts and one
 * table of as many rows as 200 pages have room for. Bounds: ten seconds of processor time and 256 MB.
 *
 *   node bench/paper.ts [--json]     `--json` also writes bench/results/paper.json
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import type { Paper } from '@holdfast/contract/paper';
import { drawColumns, printPaper } from '@holdfast/paper';

const PAGES = 200;
const ROWS = 5_000;
const BOUND_SECONDS = 10;
const BOUND_MB = 256;

const days = Array.from({ length: 31 }, (_, day) => ({ label: `${day + 1}.`, values: [day * 7, day % 3] }));
const series = [
  { name: 'Gelesen', ink: 'brand' },
  { name: 'Fehler', ink: 'danger' },
] as const;
const paper: Paper = {
  language: 'de',
  title: 'Schutzstatus',
  subtitle: 'Oktober 2026',
  verdict: { ink: 'warning', state: 'Handlungsbedarf', text: '4.998 von 5.000 Postfächern sind geschützt.' },
  facts: [{ label: 'Organisation', value: 'Contoso' }],
  sections: [
    {
      title: 'Geschützt',
      blocks: [
        { kind: 'chart', title: 'Wachstum', drawing: drawColumns(days, series, { format: String }) },
        {
          kind: 'table',
          title: '',
          columns: ['Name', 'Adresse', 'Dienst', 'Neueste Sicherung', 'Grund'].map((title) => ({ title, width: 3, isNumber: false })),
          rows: Array.from({ length: ROWS }, (_, at) => ({
            cells: [`Änne Müller ${at}`, `m${at}@contoso.example`, 'Exchange', '31.10.2026, 22:04', ''],
          })),
          empty: '',
        },
      ],
    },
  ],
};

const before = process.cpuUsage();
const started = performance.now();
const pdf = await printPaper(paper, {
  madeAt: new Date('2026-11-01T00:10:00Z'),
  organisation: 'Contoso',
  publicUrl: 'https://holdfast.example',
});
const { user, system } = process.cpuUsage(before);
const pages = Buffer.from(pdf).toString('latin1').split('/Type /Page\n').length - 1;
const result = {
  pages,
  seconds: Math.round(performance.now() - started) / 1_000,
  processorSeconds: Math.round((user + system) / 10_000) / 100,
  peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
  fileKilobytes: Math.round(pdf.byteLength / 1_024),
  bounds: { pages: PAGES, processorSeconds: BOUND_SECONDS, peakMegabytes: BOUND_MB },
  machine: { cores: cpus().length, load: loadavg()[0] },
};
console.log(JSON.stringify(result, null, 2));
if (process.argv.includes('--json')) writeFileSync(new URL('results/paper.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
if (pages < PAGES || result.processorSeconds > BOUND_SECONDS || result.peakMegabytes > BOUND_MB) process.exitCode = 1;
