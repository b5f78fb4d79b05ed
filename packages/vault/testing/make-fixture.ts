/**
 * Wrote `fixtures/v1/` and `fixtures/v1.1/`, once each. A fixture of a released version is never written again; this is kept
 * to write the next one: `node packages/vault/testing/make-fixture.ts <folder>`.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFilesystemBlobStore, type ContentKind, type ItemChange } from '../src/index.ts';
import { anItem, aVaultWorld } from './builders.ts';

const folder = process.argv[2] ?? '';
const random = createSeededRandom(11);
const world = await aVaultWorld({ store: createFilesystemBlobStore({ root: path.join(folder, 'vault') }) });
const vault = await world.open({}, { packTargetBytes: 200_000, checkpoints: { segments: 3, changes: 5000 } });

const attachment = random.bytes(30_000);
const base64 = attachment.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
const message = (subject: string): Buffer =>
  Buffer.from(
    `Subject: ${subject}\r\nContent-Type: multipart/mixed; boundary="b1"\r\n\r\n--b1\r\nContent-Type: text/plain\r\n\r\nGrüße, ${subject}\r\n--b1\r\n` +
      `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--b1--\r\n`,
  );
const long = Buffer.concat([
  random.bytes(300_000),
  Buffer.from(
    Array.from(
      { length: 60_000 },
      (_, line) => `${line}: a long and rather regular file, line by line, with ${line % 977} of ${line % 31}\n`,
    ).join(''),
  ),
  random.bytes(200_000),
]);
const steps: { [itemId: string]: { kind: ContentKind; data: Buffer; ownKey?: boolean } | null }[] = [
  { 'mail-1': { kind: 'message', data: message('one') }, 'mail-2': { kind: 'message', data: message('two') } },
  { 'file-1': { kind: 'file', data: attachment }, 'file-2': { kind: 'file', data: long }, 'mail-2': null },
  { 'shred-1': { kind: 'message', data: message('sealed by itself'), ownKey: true }, empty: { kind: 'file', data: Buffer.alloc(0) } },
  { 'mail-1': { kind: 'message', data: Buffer.from('no MIME at all') } },
];
const expected: { [itemId: string]: string }[] = [];
let state: { [itemId: string]: string } = {};
for (const step of steps) {
  const writer = await vault.openWriter({ resourceId: 'mailbox-1' });
  const changes: ItemChange[] = [];
  state = { ...state };
  for (const [itemId, one] of Object.entries(step)) {
    if (one === null) {
      changes.push({ op: 'remove', itemId });
      delete state[itemId];
      continue;
    }
    const data = await writer.put(one.data, { kind: one.kind, ownKey: one.ownKey ?? false });
    changes.push(anItem(itemId, { data }, { note: 'fixture' }));
    state[itemId] = data.sha256;
  }
  await writer.close();
  const journal = vault.journal('mailbox-1');
  await journal.commit({
    expectedHead: await journal.head(),
    fence: 3,
    runId: 'run',
    at: '2026-01-01T00:00:00Z',
    cursor: { token: expected.length },
    changes,
  });
  expected.push(state);
}
const writer = await vault.openWriter({ resourceId: 'many' });
const content = await writer.put(Buffer.from('shared by all'), { kind: 'file' });
await writer.close();
const many = Array.from({ length: 2500 }, (_, at) => anItem(`item-${at}`, { data: content }, { number: at }));
await vault.journal('many').commit({ expectedHead: null, fence: 1, runId: 'run', at: '2026-01-01T00:00:00Z', cursor: null, changes: many });
await vault.close();
writeFileSync(
  path.join(folder, 'expected.json'),
  `${JSON.stringify({ masterKey: Buffer.alloc(32, 7).toString('hex'), states: expected, many: many.length }, null, 2)}\n`,
);
