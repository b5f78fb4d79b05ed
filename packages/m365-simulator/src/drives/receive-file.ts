import type { Failure } from '../http/failure.ts';
import { joined, NO_BYTES, PIECE_BYTES, type Received, type ReceivedBytes } from '../state/received.ts';
import { addRow, emptyRow, foldInto, type Row } from './quick-xor-hash.ts';

/** What has come in of a file so far: where it lies, and what it folds into. Plain data. */
export interface Intake {
  readonly bytes: ReceivedBytes;
  readonly row: Row;
}

export function emptyIntake(): Intake {
  return { bytes: NO_BYTES, row: emptyRow() };
}

/** An intake, and another one that was read as coming after it. */
export function extended(before: Intake, next: Intake): Intake {
  const row = before.row.slice();
  addRow(row, next.row);
  return { bytes: joined([before.bytes, next.bytes]), row };
}

export interface ReceiveOptions {
  readonly limitBytes: number;
  readonly tooLong: () => Failure;
  /** Where the first byte stands in the file. */
  readonly offset?: number;
}

/** Takes in a body as it comes; no more than a piece of it is held. One that is too long is read to its end and not kept. */
export async function receiveFile(received: Received, stream: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<Intake> {
  const row = emptyRow();
  const written: ReceivedBytes[] = [];
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let position = options.offset ?? 0;
  const end = position + options.limitBytes;
  let isTooLong = false;
  const write = (): void => {
    written.push(received.add(held.length === 1 && held[0] ? held[0] : Buffer.concat(held, heldBytes)));
    held = [];
    heldBytes = 0;
  };
  for await (const part of stream) {
    isTooLong ||= position + part.byteLength > end;
    // Leaving the loop early would end the connection, and the client would never read why.
    if (isTooLong) continue;
    foldInto(row, part, position);
    position += part.byteLength;
    held.push(part);
    heldBytes += part.byteLength;
    if (heldBytes >= PIECE_BYTES) write();
  }
  if (isTooLong) throw options.tooLong();
  write();
  return { bytes: joined(written), row };
}
