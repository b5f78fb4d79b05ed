import { savedSearches } from '@holdfast/contract/saved-searches';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import SearchPage from './search-page.tsx';

/** What helps to write a query. */
const place = { path: '/search', pattern: '/search' };
const api = aSignedInApi().on(savedSearches.list, { items: [] });

test('what is begun in the box is completed, by a field and by its values', async () => {
  const { user } = await renderPage(<SearchPage />, { ...place, api });
  const box = await screen.findByLabelText<HTMLInputElement>('Search everything');
  await user.type(box, 'offer kin');
  await user.click(await screen.findByRole('button', { name: 'kind:' }));
  expect(box.value).toBe('offer kind:');
  expect(document.activeElement).toBe(box);
  await user.click(await screen.findByRole('button', { name: 'docs' }));
  expect(box.value).toBe('offer kind:docs ');
  expect(screen.queryByRole('group', { name: 'Suggestions' })).toBeNull();
});

test('the query is edited as conditions, which are in the box as they are changed, and come from it', async () => {
  const { user } = await renderPage(<SearchPage />, { ...place, api });
  const box = await screen.findByLabelText<HTMLInputElement>('Search everything');
  await user.type(box, 'offer NOT from:anna');
  await user.click(screen.getByRole('button', { name: 'Edit as conditions' }));
  const second = within(await screen.findByRole('group', { name: 'Condition 2' }));
  expect(second.getByRole('checkbox', { name: 'Not', checked: true })).toBeTruthy();
  expect(second.getByRole<HTMLInputElement>('textbox', { name: 'Value' }).value).toBe('anna');
  await user.click(second.getByRole('checkbox', { name: 'Not' }));
  expect(box.value).toBe('offer AND from:anna');
  // A row without a value is there, and not yet part of the query.
  await user.click(screen.getByRole('button', { name: 'Add condition' }));
  expect(box.value).toBe('offer AND from:anna');
  const third = within(screen.getByRole('group', { name: 'Condition 3' }));
  await user.selectOptions(third.getByRole('combobox', { name: 'Field' }), 'kind');
  expect(box.value).toBe('offer AND from:anna AND kind:email');
  await user.selectOptions(third.getByRole('combobox', { name: 'Value' }), 'docs');
  await user.click(screen.getByRole('button', { name: 'Remove condition 1' }));
  expect(box.value).toBe('from:anna AND kind:docs');
  await user.clear(box);
  await user.type(box, '(a OR b) "open');
  expect(screen.getByText('The query has a mistake. Correct it to edit its conditions.')).toBeTruthy();
});
