import { once } from '@holdfast/foundation/streams';
import { graphError, type GraphClient, type MessageEntry } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { ContentSink } from '../../pipeline/step.ts';
import { AREAS } from './areas.ts';
import { messageDraft } from './message.ts';

interface Given {
  readonly mime?: string | Error;
  readonly json?: object | Error;
  readonly attachments?: readonly object[];
  readonly bytes?: string | Error;
}

/** A mailbox with one message, and where the drafts of its messages are read to. */
function aMailbox({ mime = 'Subject: Hello\r\n\r\nHello', json = {}, attachments = [], bytes = 'Plan' }: Given = {}) {
  async function* streamOf(given: string | Error) {
    if (typeof given !== 'string') throw given;
    yield* once(Buffer.from(given));
  }
  const mail = {
    mime: () => ({ bytes: streamOf(mime) }),
    message: async () => {
      if (json instanceof Error) throw json;
      return json;
    },
    async *attachments() {
      yield* attachments;
    },
    attachmentContent: () => ({ bytes: streamOf(bytes) }),
  };
  const stored: unknown[] = [];
  const sink = {
    store: async (role: string, given: AsyncIterable<Uint8Array>, options: object) => {
      for await (const part of given) if (part.byteLength < 0) break;
      stored.push([role, options]);
      return { role, ref: {} };
    },
  } as unknown as ContentSink;
  const graph = { exchange: { mail } } as unknown as GraphClient;
  const draftOf = (entry: object, previous?: ReturnType<typeof anItem>) =>
    messageDraft({ graph, userId: 'u', rootId: 'root' }, entry as MessageEntry, previous);
  return { draftOf, stored, read: async (entry: object) => draftOf(entry).read?.(sink) };
}

const entry = { id: 'm', parentFolderId: 'inbox', changeKey: '1', subject: 'Hello', isRead: false };

describe('a message as a listing names it', () => {
  it('is known by what was said of it, and lies where it says', () => {
    const { draftOf } = aMailbox();
    expect(draftOf({ id: 'm', flag: null })).toMatchObject({ key: 'm', name: '', parentKey: null, properties: {} });
    expect(draftOf({ id: 'm' })).not.toHaveProperty('createdAt');
    expect(draftOf({ ...entry, parentFolderId: 'root' })).toMatchObject({ parentKey: AREAS.mail });
    expect(draftOf({ ...entry, sentDateTime: '2026-03-01T08:00:00Z', receivedDateTime: '2026-03-01T08:00:01Z' })).toMatchObject({
      createdAt: '2026-03-01T08:00:00Z',
      modifiedAt: '2026-03-01T08:00:01Z',
    });
  });

  it('is read again when neither its state nor its folder explains that it was changed', () => {
    const { draftOf } = aMailbox();
    const { contentTag, properties } = draftOf(entry);
    const previous = anItem('m', { parentKey: 'inbox', contentTag, properties });
    const tagOf = (change: object) => draftOf({ ...entry, ...change }, previous).contentTag;
    expect(tagOf({})).toBe(contentTag);
    expect(tagOf({ changeKey: '2', isRead: true })).toBe(contentTag);
    expect(tagOf({ changeKey: '2', parentFolderId: 'archive' })).toBe(contentTag);
    expect(tagOf({ changeKey: '2' })).toBe(`${contentTag}+2`);
    expect(tagOf({ changeKey: undefined })).toBe(`${contentTag}+`);
    expect(tagOf({ subject: 'Hello again' })).not.toContain(contentTag);
    expect(tagOf({ isDraft: true })).not.toBe(draftOf({ ...entry, isDraft: true, changeKey: '2' }).contentTag);
  });
});

describe('a message that is read', () => {
  const reference = { '@odata.type': '#microsoft.graph.referenceAttachment', id: 'r', name: 'Link' };
  const whole = { ...entry, hasAttachments: true };

  it('has the links that its MIME does not hold', async () => {
    expect(await aMailbox({ attachments: [reference, { id: 'f' }] }).read(whole)).toMatchObject({
      properties: { references: [reference] },
    });
    expect(await aMailbox({ attachments: [{ id: 'f' }] }).read(whole)).not.toHaveProperty('properties');
    const held = aMailbox({ attachments: [reference], mime: 'Content-Type: multipart/mixed; boundary=b\r\n\r\n' });
    expect(await held.read(whole)).not.toHaveProperty('properties');
    expect(await aMailbox({ attachments: [reference] }).read(entry)).not.toHaveProperty('properties');
  });

  it('is read in parts when its MIME is damaged, whatever of them is left', async () => {
    const damaged = { mime: graphError('graph.corrupt-item'), attachments: [{ id: 'a', name: null, contentType: null }] };
    const parts = aMailbox(damaged);
    expect(await parts.read(whole)).toMatchObject({
      properties: { incomplete: true },
      defects: [{ code: 'graph.corrupt-item', tried: ['mime'] }],
    });
    expect(parts.stored).toEqual([
      ['part', { kind: 'json', label: 'message.json' }],
      ['attachment', { kind: 'file', label: 'a' }],
    ]);
    const less = aMailbox({ ...damaged, bytes: graphError('graph.network') });
    expect((await less.read(whole))?.defects?.at(-1)).toEqual({ code: 'graph.network', tried: ['mime', 'json', 'attachment 1'] });
    const nothing = aMailbox({ ...damaged, json: graphError('graph.service-fault') }).read(whole);
    await expect(nothing).rejects.toMatchObject({ code: 'graph.service-fault', details: { tried: ['mime', 'json'] } });
  });

  it('ends with what is not of this message alone', async () => {
    const refused = graphError('graph.token-refused');
    await expect(aMailbox({ mime: refused }).read(entry)).rejects.toBe(refused);
    const damaged = { mime: graphError('graph.corrupt-item'), attachments: [{ id: 'a', name: 'Plan.txt', contentType: 'text/plain' }] };
    await expect(aMailbox({ ...damaged, json: refused }).read(whole)).rejects.toBe(refused);
    await expect(aMailbox({ ...damaged, bytes: refused }).read(whole)).rejects.toBe(refused);
  });
});
