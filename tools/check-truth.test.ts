import { expect, test } from 'vitest';
import { wrongRows } from './check-truth.ts';

test('a test or a probe that does not exist, a row without a source and a probe that no row names are told', async () => {
  const row = (probe: string, title: string, source = '(unverified)'): string =>
    `| it does so | ${source} | the same | ${probe} | ${title} | a.test.ts |`;
  const head = '| behaviour | known from | simulator | probe | test | file |\n| --- | --- | --- | --- | --- | --- |';
  const page = [head, row('`one`', 'is so'), row('`three`', 'is so'), row('–', 'is gone'), row('–', 'is so', '')].join('\n');
  const found = await wrongRows(page, new Set(['one', 'two']), async (path) => (path === 'a.test.ts' ? "it('is so')" : ''));
  expect(found).toEqual([
    'docs/graph-truth.md: there is no probe called three.',
    'docs/graph-truth.md: a.test.ts has no test "is gone".',
    'docs/graph-truth.md: nothing says where "it does so" is known from.',
    'docs/graph-truth.md: no row names the probe two.',
  ]);
});
