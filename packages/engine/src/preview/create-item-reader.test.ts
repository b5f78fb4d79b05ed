import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import { collect } from '@holdfast/foundation/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { ItemKind, ItemVersion, Resource } from '../ports/item.ts';
import { createItemReader } from './create-item-reader.ts';
import { DOCUMENTS_LIMIT, type DocumentWordsReader } from './document-words.ts';

const LIMIT = 256 * 1024 * 1024;
const { signal } = new AbortController();

describe('looking at single items of a vault', () => {
  const items = createItemReader(systemClock);
  let rig: Rig;
  let held: ItemVersion[];

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    let mailbox: Resource | undefined;
    for await (const user of rig.graph.directory.users())
      if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id, 'Adele Vance');
    if (!mailbox) throw new Error('The simulated tenant has nobody.');
    await rig.backup(mailbox);
    held = await rig.items(mailbox);
  });
  afterAll(async () => {
    await items.close();
    await rig.close();
  });

  const reader = () => rig.vault.reader();
  const ofKind = (kind: ItemKind) => held.filter((item) => item.kind === kind);

  it('shows messages with sender, receivers, time and text, and gives them byte for byte', async () => {
    const messages = ofKind('message');
    expect(messages.length).toBeGreaterThan(0);
    for (const item of messages) {
      const preview = await items.preview(reader(), item);
      expect(preview.from).toMatch(/@/u);
      expect(preview.at).toMatch(/Z$/u);
      expect(preview.text ?? '').not.toMatch(/<(?:p|div|html|script)\b/iu);
      const file = await items.file(reader(), item, { signal });
      expect(file.fileName).toMatch(/\.eml$/u);
      expect(sha256Hex(await collect(file.bytes, LIMIT))).toBe(item.contents.find((content) => content.role === 'mime')?.ref.sha256);
    }
  });

  it('gives each attachment of a message by its index, and refuses one that is not there', async () => {
    let seen = 0;
    for (const item of ofKind('message')) {
      const { attachments } = await items.preview(reader(), item);
      for (const { index, sizeBytes } of attachments) {
        const file = await items.file(reader(), item, { attachment: index, signal });
        expect((await collect(file.bytes, LIMIT)).byteLength).toBe(sizeBytes);
        seen += 1;
      }
      const none = items.file(reader(), item, { attachment: attachments.length, signal });
      await expect(none).rejects.toSatisfy((error) => isAppError(error, 'restore.no-such-attachment'));
    }
    expect(seen).toBeGreaterThan(0);
  });

  it('reads which mail a message answers, and its text as plain text and as HTML', async () => {
    for (const item of ofKind('message')) {
      const [mail, preview] = [await items.inThread(reader(), item), await items.preview(reader(), item)];
      expect(mail.messageId).toMatch(/^[^<>]+@[^<>]+$/u);
      expect(mail.subject).toBe(preview.title);
      expect(mail.texts?.some((text) => text.trim() === (preview.text ?? '').trim())).toBe(true);
      expect(mail.attachments).toHaveLength(preview.attachments.length);
    }
    const [event] = ofKind('event');
    if (!event) throw new Error('The mailbox has no event.');
    await expect(items.inThread(reader(), event)).rejects.toSatisfy((error) => isAppError(error, 'restore.unreadable'));
  });

  it('shows events and contacts by their facts', async () => {
    const [event] = ofKind('event');
    const [contact] = ofKind('contact');
    if (!event || !contact) throw new Error('The mailbox has no event or no contact.');
    const shownEvent = await items.preview(reader(), event);
    expect(shownEvent.title).toBe(event.name);
    expect(shownEvent.properties.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'end']));
    const shownContact = await items.preview(reader(), contact);
    expect([shownContact.title, shownContact.properties.length > 0]).toEqual([contact.name, true]);
    const card = await items.file(reader(), contact, { signal });
    expect([card.mediaType, card.fileName.endsWith('.vcf')]).toEqual(['text/vcard', true]);
    expect(shownContact.gone).toEqual([]);
  });

  it('A18: a message that cannot be taken apart, or is too large for it, is counted as such; its name and the next one are found', async () => {
    const writer = await rig.vault.openWriter({ resourceId: 'hostile' });
    const levels = Array.from({ length: 400 }, (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`);
    const mime = async (text: string) => [{ role: 'mime' as const, ref: await writer.put(Buffer.from(text), { kind: 'message' }) }];
    const [deep, plain] = [await mime(levels.join('')), await mime('Subject: Plan\r\n\r\nWords')];
    await writer.close();
    const huge = deep.map(({ role, ref }) => ({ role, ref: { ...ref, sizeBytes: 200 * 1024 * 1024 } }));
    const none = { read: () => Promise.resolve([]) };
    const found = [];
    for (const contents of [deep, huge, plain])
      found.push(await items.words(reader(), anItem('m', { contents, properties: { subject: 'Offer', bodyPreview: 'Said' } }), none));
    expect(found.map(({ state, title }) => [state, title])).toEqual([
      ['failed', 'Offer'],
      ['tooLarge', 'Offer'],
      ['indexed', 'Plan'],
    ]);
  });

  it('A18: of a message with more attachments than are read, those are read that may be, and it counts as too large', async () => {
    const writer = await rig.vault.openWriter({ resourceId: 'hostile' });
    const part = '\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\na';
    const raw = `Subject: Many\r\nContent-Type: multipart/mixed; boundary=b\r\n${part.repeat(DOCUMENTS_LIMIT + 500)}\r\n--b--\r\n`;
    const contents = [{ role: 'mime' as const, ref: await writer.put(Buffer.from(raw), { kind: 'message' }) }];
    await writer.close();
    let reads = 0;
    const documents: DocumentWordsReader = {
      read: ({ name }) => Promise.resolve([{ path: [name], text: `word${(reads += 1)}`, state: 'indexed' }]),
    };
    const { state, attachmentTexts } = await items.words(reader(), anItem('m', { contents }), documents);
    expect([state, reads, attachmentTexts.at(-1)?.text]).toEqual(['tooLarge', DOCUMENTS_LIMIT, `word${DOCUMENTS_LIMIT}`]);
  });

  it('tells what of an item is gone at the source, and since when', async () => {
    const since = '2026-11-03T08:00:00.000Z';
    const goneParts = ['hosted:aWQ9', 'photo', 'version:3.0'].map((part) => ({ part, since }));
    const post = anItem('post', { kind: 'post', properties: { read: { goneParts } } });
    const { gone } = await items.preview(reader(), post);
    expect(gone.map(({ part, name }) => [part, name])).toEqual([
      ['picture', ''],
      ['photo', ''],
      ['version', '3.0'],
    ]);
    expect(gone.every((one) => one.since === since)).toBe(true);
  });
});

describe('looking at the versions of a file', () => {
  const items = createItemReader(systemClock);
  let rig: Rig;
  let drive: Resource;
  let file: ItemVersion;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], seed: 3, clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) {
      if (user.userType !== 'Member' || (await rig.truth('drives', user.id)).length === 0) continue;
      drive = rig.resource('drive', user.id);
      await rig.backup(drive);
      const found = (await rig.items(drive)).find((item) => item.contents.some((content) => content.role === 'version'));
      if (!found) continue;
      file = found;
      break;
    }
  });
  afterAll(async () => {
    await items.close();
    await rig.close();
  });

  it('names every version with its time and size, and gives each byte for byte', async () => {
    const { versions } = await items.preview(rig.vault.reader(), file);
    expect(versions.length).toBeGreaterThan(1);
    expect(new Set(versions.map(({ label }) => label)).size).toBe(versions.length);
    for (const [index, { label, at, sizeBytes }] of versions.entries()) {
      expect(at).toMatch(/Z$/u);
      const opened = await items.file(rig.vault.reader(), file, { version: label, signal });
      const bytes = await collect(opened.bytes, LIMIT);
      expect([bytes.byteLength, opened.sizeBytes]).toEqual([sizeBytes, sizeBytes]);
      const stored = file.contents.filter(({ role }) => role === 'file' || role === 'version')[index];
      expect(sha256Hex(bytes)).toBe(stored?.ref.sha256);
    }
  });

  it('refuses a version that is not there', async () => {
    const none = items.file(rig.vault.reader(), file, { version: '99.0', signal });
    await expect(none).rejects.toSatisfy((error) => isAppError(error, 'restore.unreadable'));
  });

  it('restores an earlier version over the newest one, which stays in the history of the file', async () => {
    const { versions } = await items.preview(rig.vault.reader(), file);
    const oldest = versions.at(-1);
    const { lines } = await rig.restore({
      source: drive,
      selection: [file.key],
      fileVersion: oldest?.label ?? '',
      target: { resource: drive },
      collisions: 'replace',
    });
    expect(lines).toMatchObject([{ key: file.key, outcome: 'replaced' }]);
    await rig.backup(drive);
    const after = (await rig.items(drive)).find((item) => item.key === file.key);
    const newest = after?.contents.find(({ role }) => role === 'file');
    expect(newest?.ref.sha256).toBe(file.contents.findLast(({ role }) => role === 'version')?.ref.sha256);
    expect(after?.contents.length).toBe(file.contents.length + 1);
  });
});
