import { expect, test } from 'vitest';
import { run } from './run.ts';
import { plant } from './testing/plant.ts';

/** Each fault in a file of its own, all planted at once: a rule is started once, not once a fault. */
const faults: Readonly<Record<string, string>> = {
  'no-explicit-any': 'export const wrong = (value: any): unknown => value;\n',
  'no-floating-promises': 'export function wrong(): void {\n  Promise.resolve(1);\n}\n',
  'no-process-env': "export const wrong = process.env['HOME'];\n",
  'no-restricted-properties': 'export const wrong = Date.now();\n',
  'no-restricted-globals': 'export const wrong = setTimeout(() => undefined, 1);\n',
  'no-console': "console.log('wrong');\n",
  'no-non-null-assertion': 'export const wrong = (value: string | undefined): string => value!;\n',
  'max-params': 'export const wrong = (a: 1, b: 2, c: 3, d: 4, e: 5): unknown => [a, b, c, d, e];\n',
  'max-lines': `// a line\n${Array.from({ length: 401 }, (_, index) => `export const line${index} = ${index};`).join('\n')}\n`,
  'switch-exhaustiveness-check':
    "export function wrong(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
};

interface Finding {
  readonly code: string;
  readonly filename: string;
}

test('lint catches each fault in its file, and lets clean code pass', async () => {
  const files = Object.fromEntries(Object.entries(faults).map(([rule, text]) => [`${rule}.ts`, text]));
  const folder = await plant('packages/foundation/src', { ...files, 'right.ts': 'export const right = 1;\n' });
  const done = await run('oxlint', ['--type-aware', '--deny-warnings', '--format=json', folder]);
  const { diagnostics } = JSON.parse(done.output) as { readonly diagnostics: readonly Finding[] };
  const found = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code]);
  expect([...found.keys()].toSorted()).toEqual(
    Object.keys(files)
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
  for (const rule of Object.keys(faults)) expect(found.get(`${folder}/${rule}.ts`)?.join(' ')).toContain(rule);
});

test('the format check names a file that is not formatted', async () => {
  const folder = await plant('packages/foundation/src', { 'wrong.ts': 'export const wrong   =  "double"\n' });
  const done = await run('oxfmt', ['--check', folder]);
  expect(done.code).not.toBe(0);
  expect(done.output).toContain('wrong.ts');
});

const doesNotCompile: Readonly<Record<string, string>> = {
  // An error code without a text.
  'error-text.ts':
    "import type { ErrorCode } from '@holdfast/contract/errors';\nexport const texts: Record<ErrorCode, string> = { internal: 'x' };\n",
  // A German text that is missing.
  'german-text.ts': [
    "import { de } from '@holdfast/phrases/de';",
    "import type { en } from '@holdfast/phrases/en';",
    "import type { SameKeys } from '@holdfast/phrases/shape';",
    'const { errors, ...rest } = de;',
    'export const incomplete: SameKeys<typeof en> = rest;',
    'export { errors };',
    '',
  ].join('\n'),
  // A route whose action is in no row of the role matrix.
  'undeclared-route.ts': [
    "import { defineRoute } from '@holdfast/contract/route';",
    "export const wrong = defineRoute({ method: 'GET', path: '/x', action: 'nobody.said', summary: 'x', response: 'empty' });",
    '',
  ].join('\n'),
};

test('an error code or a German text that is missing, and a route without a right, do not compile', async () => {
  const config = { extends: '../../tsconfig.json', include: ['./*.ts'], exclude: [] };
  const folder = await plant('tools', { ...doesNotCompile, 'tsconfig.json': JSON.stringify(config) });
  const { output } = await run('tsc', ['-p', folder]);
  expect(output).toMatch(/error-text\.ts.*TS27(39|40)/);
  expect(output).toMatch(/german-text\.ts.*TS2741/);
  expect(output).toMatch(/undeclared-route\.ts.*TS2322/);
  expect(output.match(/ TS\d{4}: /g)).toHaveLength(3);
});

test('dead code is named: a file that nobody imports, an export that nobody uses', async () => {
  const folder = await plant('packages/vault/src', {
    'used.ts': 'export const used = 1;\nexport const forgotten = 2;\n',
    'lonely.ts': "import { used } from './used.ts';\n\nexport const lonely = used;\n",
  });
  const unused = (await run('knip', ['--no-progress', '--workspace', 'packages/vault'])).output;
  expect(unused).toContain(`${folder}/lonely.ts`);
});
