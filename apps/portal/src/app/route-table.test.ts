import { expect, test } from 'vitest';
import { pageRoutes } from './routes.ts';

test('no address is routed twice', () => {
  const paths = pageRoutes.map((route) => route.path);
  expect(new Set(paths).size).toBe(paths.length);
});
