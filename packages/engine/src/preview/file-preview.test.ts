import type { VaultReader } from '@holdfast/vault';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { Content, ItemVersion } from '../ports/item.ts';
import { filePreview, PREVIEW_TEXT_LIMIT } from './file-preview.ts';

function aFile(name: string, bytes: Uint8Array, mediaType?: string): { readonly item: ItemVersion; readonly reader: VaultReader } {
  const ref = { id: 'blob', sizeBytes: bytes.byteLength, sha256: '' };
  const content = { role: 'file', ref, ...(mediaType === undefined ? {} : { mediaType }) } as unknown as Content;
  const reader = { readAll: async () => Buffer.from(bytes) } as unknown as VaultReader;
  return { item: anItem(name, { kind: 'file', contents: [content], modifiedAt: '2026-03-01T08:00:00Z' }), reader };
}

async function textIn(name: string, bytes: Uint8Array, mediaType?: string): Promise<string | null> {
  const { item, reader } = aFile(name, bytes, mediaType);
  return (await filePreview(reader, item, PREVIEW_TEXT_LIMIT)).text;
}

describe('the text of a file is shown', () => {
  it.each([
    ['in UTF-8', Buffer.from('Grüße')],
    ['in UTF-16, low byte first', Buffer.from('\u{feff}Grüße', 'utf16le')],
    ['in UTF-16, high byte first', Buffer.from('\u{feff}Grüße', 'utf16le').swap16()],
  ])('%s', async (_how, bytes) => {
    expect(await textIn('a.txt', bytes)).toBe('Grüße');
  });

  it('when its type or its name says that it is text, and not otherwise', async () => {
    const words = Buffer.from('{}');
    expect(await textIn('data', words, 'application/json')).toBe('{}');
    expect(await textIn('DATA.JSON', words, 'application/octet-stream')).toBe('{}');
    expect(await textIn('data', words)).toBeNull();
    expect(await textIn('picture.png', words, 'image/png')).toBeNull();
  });

  it('unless it is none, whatever its name says, or is long', async () => {
    expect(await textIn('a.txt', Buffer.from([0xff, 0x00, 0xfe]))).toBeNull();
    expect(await textIn('a.txt', Buffer.from('a\u0000b'))).toBeNull();
    expect(await textIn('a.txt', Buffer.alloc(300 * 1024, 'a'))).toBeNull();
    expect(
      (await filePreview(aFile('a.txt', Buffer.from('a')).reader, anItem('a.txt', { kind: 'file' }), PREVIEW_TEXT_LIMIT)).text,
    ).toBeNull();
  });
});

it('says who made a file and who changed it, as far as that is known', async () => {
  const { item, reader } = aFile('a.txt', Buffer.from('a'), 'text/plain');
  const properties = { createdBy: { user: { displayName: 'Ada' } }, lastModifiedBy: { user: { displayName: 'Bo' } } };
  expect((await filePreview(reader, { ...item, properties }, PREVIEW_TEXT_LIMIT)).properties).toEqual([
    { name: 'mediaType', value: 'text/plain' },
    { name: 'createdBy', value: 'Ada' },
    { name: 'modifiedBy', value: 'Bo' },
  ]);
  const unknown = { createdBy: { user: null }, lastModifiedBy: { application: { displayName: 'An app' } } };
  expect((await filePreview(reader, { ...item, properties: unknown }, PREVIEW_TEXT_LIMIT)).properties).toEqual([
    { name: 'mediaType', value: 'text/plain' },
  ]);
});
