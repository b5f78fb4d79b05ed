import { expect, test } from 'vitest';
import { brokenLinks, missingNames, unprovenPromises, untitledRows } from './check-docs.ts';

test('a link to a page that does not exist is named with its page', async () => {
  const found = await brokenLinks(
    'docs/a.md',
    'See [b](b.md), [c](../C.md#top) and [web](https://example.com).',
    async (path) => path === 'C.md',
  );
  expect(found).toEqual(['docs/a.md: the link to b.md leads nowhere.']);
});

test('a file that a page names and that is not there is found, and so is a test that its file does not have', async () => {
  const files: Readonly<Record<string, string>> = { 'a/b.ts': '', 'a/b.test.ts': "test('it holds', () => {})" };
  const text = '| `a/b.ts` | `a/b.test.ts` “it holds” | `a/gone.ts` | `a/b.test.ts` “it flies” | `noPath` |';
  expect(await missingNames('docs/x.md', text, async (path) => files[path])).toEqual([
    'docs/x.md: there is no a/gone.ts.',
    'docs/x.md: a/b.test.ts has no test “it flies”.',
  ]);
});

test('a row without the title of a test is found, unless it says that nothing is built', () => {
  const rows = [
    'sentence | done in | held by',
    'One | `a.ts` | `a.test.ts` “it holds”',
    'Two | `b.ts` | `b.test.ts`',
    'Three | not built yet | –',
  ];
  expect(untitledRows('docs/x.md', rows.map((row) => `| ${row} |`).join('\n'))).toEqual(['docs/x.md: “Two” names no test by its title.']);
});

test('a promise that names no test is found, and so is a test that is not there or could be one of two', () => {
  const files = ['a/kept.db.test.ts', 'bench/fast.ts', 'a/twice.test.ts', 'b/twice.test.ts'];
  const promises = [
    '- **Kept.** It holds (`kept.db.test.ts`).',
    '- **Fast.** It holds and\n  is fast (`bench/fast.ts`, measured).',
    '- **Open.** It holds (`kept.db.test.ts`). It\n  flies as well.',
    '- **Gone.** It holds (`gone.test.ts`). It swims (`twice.test.ts`).',
  ];
  expect(unprovenPromises('S.md', `# Safe\n\n${promises.join('\n')}\n\n## Keys\n\nKeep them.\n`, files)).toEqual([
    'S.md: gone.test.ts names 0 files.',
    'S.md: twice.test.ts names 2 files.',
    'S.md: “It flies as well.” names no test.',
  ]);
});
