import { createWriteStream, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContentExport } from '@holdfast/contract/exports';
import { demoOwner } from '../../tools/demo.ts';
import { finish, pause } from '../archive/ground.ts';
import { measureProcess } from '../competitors/process.ts';
import { obtainCorpus } from '../corpora.ts';
import { seconds, secondsOfRun } from './ask.ts';
import { settled, type RecordsGround } from './ground.ts';

const MEGABYTE = 1e6;

export interface HandedOut {
  readonly exportMBps: number;
  readonly makeSeconds: number;
  readonly downloadSeconds: number;
  readonly zipMBps: number | null;
}

async function bearer({ address }: RecordsGround): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/apollo/login`, { method: 'POST', headers, body: JSON.stringify(demoOwner) });
  return `Bearer ${((await answer.json()) as { accessToken: string }).accessToken}`;
}

/** Every part into a file, as a browser saves it. */
async function download(ground: RecordsGround, { exportId, parts }: ContentExport, into: string): Promise<void> {
  const headers = { authorization: await bearer(ground) };
  for (const { part } of parts) {
    const answer = await fetch(`${ground.address}${ground.at}/archive/exports/${exportId}/parts/${part}`, { headers });
    if (!answer.ok || !answer.body) throw new Error(`Part ${part} was answered with ${answer.status}.`);
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(path.join(into, `${part}.zip`)));
  }
}

async function exported(ground: RecordsGround, mailboxId: string): Promise<ContentExport> {
  const { api, at } = ground;
  const { selectionId } = await api.post<{ selectionId: string }>(`${at}/archive/mailboxes/${mailboxId}/selections`, {
    reason: 'Benchmark',
  });
  const body = { name: 'Benchmark', format: 'eml', reason: 'Benchmark', source: { kind: 'selection', selectionId } };
  const { exportId } = await api.post<ContentExport>(`${at}/archive/exports`, body);
  for (;;) {
    const found = await api.get<ContentExport>(`${at}/archive/exports/${exportId}`);
    if (found.status === 'successful') return found;
    if (!['pending', 'running'].includes(found.status)) throw new Error(`The export ended ${found.status}.`);
    await pause();
  }
}

/**
 * Megabytes a second of mail with attachments that leave the vault: the run that reads, hashes and lists all of it, and the download
 * of its zip files. Beside it `zip` over the same mails, which reads, compresses and writes them once.
 */
export async function measureExport(ground: RecordsGround, folder: string, mails: number): Promise<HandedOut> {
  const [person] = ground.people.slice(-1);
  if (!person) throw new Error('Nobody has a mailbox.');
  const corpus = obtainCorpus(ground.imports, 'mail', mails);
  const source = { kind: 'folder', path: path.relative(ground.imports, corpus) };
  const settings = { source, mapping: [{ mailbox: person, into: 'Office' }] };
  await finish(ground, { type: 'import', name: 'Office', locationId: ground.locationId, import: settings });
  const [archive] = await ground.administrator.query(`select resource_id from resources where kind = 'archive' and graph_id = $1`, [
    person.id,
  ]);
  await settled(ground);
  const one = await exported(ground, String(archive?.['resource_id']));
  if (one.bytes < mails * 1_000 || one.failed > 0) throw new Error(`The export has ${one.items} items and ${one.failed} failed.`);
  const makeSeconds = await secondsOfRun(ground, one.runId);
  const into = path.join(folder, 'handed-out');
  mkdirSync(into);
  const began = performance.now();
  await download(ground, one, into);
  const downloadSeconds = seconds(began);
  const zip = await measureProcess('zip', ['-q', '-r', path.join(folder, 'peer.zip'), corpus]);
  const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
  return {
    exportMBps: Number((one.bytes / MEGABYTE / (makeSeconds + downloadSeconds)).toFixed(1)),
    makeSeconds: Number(makeSeconds.toFixed(1)),
    downloadSeconds,
    zipMBps: zip ? Number((bytes / MEGABYTE / zip.seconds).toFixed(1)) : null,
  };
}
