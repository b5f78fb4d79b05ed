import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { routesOfCalls } from '../packages/m365/testing/route-of.ts';
import { productCalls } from './product-calls.ts';

test('the list of requests that the product sends is what its code calls (node tools/graph-coverage.ts writes it)', async () => {
  const calls = productCalls();
  expect(calls.size).toBeGreaterThan(100);
  const listed = JSON.parse(await readFile(new URL('../packages/m365/data/product-routes.json', import.meta.url), 'utf8')) as unknown;
  expect(await routesOfCalls(calls)).toEqual(listed);
}, 300_000);
