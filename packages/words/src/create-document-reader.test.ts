import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, expect, it } from 'vitest';
import { createDocumentReader } from './create-document-reader.ts';

const reader = createDocumentReader({ clock: systemClock });
afterAll(() => reader.close());

/** Groups that are never closed: reading them takes a while. */
function slowDocument(): Buffer {
  return Buffer.from(`{\\rtf1${'{'.repeat(2_000_000)}${'\\u1'.repeat(2_000_000)}`);
}

it('a document is read in another process, and the next one by the same', async () => {
  const first = await reader.read({ name: 'a.txt', bytes: Buffer.from('eins') });
  const second = await reader.read({ name: 'b.txt', bytes: Buffer.from('zwei') });
  expect([first, second].map(([part]) => part?.text)).toEqual(['eins', 'zwei']);
});

it('a document that takes too long fails alone: its process is ended, and the next is read', async () => {
  const hasty = createDocumentReader({ clock: systemClock, mostMs: 1 });
  try {
    const [slow] = await hasty.read({ name: 'slow.rtf', bytes: slowDocument() });
    expect(slow).toMatchObject({ path: ['slow.rtf'], state: 'failed', reason: 'reading it took too long' });
  } finally {
    await hasty.close();
  }
  expect((await reader.read({ name: 'c.txt', bytes: Buffer.from('drei') }))[0]?.text).toBe('drei');
});
