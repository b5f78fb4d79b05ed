import { narrowed } from '@holdfast/contract/query/narrow';
import type { SearchFacets } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { PlacesTree } from './places-tree.tsx';

const folders = { values: [{ value: 'offers', label: 'Offers', hits: 1_204 }], others: 3 };
const anna = { value: 'anna@contoso.example', label: 'Anna Schmidt', hits: 1_300, folders };
const ben = { value: 'ben@contoso.example', label: 'Ben Walters', hits: 1, folders: { values: [], others: 0 } };

async function shown(places: SearchFacets['places']) {
  const queries: (string | undefined)[] = [];
  const page = await renderPage(<PlacesTree places={places} onNarrow={(term) => queries.push(narrowed('offer', term))} />);
  return { page, queries };
}

test('people are opened and folders chosen by keyboard, and a folder narrows the search to it', async () => {
  const { page, queries } = await shown({ values: [anna, ben], others: 4 });
  expect(screen.queryByText('Offers')).toBeNull();
  screen.getByRole('treeitem', { name: /Anna Schmidt/ }).focus();
  await page.user.keyboard('{ArrowRight}{ArrowRight}{ArrowDown}');
  const offers = screen.getByRole('treeitem', { name: /^Offers/ });
  expect(document.activeElement).toBe(offers);
  expect(offers.textContent).toContain('1,204');
  await page.user.keyboard('{Enter}');
  expect(queries).toEqual(['offer AND mailbox=anna@contoso.example AND folder=offers']);
  expect(screen.getByText(/3 more/)).toBeTruthy();
  expect(screen.getByText(/4 more/)).toBeTruthy();
  await page.checkAccessibility();
});

test('everything of a person is chosen as well, and a single person is open from the beginning', async () => {
  const { page, queries } = await shown({ values: [anna], others: 0 });
  await page.user.click(screen.getByText('All folders'));
  expect(queries).toEqual(['offer AND mailbox=anna@contoso.example']);
});
