import { silentLogger } from '@holdfast/foundation/logger';
import { expect, inject, test } from 'vitest';
import { openDatabase } from './database.ts';

/** Sockets of this process; those of an earlier file may still be closing. */
const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('closing at any moment of the first connection ends, and leaves nothing open', async () => {
  const before = sockets();
  for (const delayMs of [0, 1, 2, 5, 10, 20]) {
    const database = openDatabase({ url: inject('postgresOwnerUrl'), logger: silentLogger });
    database.listen('anything', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await database.close();
  }
  expect(sockets()).toBeLessThanOrEqual(before);
});
