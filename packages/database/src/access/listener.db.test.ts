import { silentLogger } from '@holdfast/foundation/logger';
import { expect, inject, test } from 'vitest';
import { openDatabase } from './database.ts';

test('closing at any moment of the first connection ends, and leaves nothing open', async () => {
  for (const delayMs of [0, 1, 2, 5, 10, 20]) {
    const database = openDatabase({ url: inject('postgresOwnerUrl'), logger: silentLogger });
    database.listen('anything', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await database.close();
  }
  expect(process.getActiveResourcesInfo()).not.toContain('TCPSocketWrap');
});
