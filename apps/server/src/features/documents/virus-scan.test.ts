import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, onTestFinished, test } from 'vitest';
import { startClamd, type Clamd, type ClamdOptions } from './testing/clamd.ts';
import { createVirusScan } from './virus-scan.ts';

async function aClamd(options: ClamdOptions = {}): Promise<Clamd> {
  const clamd = await startClamd(options);
  onTestFinished(() => clamd.close());
  return clamd;
}

const scanAt = (address: string, clock = systemClock) => createVirusScan({ address, clock, logger: silentLogger });
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, 'x');

test('a clean file of several pieces is taken, byte for byte as it was sent', async () => {
  const clamd = await aClamd();
  await scanAt(clamd.address)(megabytes(3));
  await scanAt(clamd.address)(Buffer.from('%PDF-'));
  expect(clamd.scanned).toEqual([3 * 1024 * 1024, 5]);
});

test('a file with malware across two pieces is refused, and names its field', async () => {
  const { address } = await aClamd();
  const bytes = megabytes(1);
  bytes.write('EICAR', 65_536 - 2);
  await expect(scanAt(address)(bytes)).rejects.toMatchObject({ code: 'documents.infected', details: { field: 'file' } });
});

test('a scanner is reached by the path of a socket too', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-clamd-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clamd = await aClamd({ path: path.join(folder, 'clamd.ctl') });
  await scanAt(clamd.address)(Buffer.from('clean'));
  await expect(scanAt(clamd.address)(Buffer.from('an EICAR in it'))).rejects.toMatchObject({ code: 'documents.infected' });
  expect(clamd.scanned).toHaveLength(2);
});

test.each([
  ['finds the file too long', { mostBytes: 100_000 }],
  ['has not read its signatures', { always: 'stream: Database not loaded ERROR' }],
  ['answers with what is no answer', { always: 'HTTP/1.1 400 Bad Request' }],
  ['answers without an end', { always: 'x'.repeat(100_000) }],
  ['says only half of what is an answer', { always: 'stream: OKAY' }],
])('a file is not taken when the scanner %s', async (_why, options) => {
  const { address } = await aClamd(options);
  await expect(scanAt(address)(megabytes(1))).rejects.toMatchObject({ code: 'documents.not-scanned' });
});

test('a file is not taken when there is no scanner, or when it closes without a word', async () => {
  const clamd = await startClamd({ always: null });
  const [refused] = await Promise.allSettled([scanAt(clamd.address)(Buffer.from('clean')), clamd.hangUp()]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'documents.not-scanned' } });
  await clamd.close();
  await expect(scanAt(clamd.address)(Buffer.from('clean'))).rejects.toMatchObject({ code: 'documents.not-scanned' });
});

test('a file is not taken when the scanner says nothing for half a minute', async () => {
  const { address } = await aClamd({ always: null });
  const clock = createFakeClock(0);
  const [refused] = await Promise.allSettled([scanAt(address, clock)(Buffer.from('clean')), clock.advance(30_000)]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'documents.not-scanned' } });
});
