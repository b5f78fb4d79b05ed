import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '@holdfast/foundation/bytes';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesOfSparse, fileOfBytes, writePst, type PstFolder, type PstItem, type PstVersion } from '../../../testing/pst-writer.ts';
import type { FoundFault, FoundMail, MailFileEntry, MailPlace } from '../mail-file.ts';
import { formatOfMailFile, readMailFiles, type ReadingOptions } from '../read-mail-files.ts';

/** Items of Outlook as messages, from files that the tests write and from files that Outlook wrote. */
const corpora = path.resolve(import.meta.dirname, '../../../../../../shared/corpora');
const isHere = existsSync(corpora);
const run = promisify(execFile);

const at = new Date('2026-11-02T10:00:00.000Z');
const text = (subject: string, body: string, more: PstItem['properties'] = []): PstItem => ({
  properties: [
    { id: 0x001a, value: 'IPM.Note' },
    { id: 0x0037, value: subject },
    { id: 0x0042, value: 'Anna Jäger' },
    { id: 0x5d02, value: 'anna@fabrikam.example' },
    { id: 0x0e06, value: new Date(at.getTime() + 60_000) },
    { id: 0x0e07, value: 1 },
    { id: 0x0039, value: at },
    { id: 0x1000, value: body },
    { id: 0x1035, value: `<${subject.length}@fabrikam.example>` },
    ...more,
  ],
  recipients: [
    { type: 1, name: 'Ben', address: 'ben@fabrikam.example' },
    { type: 2, name: 'Žofie', address: 'zofie@fabrikam.example' },
  ],
});

const OFFER: PstItem = {
  ...text('Angebot für Žofie', 'Guten Tag,\r\nanbei das Angebot.\r\n'.repeat(400)),
  attachments: [
    { name: 'Preise ä.csv', bytes: Buffer.from('a;b\n'.repeat(9_000)) },
    { name: 'weitergeleitet', item: text('Inner', 'The inner one') },
  ],
};
const FOLDERS: readonly PstFolder[] = [
  { name: 'Inbox', items: [OFFER, text('Two', 'Second')], folders: [{ name: 'A/B', items: [text('Deep', 'Third')] }] },
  { name: 'Sent', items: [text('', '')] },
];

async function read(bytes: Buffer, options: ReadingOptions = {}, after?: MailPlace, name = 'mail/anna.pst'): Promise<MailFileEntry[]> {
  const files = (async function* one() {
    yield await Promise.resolve(fileOfBytes(name, bytes));
  })();
  return Array.fromAsync(readMailFiles(files, after, options));
}
const pst = (version: PstVersion, settings: object = {}): Buffer => bytesOfSparse(writePst(FOLDERS, { version, ...settings }));
const mails = (entries: readonly MailFileEntry[]): FoundMail[] => entries.filter((entry) => entry.kind === 'mail');
const faults = (entries: readonly MailFileEntry[]): FoundFault[] => entries.filter((entry) => entry.kind === 'fault');
const hashes = (entries: readonly MailFileEntry[]): string[] => mails(entries).map(({ bytes }) => sha256Hex(bytes));

