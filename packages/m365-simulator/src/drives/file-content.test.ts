import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createReceived } from '../state/received.ts';
import { type FileContent, contentHash, contentPieces, uploadedContent } from './file-content.ts';
import { officeFile, rewriteOffice } from './office-file.ts';
import { emptyRow, foldInto, quickXorHash } from './quick-xor-hash.ts';
import { emptyIntake, extended } from './receive-file.ts';

const received = createReceived();
afterAll(() => received.close());

function read(content: FileContent, from?: number, to?: number): Buffer {
  return Buffer.concat([...contentPieces(received, content, from, to)]);
}

/** Fragments that came one after the other, as in an upload session. */
function uploaded(fragments: readonly Uint8Array[]): FileContent {
  let intake = emptyIntake();
  for (const fragment of fragments) {
    const row = emptyRow();
    foldInto(row, fragment, intake.bytes.sizeBytes);
    intake = extended(intake, { bytes: received.add(fragment), row });
  }
  return uploadedContent(intake.bytes, intake.row);
}

const aContent = fc.oneof(
  fc.record({
    kind: fc.constant('media' as const),
    name: fc.string(),
    extension: fc.constantFrom('pdf', 'png', 'bin'),
    sizeBytes: fc.nat(200_000),
  }),
  fc.record({ kind: fc.constant('text' as const), name: fc.string(), extension: fc.constant('csv'), sizeBytes: fc.nat(5000) }),
  fc.record({
    kind: fc.constant('office' as const),
    name: fc.string(),
    extension: fc.constant('docx'),
    sizeBytes: fc.integer({ min: 4096, max: 90_000 }),
  }),
  fc.array(fc.uint8Array({ maxLength: 900 }), { maxLength: 5 }).map((fragments) => uploaded(fragments)),
);

describe('file content', () => {
  it('has the size it says and the hash of its very bytes', () => {
    fc.assert(
      fc.property(aContent, (content) => {
        const data = read(content);
        expect(data.byteLength).toBe(content.sizeBytes);
        expect(contentHash(content)).toBe(quickXorHash(data));
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same bytes from any offset', () => {
    fc.assert(
      fc.property(aContent, fc.nat(200_000), fc.nat(200_000), (content, a, b) => {
        const from = Math.min(a, b, content.sizeBytes);
        const to = Math.min(Math.max(a, b), content.sizeBytes);
        expect(read(content, from, to).equals(read(content).subarray(from, to))).toBe(true);
      }),
    );
  });

  it('lists the hash of a gigabyte without making it', () => {
    const content: FileContent = { kind: 'media', name: 'film', extension: 'mp4', sizeBytes: 1_000_000_007 };
    const again = contentHash({ ...content });
    expect(again).toBe(contentHash(content));
    expect(contentHash({ ...content, sizeBytes: 1_000_000_006 })).not.toBe(again);
  });
});

/** Walks the central directory and checks each entry where it says it is; returns how many there are. */
function soundEntries(file: Buffer): number {
  const end = file.length - 22;
  let at = file.readUInt32LE(end + 16);
  const count = file.readUInt16LE(end + 10);
  for (let entry = 0; entry < count; entry += 1) {
    const local = file.readUInt32LE(at + 42);
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    expect(crc32(file.subarray(from, from + file.readUInt32LE(at + 20)))).toBe(file.readUInt32LE(at + 16));
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  expect(at).toBe(end);
  return count;
}

describe('Office files', () => {
  it('are ZIP packages, as made and as rewritten', () => {
    const made = officeFile('plan', 'docx', 20_000);
    const rewritten = rewriteOffice(made, 'GUID');
    const twice = rewriteOffice(rewritten, 'GUID');
    for (const [index, file] of [made, rewritten, twice].entries()) {
      expect(soundEntries(file)).toBe(5 + index);
    }
    expect(rewritten.byteLength).toBeGreaterThan(made.byteLength);
  });

  it('keep what is no ZIP file and add to its end', () => {
    expect(rewriteOffice(Buffer.from('hello'), 'G').subarray(0, 5).toString()).toBe('hello');
  });
});
