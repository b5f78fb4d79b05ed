/**
 * Records at the size of a company: the report of a case, the preview of a policy, a deletion with tombstones, an export, threads.
 *
 *   npm run bench -- records [messages] [--threads COUNT] [--deleted COUNT] [--exported COUNT] [--corpora FOLDER] [--json]
 *
 * The whole product runs as `npm start` runs it, over a PostgreSQL that the benchmark fills with archives of `messages` (380,000) mails;
 * `--deleted` (8,000) more are captured from a backup and half of them deleted, `--exported` (2,000) mails of an office with attachments
 * are imported and handed out. `--threads` (100,000) mails lie in a vault of their own, where the same run of the product finds threads.
 * `--corpora` (../shared/corpora) is a folder of real mail. Beside the deletion stands a plain one by SQL, beside the export `zip`.
 * `--json` also writes bench/results/records.json.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { finish } from './archive/ground.ts';
import { measurePreview, measureReport } from './records/ask.ts';
import { fillArchives } from './records/fill.ts';
import { makeRecordsGround, settled } from './records/ground.ts';
import { measureExport } from './records/hand-out.ts';
import { measureDeletion } from './records/remove.ts';
import { measureThreads } from './records/threads.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    threads: { type: 'string', default: '100000' },
    deleted: { type: 'string', default: '8000' },
    exported: { type: 'string', default: '2000' },
    corpora: { type: 'string', default: fileURLToPath(new URL('../../shared/corpora', import.meta.url)) },
  },
});
const messages = Number(positionals[0] ?? 380_000);
const [threads, deleted, exported] = [values.threads, values.deleted, values.exported].map(Number) as [number, number, number];
const everyone = { everyone: true, users: [], groups: [], sites: [], teams: [] };

const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-records-'));
const ground = await makeRecordsGround(folder, { mailboxes: 2, messages: deleted });
try {
  const { locationId } = ground;
  const body = { workload: 'exchange', source: everyone, locationId };
  await finish(ground, { ...body, type: 'backup', name: 'Backup' });
  await finish(ground, { ...body, type: 'archive', name: 'Archive' });
  await settled(ground);
  const deletion = await measureDeletion(ground);
  console.log(JSON.stringify(deletion));
  const handedOut = await measureExport(ground, folder, exported);
  console.log(JSON.stringify(handedOut));
  const word = await fillArchives(ground, messages);
  const reportSeconds = await measureReport(ground, word, messages);
  const previewSeconds = await measurePreview(ground, messages);
  console.log(JSON.stringify({ reportSeconds, previewSeconds }));
  await ground.stopProduct();
  const corpora = existsSync(values.corpora) ? values.corpora : undefined;
  if (corpora === undefined) console.log(`${values.corpora} is not there: real mail is left out.`);
  const found = await measureThreads({ ...ground, folder }, threads, corpora);
  const figures = { reportSeconds, previewSeconds, ...deletion, ...handedOut, ...found };
  const machine = { node: process.version, processor: os.cpus()[0]?.model ?? '', cores: os.cpus().length, load: os.loadavg() };
  const result = { machine, messages, threads, deleted, exported, figures };
  console.log(JSON.stringify(result, null, 1));
  if (values.json) writeFileSync(fileURLToPath(new URL('results/records.json', import.meta.url)), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await ground.stop();
  rmSync(folder, { recursive: true, force: true });
}
