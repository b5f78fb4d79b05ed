import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { ContentSink } from '../../pipeline/step.ts';
import type { Content } from '../../ports/item.ts';
import { hostedContentIds, postDraft, type PostEntry } from './post.ts';

const address = (id: string) => `https://graph.microsoft.com/v1.0/chats/c/messages/1/hostedContents/${id}/$value`;
const place = { key: 'post:c:1', kind: 'post', parentKey: 'channel:c' } as const;
const sink = {
  store: async (role: string, _bytes: unknown, { label, mediaType }: { readonly label?: string; readonly mediaType?: string }) => ({
    role,
    label,
    mediaType,
  }),
} as unknown as ContentSink;

function draftOf(entry: Partial<PostEntry>, previous?: ReturnType<typeof anItem>, picture: { readonly contentType?: string } | Error = {}) {
  const hosted = () => {
    if (picture instanceof Error) throw picture;
    return { bytes: [], ...picture } as never;
  };
  return postDraft({ ...place, entry: { id: '1', ...entry }, previous, hosted });
}

it('names each picture of a body once', () => {
  expect(hostedContentIds(`<img src="${address('a')}"><img src='${address('b%3D')}'><img src="${address('a')}">`)).toEqual(['a', 'b=']);
});

describe('a message of a channel', () => {
  it('goes by its subject, its summary or its words, cut where they are long', () => {
    expect(draftOf({ subject: 'A  subject', body: { content: '<p>Words</p>' } }).name).toBe('A subject');
    expect(draftOf({ summary: 'A summary' }).name).toBe('A summary');
    expect(draftOf({ body: { content: '<p>Words</p>' } }).name).toBe('Words');
    expect(draftOf({ subject: 'x'.repeat(200) }).name).toBe(`${'x'.repeat(117)}...`);
    const nothing = draftOf({ body: null });
    expect(nothing).toMatchObject({ name: '', sizeBytes: 0 });
    expect(nothing).not.toHaveProperty('createdAt');
    expect(nothing).not.toHaveProperty('read');
  });

  it('keeps pictures that are stored already, and reads the others', async () => {
    const stored = { role: 'hosted', label: 'a', mediaType: 'image/gif' } as unknown as Content;
    const entry = { body: { content: `<img src="${address('a')}"><img src="${address('b')}">` } };
    const previous = anItem('post:c:1', { contents: [{ role: 'export', label: 'b' } as unknown as Content, stored] });
    expect(await draftOf(entry, previous, { contentType: 'image/png' }).read?.(sink)).toEqual({
      contents: [stored, { role: 'hosted', label: 'b', mediaType: 'image/png' }],
      defects: [],
    });
    expect(await draftOf(entry, previous, graphError('graph.item-gone')).read?.(sink)).toEqual({
      contents: [stored],
      defects: [{ code: 'engine.part-missing', part: 'hosted:b', tried: ['hosted content'] }],
    });
    const refused = graphError('graph.token-refused');
    await expect(draftOf(entry, previous, refused).read?.(sink)).rejects.toBe(refused);
  });

  it('that was deleted keeps what it said when that is stored, and reads nothing', () => {
    const deleted = { deletedDateTime: '2026-03-02T08:00:00Z', lastModifiedDateTime: '2026-03-02T08:00:00Z', body: { content: '' } };
    const body = { contentType: 'html', content: `<img src="${address('a')}">` };
    const known = draftOf(deleted, anItem('post:c:1', { name: 'As it was', properties: { body } }));
    expect(known).toMatchObject({ name: 'As it was', contentTag: 'tag', sizeBytes: 10, modifiedAt: '2026-03-02T08:00:00Z' });
    expect(known.properties).toMatchObject({ body, deletedDateTime: '2026-03-02T08:00:00Z' });
    expect(draftOf(deleted, anItem('post:c:1')).properties).not.toHaveProperty('body');
    expect(draftOf({ ...deleted, body })).not.toHaveProperty('read');
  });
});
