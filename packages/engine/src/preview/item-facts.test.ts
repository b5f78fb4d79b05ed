import { sha256Hex } from '@holdfast/foundation/bytes';
import { expect, test } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import { parseMail } from '../mime/parse-mail.ts';
import type { ItemVersion } from '../ports/item.ts';
import { factsOf } from './item-facts.ts';
import type { DocumentWords } from './document-words.ts';

const mailOf = (...lines: readonly string[]) => parseMail(Buffer.from(lines.join('\r\n')));
const bare: ReturnType<typeof factsOf> = {
  sentAt: null,
  archivedAt: null,
  importance: null,
  isRead: null,
  isJournaled: false,
  isSigned: null,
  isEncrypted: null,
  identifiers: [],
  envelope: [],
  headers: [],
  links: [],
  addresses: [],
  labels: null,
};
const isOfClass = (value: string) => ({ field: 'itemclass' as const, value });
const note = isOfClass('ipm.note');
const fileOfMail = (changes: Partial<ItemVersion> = {}): ItemVersion => anItem('m1', changes);

/** A message that is nothing but the data of S/MIME of a type, behind the length that it begins with. */
async function smime(oid: string, type = 'application/pkcs7-mime; name=smime.p7m') {
  const data = Buffer.concat([Buffer.from('3082123406', 'hex'), Buffer.of(oid.length / 2), Buffer.from(oid, 'hex'), Buffer.alloc(200)]);
  return mailOf(`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', data.toString('base64'));
}

async function protection(mail: Awaited<ReturnType<typeof mailOf>>) {
  const { isSigned, isEncrypted } = factsOf(fileOfMail(), mail);
  return { isSigned, isEncrypted };
}

test('what an item does not say is not known of it', () => {
  expect(factsOf(anItem('f1', { kind: 'file', createdAt: '2024-05-17T10:00:00Z' }), undefined)).toEqual(bare);
  expect(factsOf(fileOfMail(), undefined)).toEqual({ ...bare, identifiers: [note] });
});

test('mail was sent when its header says so, else when the service does', async () => {
  const item = fileOfMail({ properties: { sentDateTime: '2024-05-17T10:00:00Z' } });
  expect(factsOf(item, await mailOf('Date: Thu, 16 May 2024 23:00:00 -0200', '', 'x')).sentAt).toBe('2024-05-17T01:00:00.000Z');
  expect(factsOf(item, await mailOf('Date: some day', '', 'x')).sentAt).toBe('2024-05-17T10:00:00.000Z');
  expect(factsOf(item, undefined).sentAt).toBe('2024-05-17T10:00:00.000Z');
  expect(factsOf(fileOfMail(), await mailOf('Date: 1 Jan 20240 00:00:00 GMT', '', 'x')).sentAt).toBeNull();
});

test('posts were sent when they were made', () => {
  for (const kind of ['post', 'reply', 'chatMessage'] as const)
    expect(factsOf(anItem('p', { kind, createdAt: '2024-05-17T10:00:00Z' }), undefined).sentAt).toBe('2024-05-17T10:00:00.000Z');
});

test('identifiers come from the service and from the header, each once and without its brackets', async () => {
  const item = fileOfMail({ properties: { internetMessageId: '<one@contoso.com>', conversationId: 'AAQk=' } });
  const mail = await mailOf('Message-ID: <one@contoso.com>', 'In-Reply-To: <two@contoso.com> (of May) <three@contoso.com>', '', 'x');
  expect(factsOf(item, mail).identifiers).toEqual([
    { field: 'messageid', value: 'one@contoso.com' },
    { field: 'inreplyto', value: 'two@contoso.com' },
    { field: 'inreplyto', value: 'three@contoso.com' },
    { field: 'conversation', value: 'AAQk=' },
    note,
  ]);
  const odd = await mailOf('Message-ID: no brackets', '', 'x');
  expect(factsOf(fileOfMail(), odd).identifiers).toEqual([{ field: 'messageid', value: 'no brackets' }, note]);
});

test('attachments are known by the hash of their decoded bytes, whatever they are named and wherever they are kept', async () => {
  const part = (name: string, text: string): readonly string[] => [
    '--b',
    `Content-Type: application/octet-stream; name=${name}`,
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text).toString('base64'),
  ];
  const mail = await mailOf(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('a', 'same'),
    ...part('b', 'same'),
    ...part('c', 'other'),
    '--b--',
  );
  const hashes = ['same', 'other'].map((text) => ({ field: 'attachmenthash', value: sha256Hex(Buffer.from(text)) }));
  expect(factsOf(fileOfMail(), mail).identifiers).toEqual([...hashes, note]);
  const ref = { sha256: 'ab'.repeat(32) } as ItemVersion['contents'][number]['ref'];
  const task = anItem('t', {
    kind: 'task',
    contents: [
      { role: 'export', ref: { ...ref, sha256: 'cd'.repeat(32) } },
      { role: 'attachment', ref },
    ],
  });
  expect(factsOf(task, undefined).identifiers).toEqual([{ field: 'attachmenthash', value: 'ab'.repeat(32) }, isOfClass('ipm.task')]);
});

test('signed and encrypted mail is told by what it is, and not by what it is named', async () => {
  const plain = { isSigned: false, isEncrypted: false };
  expect(await protection(await mailOf('Content-Type: text/plain', '', 'signed and encrypted'))).toEqual(plain);
  const signed = await mailOf(
    'Content-Type: Multipart/Signed; boundary=b',
    '',
    '--b',
    '',
    'x',
    '--b',
    'Content-Type: application/pkcs7-signature',
    '',
    'x',
    '--b--',
  );
  expect(await protection(signed)).toEqual({ ...plain, isSigned: true });
  expect(await protection(await mailOf('Content-Type: multipart/encrypted; boundary=b', '', '--b', '', 'x', '--b--'))).toEqual({
    ...plain,
    isEncrypted: true,
  });
  expect(await protection(await smime('2a864886f70d010702'))).toEqual({ ...plain, isSigned: true });
  expect(await protection(await smime('2a864886f70d010703'))).toEqual({ ...plain, isEncrypted: true });
  expect(await protection(await smime('2a864886f70d0109100117', 'application/x-pkcs7-mime'))).toEqual({ ...plain, isEncrypted: true });
  expect(await protection(await smime('2a864886f70d010703', 'application/octet-stream'))).toEqual(plain);
  const rpmsg = await mailOf(
    'Content-Type: application/x-microsoft-rpmsg-message; name=message.rpmsg',
    'Content-Disposition: attachment',
    '',
    'x',
  );
  expect(await protection(rpmsg)).toEqual({ ...plain, isEncrypted: true });
});

test('a message of the archive was archived when it first was, and is read when it is in any of its places', () => {
  const place = (capturedAt: string, more: object) => ({ folder: 'Inbox', capturedAt, ...more });
  const places = [
    place('2024-06-01T00:00:00.000Z', { providerId: 'AAMk2', folderId: 'in', isRead: false }),
    place('2024-05-01T00:00:00.000Z', { providerId: 'AAMk1', folderId: 'in', isRead: true }),
    place('2024-07-01T00:00:00.000Z', { providerId: 'report', source: 'journal' }),
  ];
  const of = (placements: readonly object[]) => factsOf(fileOfMail({ properties: { placements: placements as never } }), undefined);
  expect(of(places)).toEqual({
    ...bare,
    archivedAt: '2024-05-01T00:00:00.000Z',
    isRead: true,
    isJournaled: true,
    identifiers: [
      { field: 'id', value: 'AAMk2' },
      { field: 'id', value: 'AAMk1' },
      { field: 'id', value: 'report' },
      { field: 'folderid', value: 'in' },
      note,
    ],
  });
  expect(of(places.slice(0, 1))).toMatchObject({ isRead: false, isJournaled: false });
  expect(factsOf(fileOfMail({ properties: { isRead: true, importance: 'High' } }), undefined)).toMatchObject({
    isRead: true,
    importance: 'high',
  });
});

test('an item has the class that Outlook gives its kind, with those that it belongs to', async () => {
  const classesOf = (item: ItemVersion, mail?: Awaited<ReturnType<typeof mailOf>>) =>
    factsOf(item, mail).identifiers.flatMap(({ field, value }) => (field === 'itemclass' ? [value] : []));
  const signed = await mailOf('Content-Type: multipart/signed; boundary=b', '', '--b', '', 'x', '--b--');
  expect(classesOf(fileOfMail(), signed)).toEqual(['ipm.note.smime.multipartsigned', 'ipm.note.smime', 'ipm.note']);
  const report = await mailOf('Content-Type: multipart/report; boundary=b', '', '--b', '', 'x', '--b--');
  expect(classesOf(fileOfMail(), report)).toEqual(['report.ipm.note', 'report.ipm']);
  const invitation = [
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    '',
    'x',
    '--b',
    'Content-Type: text/calendar; method=REQUEST',
  ];
  expect(classesOf(fileOfMail(), await mailOf(...invitation, '', 'BEGIN:VCALENDAR', '--b--'))).toEqual([
    'ipm.schedule.meeting',
    'ipm.schedule',
  ]);
  const attached = [...invitation, 'Content-Disposition: attachment; filename=a.ics', '', 'BEGIN:VCALENDAR', '--b--'];
  expect(classesOf(fileOfMail(), await mailOf(...attached))).toEqual(['ipm.note']);
  const own = await mailOf('X-Reconstructed: from an item of Outlook; class=IPM.Note.Contoso', '', 'x');
  expect(classesOf(fileOfMail(), own)).toEqual(['ipm.note.contoso', 'ipm.note']);
  expect(classesOf(anItem('e', { kind: 'event' }))).toEqual(['ipm.appointment']);
  expect(classesOf(anItem('f', { kind: 'file' }))).toEqual([]);
});

test('the envelope is what the journal says that this mailbox may know, and a file is known by the numbers of its versions', () => {
  const envelope = { roles: ['to'], sender: 'anna@contoso.com', recipients: [{ address: 'ben@contoso.com', role: 'to' }] };
  const placements = [
    { source: 'journal', envelope },
    { source: 'journal', envelope: { ...envelope, sender: 'carl@contoso.com' } },
    { folder: 'Inbox' },
  ];
  const found = factsOf(fileOfMail({ properties: { placements } }), undefined);
  expect(found.envelope).toEqual(['anna@contoso.com', 'ben@contoso.com', 'carl@contoso.com']);
  const ref = { sha256: 'ab'.repeat(32) } as ItemVersion['contents'][number]['ref'];
  const contents = [
    { role: 'file', label: '3.0', ref },
    { role: 'version', label: '2.0', ref },
  ] as const;
  expect(factsOf(anItem('f', { kind: 'file', contents }), undefined).identifiers).toEqual([
    { field: 'version', value: '3.0' },
    { field: 'version', value: '2.0' },
  ]);
});

const GENERAL = '4342314e-0df4-4b58-84bf-38bed6170a0f';
const general = { labelId: GENERAL, name: 'General', setAt: '2022-06-06T09:18:02.000Z' };

test('the label of a mail is in its header, and a mail without one has none', async () => {
  const mail = await mailOf(
    `msip_labels: MSIP_Label_${GENERAL}_Enabled=true;`,
    ` MSIP_Label_${GENERAL}_Name=General;`,
    ` MSIP_Label_${GENERAL}_SetDate=2022-06-06T09:18:02Z;`,
    '',
    'x',
  );
  const documents = [{ path: ['offer.docx'], text: '', state: 'noText' as const, labels: [{ ...general, labelId: 'of-the-attachment' }] }];
  expect(factsOf(fileOfMail(), mail, { documents }).labels).toEqual([general]);
  expect(factsOf(fileOfMail(), await mailOf('Subject: x', '', 'x'), { documents }).labels).toEqual([]);
  expect(factsOf(fileOfMail(), undefined, { documents }).labels).toBeNull();
});

test('the label of a file is that of its document, and not of what is inside of it', () => {
  const file = anItem('f', { kind: 'file' });
  const of = (...documents: DocumentWords[]) => factsOf(file, undefined, { documents }).labels;
  const part = { path: ['a.zip'], text: '', state: 'noText' as const };
  expect(of({ ...part, labels: [general] })).toEqual([general]);
  expect(of({ ...part, labels: [] }, { ...part, path: ['a.zip', 'b.docx'], labels: [general] })).toEqual([]);
  expect(of({ ...part, state: 'encrypted' })).toBeNull();
  expect(of()).toBeNull();
});
