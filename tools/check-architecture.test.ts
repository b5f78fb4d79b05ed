import { expect, test } from 'vitest';
import { cruiseFolders, sharedNumbers } from './check-architecture.ts';
import { plant } from './testing/plant.ts';

/** The rules that object to the files when they lie below `below`. */
async function broken(below: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const result = await cruiseFolders([await plant(below, files)]);
  return [...new Set(result.summary.violations.map((violation) => violation.rule.name))];
}

test('a package that imports against the arrows is caught', async () => {
  const rules = await broken('packages/vault/src', {
    'wrong.ts': "import { defineRoute } from '@holdfast/contract/route';\nexport const wrong = defineRoute;\n",
  });
  expect(rules).toContain('vault-depends-only-on-foundation');
});

test('two files that import each other are caught, even when only types cross', async () => {
  const rules = await broken('packages/foundation/src', {
    'a.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
    'b.ts': "import type { A } from './a.ts';\nexport interface B { a: A }\n",
  });
  expect(rules).toContain('no-cycles');
});

test('a service that speaks SQL is caught', async () => {
  const rules = await broken('apps/server/src/features', {
    'wrong.service.ts': "import { sql } from 'kysely';\nexport const wrong = sql;\n",
  });
  expect(rules).toContain('only-stores-speak-sql');
});

test('production code that imports the simulator is caught', async () => {
  const rules = await broken('apps/server/src', {
    'wrong.ts': "import * as simulator from '@holdfast/m365-simulator';\nexport default simulator;\n",
  });
  expect(rules).toContain('simulator-stays-out-of-production');
});

test('a library outside the file that owns it is caught', async () => {
  const rules = await broken('apps/portal/src/features', {
    'wrong.ts': "import { toast } from 'react-toastify';\nexport const wrong = toast;\n",
  });
  expect(rules).toContain('only-the-toast-uses-react-toastify');
});

test('code that keeps to the arrows passes', async () => {
  const rules = await broken('packages/vault/src', {
    'right.ts': "import { sha256 } from '@holdfast/foundation/bytes';\nexport const right = sha256;\n",
  });
  expect(rules).toEqual([]);
});

test('two migrations with one number are caught', () => {
  expect(sharedNumbers(['0001-ground.sql', '0002-a.sql', '0002-b.sql'])).toEqual(['Migration 0002 is there twice: 0002-a.sql, 0002-b.sql']);
});
