import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { now } from '../testing/samples.ts';
import { Moment } from './moment.tsx';

test.each([
  [-180_000, '3 minutes ago'],
  [-7_000, '7 seconds ago'],
  [7_000, 'now'],
  [30_000, 'now'],
  [10_800_000, 'in 3 hours'],
])('what is %i ms from when the page last looked at the clock is "%s"', async (ms, words) => {
  await renderPage(<Moment at={new Date(Date.parse(now) + ms).toISOString()} />);
  expect((await screen.findByRole('time')).textContent).toBe(words);
});
