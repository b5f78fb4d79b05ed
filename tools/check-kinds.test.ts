import { expect, test } from 'vitest';
import { checkKinds, filesThatNameKinds, overCeiling } from './check-kinds.ts';

const named = (path: string, text: string): boolean => filesThatNameKinds([{ path, text }]).length > 0;

test('a file that spells out a kind of job is found, in code, in a list and in SQL', () => {
  const path = 'apps/server/src/features/reporting/x.ts';
  expect(named(path, "if (body.type === 'restore') return;")).toBe(true);
  expect(named(path, "const types = ['backup', 'x'];")).toBe(true);
  expect(named(path, "where runs.type = 'backup'")).toBe(true);
  expect(named(path, "run.type in ('verify', 'other')")).toBe(true);
  expect(named(path, "return kind !== 'drill';")).toBe(true);
});

test("a kind's own rooms, tests and other things of the same name are left alone", () => {
  expect(named('packages/contract/src/jobs/kinds/drill.ts', "type: 'drill'")).toBe(false);
  expect(named('apps/server/src/features/restore/kind.ts', "type: 'restore'")).toBe(false);
  expect(named('apps/server/src/features/jobs/x.test.ts', "type: 'deletion'")).toBe(false);
  expect(named('apps/portal/src/app/routes.ts', "group: 'backup',")).toBe(false);
});

test('one file more than the ceiling is named, and one less asks to lower it', () => {
  expect(overCeiling(['a.ts', 'b.ts'], 2)).toBe('');
  expect(overCeiling(['a.ts', 'b.ts', 'c.ts'], 2)).toContain('c.ts');
  expect(overCeiling(['a.ts'], 2)).toContain('lower the ceiling');
});

test('no further file names a kind of job', async () => {
  expect(await checkKinds()).toBe('');
});
