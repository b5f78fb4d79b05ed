import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { Shell } from '../shell/shell.tsx';

test('the way to stay signed in is the first thing that a key reaches, and Enter on it is enough', async () => {
  const page = await renderPage(<Shell>a page</Shell>);
  await screen.findByText('a page');
  act(() => page.clock.advance(869_000));
  expect(screen.queryByRole('timer')).toBeNull();
  act(() => page.clock.advance(1_000));
  expect((await screen.findByRole('timer')).textContent).toBe('You will be logged off in 30 seconds.');
  await screen.findByText(/^You have been inactive for 14 minutes and 30 seconds/);
  act(() => page.clock.advance(10_000));
  expect(screen.getByRole('timer').textContent).toBe('You will be logged off in 20 seconds.');
  await page.user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay signed in' }));
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull());
  act(() => page.clock.advance(869_000));
  expect(screen.queryByRole('timer')).toBeNull();
});
