import { search, wordsPageSize } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { WildcardWords } from './wildcard-words.tsx';

const tenantId = '01900000-0000-7000-8000-0000000000a1';

test('A31: the words of a wildcard are asked for when somebody wants them, counted, and listed to the last', async () => {
  const first = Array.from({ length: wordsPageSize }, (_, index) => `wort${String(index).padStart(3, '0')}`);
  const page = (words: readonly string[]) => ({ wildcards: [{ term: 'wort*', total: wordsPageSize + 1, words: [...words] }] });
  const api = aSignedInApi().on(search.words, page(first));
  const started = { query: 'offer subject:wort*', reason: 'A lost offer' };
  const { user, checkAccessibility } = await renderPage(<WildcardWords tenantId={tenantId} started={started} />, { api });
  expect(api.bodies).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show the words that * stands for' }));
  expect(await screen.findByRole('heading', { name: `wort* stands for ${wordsPageSize + 1} words` })).toBeTruthy();
  expect(api.bodies).toEqual([{ query: 'wort*', reason: 'A lost offer', after: '' }]);
  await checkAccessibility();
  api.on(search.words, page(['wort999']));
  await user.click(screen.getByRole('button', { name: 'Show more words' }));
  expect(await screen.findByText('wort999')).toBeTruthy();
  expect(screen.getByText('wort000')).toBeTruthy();
  expect(api.bodies.at(-1)).toEqual({ query: 'wort*', reason: 'A lost offer', after: first.at(-1) });
  expect(screen.queryByRole('button', { name: 'Show more words' })).toBeNull();
});

test('a search without a wildcard offers no words', async () => {
  await renderPage(<WildcardWords tenantId={tenantId} started={{ query: 'offer', reason: 'A lost offer' }} />);
  expect(screen.queryByRole('button', { name: /stands for/ })).toBeNull();
});
