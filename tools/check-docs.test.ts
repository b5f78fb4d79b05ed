import { expect, test } from 'vitest';
import { brokenLinks } from './check-docs.ts';

test('a link to a page that does not exist is named with its page', async () => {
  const found = await brokenLinks(
    'docs/a.md',
    'See [b](b.md), [c](../C.md#top) and [web](https://example.com).',
    async (path) => path === 'C.md',
  );
  expect(found).toEqual(['docs/a.md: the link to b.md leads nowhere.']);
});
