import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { ChartSeries } from './chart-data.ts';
import { SeriesLook } from './series-look.tsx';

const series: readonly ChartSeries[] = [
  { name: 'Successful', colour: 'success' },
  { name: 'Defective', colour: 'warning' },
  { name: 'Failed', colour: 'danger' },
  { name: 'Skipped', colour: 'neutral' },
];

test.each(['light', 'highContrast'] as const)(
  'in the %s theme each series has a pattern and a colour of its own, and is named',
  async (theme) => {
    const page = await renderPage(
      <SeriesLook id="runs" theme={theme} series={series}>
        {null}
      </SeriesLook>,
      { api: aSignedInApi() },
    );
    expect(screen.getAllByRole('listitem').map((entry) => entry.textContent)).toEqual(series.map(({ name }) => name));
    const patterns = [...document.querySelectorAll('pattern')];
    expect(new Set(patterns.map((pattern) => pattern.querySelector('g')?.innerHTML)).size).toBe(series.length);
    expect(new Set(patterns.map((pattern) => pattern.getAttribute('color'))).size).toBe(series.length);
    await page.checkAccessibility();
  },
);
