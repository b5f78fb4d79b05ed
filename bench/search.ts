/**
 * The search over a mailbox of list mail, beside notmuch and Xapian over the same messages in the same run.
 *
 *   npm run bench -- search [messages] [--stored COUNT] [--json]
 *
 * `--stored` messages (2,000) go all the way: into a vault, read back, taken apart and indexed, as list mail and as mail of an
 * office with pages and attachments. The others fill the index to `messages` (40,000; the figures are promised for 380,000).
 * The PostgreSQL is the embedded one with the product's settings; row-level security is on. Peers that are not installed
 * (`apt-get install notmuch python3-xapian`) are left out with a message.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate, openDatabase, startEmbedded } from '@holdfast/database';
import { silentLogger } from '@holdfast/foundation/logger';
import { openAdministrator } from './catalog/fill.ts';
import { measureDocuments } from './search/documents.ts';
import { measureEngineShare } from './search/engine-share.ts';
import { measureIntake } from './search/intake.ts';
import { createListMail, mimeOf } from './search/list-mail.ts';
import { fillIndex } from './search/fill.ts';
import { makeGround } from './search/ground.ts';
import { measureNotmuch, measureXapian, writeMaildir } from './search/peers.ts';
import { measureQueries } from './search/queries.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, stored: { type: 'string', default: '2000' } },
});
const messages = Number(positionals[0] ?? 40_000);
const stored = Math.min(messages, Number(values.stored));
const MAILBOXES = 40;

const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-search-'));
const list = createListMail(11, messages);
const postgres = await startEmbedded({ dataFolder: path.join(folder, 'postgres'), logger: silentLogger, as: 'keeper' });
try {
  await migrate(postgres.ownerUrl);
  const administrator = await openAdministrator(postgres);
  const database = openDatabase({ url: postgres.applicationUrl, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
  await makeGround(administrator, MAILBOXES, Math.ceil(messages / MAILBOXES));
  const intake = await measureIntake({ database, folder, stored, mailboxes: MAILBOXES, list });
  const fill = await fillIndex({ database, from: stored * 2, to: messages, mailboxes: MAILBOXES, list });
  await administrator.query('vacuum (analyze) search_words');
  await administrator.query('vacuum (analyze) search_items');
  const queries = await measureQueries({ database, list });
  const [sizes] = await administrator.query(`select (pg_total_relation_size('search_items') + pg_total_relation_size('search_words')
    + pg_total_relation_size('search_vocabulary'))::float8 as bytes, (select count(*) from search_items)::float8 as items`);
  const indexBytesEach = Number(sizes?.['bytes']) / Number(sizes?.['items']);
  const peerMessages = Math.min(messages, 40_000);
  const rawBytes = writeMaildir(folder, peerMessages, (number) => mimeOf(list.mail(number)));
  const words = [0, 5, 50, 500, 5_000, 20_000, 50_000].map((rank) => list.word(rank));
  const work = { folder, messages: peerMessages, rawBytes, words };
  const notmuch = await measureNotmuch(work);
  const xapian = await measureXapian(work);
  for (const [name, found] of Object.entries({ notmuch, xapian })) if (!found) console.log(`${name} is not installed: left out.`);
  const figures = {
    messages: Number(sizes?.['items']),
    ...intake.figures,
    indexOnlyPerSecond: fill.perSecond,
    ...queries,
    documentsPerSecond: await measureDocuments(),
    ...(await measureEngineShare(stored)),
    diskList: Number(((indexBytesEach + intake.vaultBytesEachList) / intake.textBytesEachList).toFixed(2)),
    indexBytesEach: Math.round(indexBytesEach),
  };
  const machine = { node: process.version, processor: os.cpus()[0]?.model ?? '', cores: os.cpus().length, load: os.loadavg() };
  const result = { machine, figures, notmuch: notmuch ?? null, xapian: xapian ?? null, peerMessages };
  console.log(JSON.stringify(result, null, 1));
  if (values.json) writeFileSync(fileURLToPath(new URL('results/search.json', import.meta.url)), `${JSON.stringify(result, null, 2)}\n`);
  await database.close();
  await administrator.close();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
