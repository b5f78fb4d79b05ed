import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';

test('toasts lie in the body, above every dialog, and wear the theme of the portal there', async () => {
  await renderPage(<p>A page</p>);
  const region = await waitFor(() => {
    const found = document.body.querySelector(':scope > [data-tabster-never-hide]');
    if (found === null) throw new Error('There is no place for toasts yet.');
    return found;
  });
  const provider = document.querySelector('.fui-FluentProvider');
  const theme = [...(provider?.classList ?? [])].filter((name) => /^fui-FluentProvider.+/.test(name));
  expect(theme).toHaveLength(1);
  expect([...region.classList]).toEqual(expect.arrayContaining(theme));
});
