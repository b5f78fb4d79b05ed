import { systemClock } from '@holdfast/foundation/clock';
import { expect, it, onTestFinished } from 'vitest';
import { createScanReader, type ScanReader, type ScanReaderOptions } from './create-scan-reader.ts';

function aReader(options: Partial<ScanReaderOptions> = {}): ScanReader {
  const reader = createScanReader({ clock: systemClock, mostMs: 240_000, ...options });
  onTestFinished(() => reader.close());
  return reader;
}

/** A white picture of one pixel. */
const white = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64');

it('a picture without words has none, and what is no picture is said to be unreadable', async () => {
  const reader = aReader();
  expect(await reader.read(white)).toEqual({ text: '' });
  expect(await reader.read(Buffer.from('no picture'))).toEqual({ problem: 'unreadable' });
  expect(await reader.read(white)).toEqual({ text: '' });
});

it('a picture that takes too long ends its process alone', async () => {
  expect(await aReader({ mostMs: 1 }).read(white)).toEqual({ problem: 'too-slow' });
});

it('a process that takes more memory than it may is ended, also outside of its heap', async () => {
  expect(await aReader({ mostMb: 90 }).read(white)).toEqual({ problem: 'too-much-memory' });
});
