import type { Bytes } from '@holdfast/foundation/streams';
import { vaultError } from '../shared/errors.ts';
import type { ItemChange } from './journal.ts';

const LINE_LIMIT_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0;
}

/** Refuses a change that is no change, naming its field. */
export function checkChange(change: ItemChange): void {
  const refuse = (field: string): never => {
    throw vaultError('vault.bad-input', `A change has no valid ${field}.`, { field, itemId: change.itemId.slice(0, 200) });
  };
  if (!isText(change.itemId)) throw vaultError('vault.bad-input', 'A change has no valid itemId.', { field: 'itemId' });
  if (change.op === 'remove') return;
  if (change.op !== 'put') refuse('op');
  if (change.parentId !== null && !isText(change.parentId)) refuse('parentId');
  if (!isText(change.kind)) refuse('kind');
  if (typeof change.name !== 'string') refuse('name');
  for (const [role, content] of Object.entries(change.content)) {
    if (!/^[0-9a-f]{64}$/.test(content.sha256) || !Array.isArray(content.pieces)) refuse(`content.${role}`);
  }
}

/** JSON lines of a stream, parsed one by one; memory stays at one line. */
export async function* parseLines<Value>(source: Bytes | Iterable<Uint8Array>): AsyncGenerator<Value, void, undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const part of source) {
    const data = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      const piece = data.subarray(start, end);
      const line = heldBytes === 0 ? piece : Buffer.concat([...held, piece]);
      held = [];
      heldBytes = 0;
      start = end + 1;
      yield JSON.parse(line.toString('utf8')) as Value;
    }
    if (start < data.byteLength) {
      held.push(data.subarray(start));
      heldBytes += data.byteLength - start;
    }
    if (heldBytes > LINE_LIMIT_BYTES) throw vaultError('vault.damaged', 'A line of the journal has no end.');
  }
  if (heldBytes > 0) yield JSON.parse(Buffer.concat(held).toString('utf8')) as Value;
}

export function toLine(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
