import { expect, test } from 'vitest';
import { addressOfWorker, workerProcess } from './worker-process.ts';

test('the address of a worker is read back from what names its process', () => {
  for (const address of ['127.0.0.1', '2001:db8::7', 'worker-1']) expect(addressOfWorker(workerProcess(address, 4711))).toBe(address);
});
