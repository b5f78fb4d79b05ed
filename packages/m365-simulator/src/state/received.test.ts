import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReceived, joined, NO_BYTES, PIECE_BYTES } from './received.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'received-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('received bytes', () => {
  it('come back whole and from any offset, whatever came in between', () => {
    const received = createReceived();
    const fragments = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 });
    fc.assert(
      fc.property(fragments, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), fc.nat(9000), fc.nat(9000), (parts, others, a, b) => {
        const bytes = joined(
          parts.map((part, index) => {
            if (others[index] === true) received.add(Buffer.from('of somebody else'));
            return received.add(part);
          }),
        );
        const whole = Buffer.concat(parts);
        expect(received.read(bytes).equals(whole)).toBe(true);
        const [from = 0, to = 0] = [a, b].map((place) => Math.min(place, whole.byteLength)).sort((x, y) => x - y);
        expect(Buffer.concat([...received.pieces(bytes, from, to)]).equals(whole.subarray(from, to))).toBe(true);
      }),
    );
    received.close();
  });

  it('are one stretch when they came one after the other', () => {
    const received = createReceived();
    const bytes = joined([received.add(Buffer.from('one ')), NO_BYTES, received.add(Buffer.from('two'))]);
    expect(bytes).toEqual({ stretches: [{ start: 0, sizeBytes: 7 }], sizeBytes: 7 });
    received.close();
  });

  it('go out a mebibyte at a time', () => {
    const received = createReceived();
    const bytes = received.add(Buffer.alloc(2 * PIECE_BYTES + 5, 7));
    expect([...received.pieces(bytes, 0, bytes.sizeBytes)].map((piece) => piece.byteLength)).toEqual([PIECE_BYTES, PIECE_BYTES, 5]);
    received.close();
  });

  it('are there again when the file is opened again, and nothing is written over them', async () => {
    const path = join(folder, 'tenant.bytes');
    const before = createReceived(path);
    const first = before.add(Buffer.from('kept over the restart'));
    before.close();
    const after = createReceived(path);
    const second = after.add(Buffer.from('new'));
    expect(after.read(first).toString()).toBe('kept over the restart');
    expect(after.read(second).toString()).toBe('new');
    after.close();
    expect((await stat(path)).size).toBe(first.sizeBytes + second.sizeBytes);
  });

  it('of a file that was cut off are an error, not zeros', () => {
    const received = createReceived();
    received.add(Buffer.from('short'));
    expect(() => received.read({ stretches: [{ start: 2, sizeBytes: 9 }], sizeBytes: 9 })).toThrow('shorter');
    received.close();
  });
});