describe.each([14, 15, 23, 36] as const)('A7: a data file of version %s', (version) => {
  test('gives every item with its folder, its people, its text and what was attached', async () => {
    const file = fileOfBytes('anna.pst', pst(version));
    expect(await formatOfMailFile(file)).toBe('pst');
    const entries = await read(pst(version));
    expect(faults(entries)).toEqual([]);
    expect(mails(entries).map(({ folder }) => folder)).toEqual([
      'mail/anna/Inbox',
      'mail/anna/Inbox',
      'mail/anna/Inbox/A-B',
      'mail/anna/Sent',
    ]);
    const [offer] = mails(entries);
    const parsed = await PostalMime.parse(offer?.bytes ?? Buffer.alloc(0), { forceRfc822Attachments: true });
    expect(parsed).toMatchObject({
      subject: 'Angebot für Žofie',
      from: { name: 'Anna Jäger', address: 'anna@fabrikam.example' },
      to: [{ name: 'Ben', address: 'ben@fabrikam.example' }],
      cc: [{ name: 'Žofie', address: 'zofie@fabrikam.example' }],
      date: at.toISOString(),
      messageId: '<17@fabrikam.example>',
    });
    expect(parsed.text?.trimEnd()).toBe('Guten Tag,\r\nanbei das Angebot.\r\n'.repeat(400).trimEnd());
    const [prices, inner] = parsed.attachments;
    expect([prices?.filename, Buffer.from(prices?.content as ArrayBuffer).toString()]).toEqual(['Preise ä.csv', 'a;b\n'.repeat(9_000)]);
    const within = await PostalMime.parse(inner?.content as ArrayBuffer);
    expect([within.subject, within.text?.trim()]).toEqual(['Inner', 'The inner one']);
  });

  test('goes on after each place, and gives the same bytes each time', async () => {
    const bytes = pst(version);
    const entries = await read(bytes);
    for (const [index, { place }] of entries.entries())
      expect(hashes(await read(bytes, {}, place))).toEqual(hashes(entries).slice(index + 1));
    expect(new Set(hashes(entries)).size).toBe(4);
  });
});

test('A8: an item makes the same message from every version of file, marked as reconstructed, with its properties beside it', async () => {
  const all = await Promise.all(([14, 15, 23, 36] as const).map(async (version) => read(pst(version))));
  for (const entries of all) expect(hashes(entries)).toEqual(hashes(all[0] ?? []));
  for (const { bytes, reconstructed } of mails(all[2] ?? [])) {
    expect(bytes.toString('latin1')).toContain('X-Reconstructed: from an item of Outlook; class=IPM.Note');
    const beside = JSON.parse(reconstructed?.properties.toString() ?? '{}') as { properties: { id: string; value: unknown }[] };
    expect(beside.properties).toContainEqual({ id: '001a', type: '001f', value: 'IPM.Note' });
    expect(reconstructed).toMatchObject({ isRead: true, isDraft: false, receivedAt: '2026-11-02T10:01:00.000Z' });
  }
});

test('A7: data files that cannot be opened are refused by name', async () => {
  const codes = async (version: PstVersion, settings: object, options: ReadingOptions = {}): Promise<string[]> =>
    faults(await read(pst(version, settings), options)).map(({ code }) => code);
  expect(await codes(37, {})).toEqual(['import.pst-protected']);
  expect(await codes(23, { method: 2 })).toEqual(['import.pst-encrypted']);
  expect(await codes(23, { passwordCheck: 77 })).toEqual(['import.pst-password-needed']);
  expect(await codes(15, { passwordCheck: 77 }, { passwordCheck: 78 })).toEqual(['import.pst-password-wrong']);
  expect(mails(await read(pst(23, { passwordCheck: 77 }), { passwordCheck: 77 }))).toHaveLength(4);
  const unknown = pst(23);
  unknown.writeUInt16LE(99, 10);
  expect(faults(await read(unknown)).map(({ code }) => code)).toEqual(['import.pst-version']);
});

test('A7: what is damaged is counted with its offset, and everything before and after it is read', async () => {
  const many = [
    { name: 'Inbox', items: Array.from({ length: 60 }, (_, index) => text(`Mail ${index}`, `Body ${index} ${'x'.repeat(3_000)}`)) },
  ];
  const { pieces, sizeBytes } = writePst(many);
  const whole = bytesOfSparse({ pieces, sizeBytes });
  expect(mails(await read(whole))).toHaveLength(60);
  const body = whole.indexOf(Buffer.from('Body 30 x', 'utf16le'));
  expect(body).toBe(-1);
  let damagedBlocks = 0;
  for (const { at: place, bytes } of pieces.filter(({ bytes: piece }) => piece.byteLength > 6_000).slice(20, 23)) {
    whole[place + 100] = (bytes[100] ?? 0) ^ 0xff;
    damagedBlocks += 1;
  }
  const entries = await read(whole);
  expect([damagedBlocks, mails(entries).length]).toEqual([3, 57]);
  for (const fault of faults(entries)) expect([fault.code, fault.offset > 0]).toEqual(['import.damaged', true]);
});

