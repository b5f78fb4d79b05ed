import { testDatabase } from '@holdfast/database/testing/test-database';
import { test } from 'vitest';
import { proveApiFuzz } from '../testing/prove-api-fuzz.ts';

const testing = testDatabase(import.meta.url);

test('no input makes a 5xx, tells of the inside, or is answered otherwise than the document says', { timeout: 240_000 }, async () => {
  await proveApiFuzz(testing, { seed: 20_261_121, requests: 2_400 });
});
