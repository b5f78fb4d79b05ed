import { expect, test } from 'vitest';
import { sha256Hex } from '@holdfast/foundation/bytes';
import type { ItemVersion } from '../ports/item.ts';
import { exportedFiles, exportedFolder } from './exported-item.ts';

function mail(name: string, bytes: string): ItemVersion {
  const sha256 = sha256Hex(bytes);
  return {
    key: sha256,
    kind: 'message',
    parentKey: null,
    name,
    sizeBytes: bytes.length,
    modifiedAt: '2026-11-02T10:00:00Z',
    contentTag: sha256,
    contents: [{ role: 'mime', ref: { sha256, sizeBytes: bytes.length, pieces: [] } as never }],
    properties: {},
  };
}

const nameOf = (item: ItemVersion): string => exportedFiles(item)[0]?.name ?? '';

test('A28: 20,000 messages of one minute have names of their own', () => {
  const names = new Set(Array.from({ length: 20_000 }, (_, at) => nameOf(mail('Offer', `Body ${at}`)).toLowerCase()));
  expect(names.size).toBe(20_000);
});

test('A28: whatever a subject says, its name is one that every system takes', () => {
  const subjects = [
    '../../etc/passwd',
    'CON',
    'a:b*c?"<>|',
    '=1+1',
    'x'.repeat(4_000),
    '👩‍👩‍👧‍👦'.repeat(200),
    'dots...',
    'new\r\nline',
    '\u202Egnp.exe',
    '',
  ];
  for (const subject of subjects) {
    const name = nameOf(mail(subject, subject));
    expect(name, subject).toMatch(/^2026-11-02 10\.00\.00 .+ [0-9a-f]{12}\.eml$/u);
    expect(Buffer.byteLength(name), subject).toBeLessThanOrEqual(255);
    // eslint-disable-next-line no-control-regex -- naming them is the point
    expect(name, subject).not.toMatch(/[\\/:*?"<>|\u0000-\u001F\u202E]/u);
  }
});

test('a folder that is too deep is cut, and stays apart from others that begin like it', () => {
  const deep = Array.from({ length: 30 }, (_, at) => `Level ${at}`);
  const [one, other] = [exportedFolder([...deep, 'a']), exportedFolder([...deep, 'b'])];
  expect(one.length).toBeLessThanOrEqual(100);
  expect(one).not.toBe(other);
  expect(exportedFolder(['Inbox', '..', 'a/b'])).toBe('Inbox/_/a_b');
});
