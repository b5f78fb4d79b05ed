import { toastDefaultLimit } from '@holdfast/contract/limits';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { toasts } from './toast.ts';

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

test('a toast appears at the top right, closes after five seconds, waits under the pointer, and Alt+T leads to it', async () => {
  const page = await renderPage(<p>A page</p>);
  toasts.show('success', 'The job was saved.');
  const text = await screen.findByText('The job was saved.');
  const toast = text.closest<HTMLElement>('.Toastify__toast');
  const bar = toast?.querySelector<HTMLElement>('.Toastify__progress-bar--animated');
  expect(text.closest('.Toastify__toast-container--top-right')).not.toBeNull();
  expect(bar?.style.animationDuration).toBe('5000ms');
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => expect(bar?.style.animationPlayState).toBe('running'));
  await page.user.hover(text);
  expect(bar?.style.animationPlayState).toBe('paused');
  await page.user.unhover(text);
  expect(bar?.style.animationPlayState).toBe('running');
  window.dispatchEvent(new Event('blur'));
  await waitFor(() => expect(bar?.style.animationPlayState).toBe('paused'));
  await page.user.keyboard('{Alt>}{t}{/Alt}');
  expect(document.activeElement?.contains(text)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

test('no more toasts than the limit are shown at once; the others wait', async () => {
  await renderPage(<p>A page</p>);
  for (let count = 1; count <= toastDefaultLimit + 2; count += 1) toasts.show('info', `Message ${count}`);
  await screen.findByText(`Message ${toastDefaultLimit}`);
  expect(screen.queryByText(`Message ${toastDefaultLimit + 1}`)).toBeNull();
  expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(toastDefaultLimit);
});
