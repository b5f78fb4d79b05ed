import { testDatabase } from '@holdfast/database/testing/test-database';
import { test } from 'vitest';
import { proveApiFuzz } from '../testing/prove-api-fuzz.ts';

const testing = testDatabase(import.meta.url);

test('twenty thousand inputs make no 5xx, tell nothing of the inside, and are answered as the document says', async () => {
  await proveApiFuzz(testing, { seed: 4_711, requests: 20_000 });
});
