import { expect, test } from 'vitest';
import { run } from './run.ts';
import { plant } from './testing/plant.ts';

async function lint(text: string, name = 'wrong.ts'): Promise<string> {
  const folder = await plant('packages/foundation/src', { [name]: text });
  return (await run('oxlint', ['--type-aware', '--deny-warnings', folder])).output;
}

test.each([
  ['no-explicit-any', 'export const wrong = (value: any): unknown => value;\n'],
  ['no-floating-promises', 'export function wrong(): void {\n  Promise.resolve(1);\n}\n'],
  ['no-process-env', "export const wrong = process.env['HOME'];\n"],
  ['no-restricted-properties', 'export const wrong = Date.now();\n'],
  ['no-restricted-globals', 'export const wrong = setTimeout(() => undefined, 1);\n'],
  ['no-console', "console.log('wrong');\n"],
  ['no-non-null-assertion', 'export const wrong = (value: string | undefined): string => value!;\n'],
  ['max-params', 'export const wrong = (a: 1, b: 2, c: 3, d: 4, e: 5): unknown => [a, b, c, d, e];\n'],
  [
    'max-lines',
    `${'// a line\n'.repeat(1)}${Array.from({ length: 401 }, (_, index) => `export const line${index} = ${index};`).join('\n')}\n`,
  ],
  [
    'switch-exhaustiveness-check',
    "export function wrong(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
  ],
])('lint catches %s', async (rule, text) => {
  expect(await lint(text)).toContain(rule);
});

test('lint lets clean code pass', async () => {
  expect(await lint('export const right = 1;\n', 'right.ts')).toContain('0 errors');
});

test('the format check names a file that is not formatted', async () => {
  const folder = await plant('packages/foundation/src', { 'wrong.ts': 'export const wrong   =  "double"\n' });
  const done = await run('oxfmt', ['--check', folder]);
  expect(done.code).not.toBe(0);
  expect(done.output).toContain('wrong.ts');
});

async function types(text: string): Promise<string> {
  const config = { extends: '../../tsconfig.json', include: ['./*.ts'], exclude: [] };
  const folder = await plant('tools', { 'wrong.ts': text, 'tsconfig.json': JSON.stringify(config) });
  return (await run('tsc', ['-p', folder])).output;
}

test('an error code without a text does not compile', async () => {
  const text =
    "import type { ErrorCode } from '@holdfast/contract/errors';\nexport const texts: Record<ErrorCode, string> = { internal: 'x' };\n";
  expect(await types(text)).toMatch(/TS27(39|40)/);
});

test('a German text that is missing does not compile', async () => {
  const text = [
    "import { de } from '@holdfast/phrases/de';",
    "import type { en } from '@holdfast/phrases/en';",
    "import type { SameKeys } from '@holdfast/phrases/shape';",
    'const { errors, ...rest } = de;',
    'export const incomplete: SameKeys<typeof en> = rest;',
    'export { errors };',
    '',
  ].join('\n');
  expect(await types(text)).toContain('TS2741');
});

test('a route whose action is in no row of the role matrix does not compile', async () => {
  const text = [
    "import { defineRoute } from '@holdfast/contract/route';",
    "export const wrong = defineRoute({ method: 'GET', path: '/x', action: 'nobody.said', summary: 'x', response: 'empty' });",
    '',
  ].join('\n');
  expect(await types(text)).toContain('TS2322');
});

test('dead code is named: a file that nobody imports, an export that nobody uses', async () => {
  const folder = await plant('packages/vault/src', {
    'used.ts': 'export const used = 1;\nexport const forgotten = 2;\n',
    'lonely.ts': "import { used } from './used.ts';\n\nexport const lonely = used;\n",
  });
  const unused = (await run('knip', ['--no-progress', '--workspace', 'packages/vault'])).output;
  expect(unused).toContain(`${folder}/lonely.ts`);
});
