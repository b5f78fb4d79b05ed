import type { Query } from '@holdfast/contract/query/tree';
import { searchFacetNames, type SearchFacets } from '@holdfast/contract/search';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { Facets } from './facets.tsx';

test('languages are called by their names, and a click narrows the search to one', async () => {
  const languages = [
    { value: 'de', label: 'de', hits: 2 },
    { value: 'en', label: 'en', hits: 1 },
  ];
  const facets = Object.fromEntries(searchFacetNames.map((name) => [name, { values: name === 'language' ? languages : [], others: 0 }]));
  const found = { total: 3, facets, places: { values: [], others: 0 } } as unknown as SearchFacets;
  const narrowed: Query[] = [];
  const { user } = await renderPage(<Facets found={found} onNarrow={(term) => narrowed.push(term)} />);
  await user.click(screen.getByRole('button', { name: 'German 2' }));
  expect(narrowed).toEqual([{ kind: 'value', field: 'language', value: 'de' }]);
});
