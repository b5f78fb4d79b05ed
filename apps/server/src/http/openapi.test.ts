import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openapiText } from '../../../../tools/openapi.ts';
import { everyRoute, routeGroups } from './every-route.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test('the document in the repository is what the contract says', () => {
  const file = `${root}/docs/api/openapi.json`;
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8') === openapiText(), 'run npm run openapi').toBe(true);
});

function isRouteGroup(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.values(value);
  return (
    entries.length > 0 && entries.every((entry) => typeof entry === 'object' && entry !== null && 'action' in entry && 'method' in entry)
  );
}

test('no group of routes of the contract is left out', async () => {
  const known = new Set<unknown>(Object.values(routeGroups).flat());
  const files = globSync(`${root}/packages/contract/src/**/*.ts`).filter((name) => !/\.test\.ts$|testing/.test(name));
  const forgotten: string[] = [];
  for (const name of files) {
    const module = (await import(pathToFileURL(name).href)) as Record<string, unknown>;
    for (const [exported, value] of Object.entries(module)) {
      if (isRouteGroup(value) && !known.has(value)) forgotten.push(`${name}: ${exported}`);
    }
  }
  expect(forgotten).toEqual([]);
});

test('no two routes share a method and a path', () => {
  const places = everyRoute().map(({ path, route }) => `${route.method} ${path}`);
  expect(places.length).toBe(new Set(places).size);
});

test('every route names its parameters in its schema', () => {
  const unnamed = everyRoute().filter(({ path, route }) => /:\w+/.test(path) && !route.params);
  expect(unnamed.map(({ path }) => path)).toEqual([]);
});
