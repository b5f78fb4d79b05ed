import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDotDecoder } from './dot-decoder.ts';

/** Adds the dots of transparency as RFC 5321 has it: after CRLF alone. */
export function stuffed(message: Buffer): Buffer {
  const text = message.toString('latin1');
  return Buffer.from((text.startsWith('.') ? `.${text}` : text).replaceAll('\r\n.', '\r\n..'), 'latin1');
}

function decode(wire: Buffer, cuts: readonly number[]): { message: Buffer; rest: string } {
  const decoder = createDotDecoder();
  const pieces: Buffer[] = [];
  const places = [...new Set(cuts.map((cut) => cut % (wire.byteLength + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, wire.byteLength]) {
    const decoded = decoder.push(wire.subarray(from, to));
    pieces.push(...decoded.pieces);
    if (decoded.rest)
      return { message: Buffer.concat(pieces), rest: decoded.rest.toString('latin1') + wire.subarray(to).toString('latin1') };
    from = to;
  }
  throw new Error('The message has no end.');
}

/** Line ends, dots, NUL and 8-bit bytes in every order. */
const nasty = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '.', '..', '\r\n.', '\n.\n', '\n.\r\n', '\0', 'ä', 'x', '\r\r\n.'), { maxLength: 60 })
  .map((parts) => Buffer.from(`${parts.join('')}\r\n`, 'latin1'));

test('A2: any bytes come through DATA as they were, however the network cuts them, and what follows is left alone', () => {
  fc.assert(
    fc.property(nasty, fc.array(fc.nat(200), { maxLength: 8 }), (message, cuts) => {
      const wire = Buffer.concat([stuffed(message), Buffer.from('.\r\nQUIT\r\n')]);
      const { message: read, rest } = decode(wire, cuts);
      expect(read.equals(message)).toBe(true);
      expect(rest).toBe('QUIT\r\n');
    }),
    { numRuns: 2_000 },
  );
});

test('A2: a dot after a bare line feed is part of the message and cannot end it', () => {
  const message = Buffer.from('one\n.\ntwo\n..three\n.\r\nMAIL FROM:<smuggled@example>\r\n', 'latin1');
  expect(decode(Buffer.concat([stuffed(message), Buffer.from('.\r\n')]), []).message.toString('latin1')).toBe(message.toString('latin1'));
});
