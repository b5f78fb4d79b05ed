import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '@holdfast/foundation/errors';
import { SendFailure } from './send-failure.ts';
import { lineOf, type OutgoingEvent, type Transport } from './transport.ts';

const NEWLINE = 0x0a;
/** More than the longest line that a process may have left unfinished. */
const TAIL_BYTES = 1_048_576;

/** The end of the last whole line: what follows was left by a process that ended while it wrote, and is written again. */
async function endOfLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  return from + buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
}

async function append(name: string, lines: string): Promise<void> {
  const file = await open(name, 'a+', 0o640);
  try {
    await file.truncate(await endOfLines(file));
    await file.writeFile(lines);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Appends events to one file a day, by the day on which they happened. Whoever reads the files removes them. */
export function createFileTransport(folder: string): Transport {
  return {
    async send(events) {
      const days = Map.groupBy(events, (event: OutgoingEvent) => event.at.slice(0, 10));
      try {
        await mkdir(folder, { recursive: true, mode: 0o750 });
        for (const [day, own] of days)
          await append(path.join(folder, `audit-${day}.jsonl`), own.map((event) => `${lineOf(event)}\n`).join(''));
      } catch (error) {
        throw new SendFailure('notWritten', systemCode(error) ?? '', error);
      }
    },
  };
}