test('A7: a file that ends early gives what is there, whatever is missing', async () => {
  const whole = pst(23);
  for (let size = 0; size < whole.byteLength; size += 997) {
    const entries = await read(whole.subarray(0, size));
    for (const { code } of faults(entries)) expect(['import.damaged', 'import.not-mail', 'import.no-header']).toContain(code);
    expect(mails(entries).length).toBeLessThanOrEqual(4);
    expect([size, entries.length > 0 || size === 0]).toEqual([size, true]);
  }
});

test('A7: whatever bytes are changed, reading ends, and each piece is a message or a named fault', async () => {
  const whole = pst(15);
  for (let seed = 1; seed <= 300; seed += 1) {
    const bytes = Buffer.from(whole);
    for (let change = 0; change < 12; change += 1) bytes[(seed * 7_919 + change * 104_729) % bytes.byteLength] = (seed * 31 + change) % 256;
    bytes.write('!BDN', 0, 'latin1');
    const entries = await read(bytes);
    const places = entries.map(({ place }) => place.at(-1) ?? -1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }
});

describe.skipIf(!isHere)('files that Outlook wrote (skipped without ../shared/corpora)', () => {
  const folder = (name: string): string => path.join(corpora, name);

  /** How many items another program sees in a data file; it counts folders in folders as items too. */
  async function countOf(file: string): Promise<number | undefined> {
    const out = await mkdtemp(path.join(tmpdir(), 'readpst-'));
    onTestFinished(() => rm(out, { recursive: true, force: true }));
    const done = await run('readpst', ['-e', '-t', 'eajc', '-o', out, file]).catch(() => undefined);
    if (!done) return undefined;
    const counted = [...done.stdout.matchAll(/ (\d+) items done, (\d+) items skipped/gu)].reduce(
      (sum, [, kept, left]) => sum + Number(kept) + Number(left),
      0,
    );
    return counted - [...done.stdout.matchAll(/^Processing Folder/gmu)].length;
  }

  test.each([
    ['java-libpst/src/test/resources/dist-list.pst', {}],
    ['tika-docs/testPST.pst', {}],
    ['tika-docs/testPST_variousBodyTypes.pst', {}],
  ] as const)('A7: %s gives as many items as readpst finds, and A8: the same messages twice', async (name, options) => {
    const bytes = await readFile(folder(name));
    const entries = await read(bytes, options);
    expect(faults(entries)).toEqual([]);
    expect(hashes(await read(bytes, options))).toEqual(hashes(entries));
    for (const { bytes: mime } of mails(entries)) expect((await PostalMime.parse(mime)).headers.length).toBeGreaterThan(0);
    expect(mails(entries)).toHaveLength((await countOf(folder(name))) ?? mails(entries).length);
  });

  test('a data file with a password asks for it, and tells a wrong one', async () => {
    const bytes = await readFile(folder('java-libpst/src/test/resources/passworded.pst'));
    expect(faults(await read(bytes)).map(({ code }) => code)).toEqual(['import.pst-password-needed']);
    expect(faults(await read(bytes, { passwordCheck: 1 })).map(({ code }) => code)).toEqual(['import.pst-password-wrong']);
  });

  test('A8: messages that Outlook saved as files are read, each the same every time', async () => {
    const names = (await readdir(folder('tika-docs'))).filter((name) => name.endsWith('.msg'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const bytes = await readFile(folder(`tika-docs/${name}`));
      const entries = await read(bytes, {}, undefined, name);
      expect([name, faults(entries).map(({ code }) => code)]).toEqual([name, []]);
      expect(hashes(await read(bytes, {}, undefined, name))).toEqual(hashes(entries));
    }
  });
});
