/**
 * The archive of the whole product, as `npm start` runs it: durable replies of the journal receiver under load, capture from
 * backups, import of a mailbox file until the search finds it, and opening a message with its proof.
 *
 *   npm run bench -- archive [messages] [--mails COUNT] [--postfix PORT --to ADDRESS] [--json]
 *
 * `messages` (8,000) are captured and, half as many, imported; `--mails` (3,000) journal reports of 10 KB are sent over 16
 * connections. `--postfix` is the port of a Postfix on this machine that delivers to a Maildir, to which the same reports are sent
 * in the same run; `--to` is an address that it accepts. Without it the peer is left out. `--json` also writes bench/results/archive.json.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measurePeer, measureReceiver } from './archive/deliver.ts';
import { measureCapture, measureImport, measureOpening } from './archive/fill.ts';
import { makeGround } from './archive/ground.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    mails: { type: 'string', default: '3000' },
    postfix: { type: 'string' },
    to: { type: 'string' },
  },
});
const messages = Number(positionals[0] ?? 8_000);
const mails = Number(values.mails);
const MAILBOXES = 8;

const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-archive-'));
const ground = await makeGround(folder, { mailboxes: MAILBOXES, messages });
try {
  const [person] = ground.people;
  if (!person) throw new Error('Nobody has a mailbox.');
  const journal = await measureReceiver(ground, mails);
  const postfix = values.postfix === undefined ? undefined : await measurePeer(Number(values.postfix), values.to ?? '', mails);
  if (!postfix) console.log('No Postfix was named with --postfix: the peer of the receiver is left out.');
  const figures = {
    journalPerSecond: journal.perSecond,
    journalP99Ms: journal.p99Ms,
    capturePerSecond: await measureCapture(ground),
    importPerSecond: await measureImport(ground, person, Math.ceil(messages / 2)),
    openP95Ms: await measureOpening(ground, person),
    postfixPerSecond: postfix?.perSecond ?? null,
  };
  const machine = { node: process.version, processor: os.cpus()[0]?.model ?? '', cores: os.cpus().length, load: os.loadavg() };
  const result = { machine, messages, mails, figures };
  console.log(JSON.stringify(result, null, 1));
  if (values.json) writeFileSync(fileURLToPath(new URL('results/archive.json', import.meta.url)), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await ground.stop();
  rmSync(folder, { recursive: true, force: true });
}
