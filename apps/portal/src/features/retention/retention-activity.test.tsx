import { screen } from '@testing-library/react';
import { retention } from '@holdfast/contract/retention';
import type { RetentionDeed } from '@holdfast/contract/retention';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import ScanMonitorPage from '../compliance/scan-monitor-page.tsx';

const place = { path: '/compliance/monitoring?tab=retention', pattern: '/compliance/monitoring/*' };

const activation: RetentionDeed = {
  deedId: sampleIds.run,
  kind: 'activation',
  state: 'refused',
  name: 'Contracts',
  about: 'files',
  startedAt: '2026-11-03T09:00:00.000Z',
  endedAt: '2026-11-03T10:00:00.000Z',
  startedBy: 'ann@contoso.example',
  decidedBy: 'ben@contoso.example',
  messages: 4_210,
  bytes: 1_024,
};
const event: RetentionDeed = {
  ...activation,
  deedId: sampleIds.job,
  kind: 'event',
  state: 'done',
  name: 'Projects',
  decidedBy: null,
  messages: null,
  bytes: null,
};

test('the monitor says what was done with policies, what was counted, and who asked and decided', async () => {
  const api = aSignedInApi().on(retention.deeds, { items: [activation, event], total: 2, nextCursor: null });
  const page = await renderPage(<ScanMonitorPage />, { ...place, api });
  const row = await screen.findByRole('row', { name: /Contracts/ });
  for (const words of ['Activation', 'Refused', '4,210 file versions', 'ann@contoso.example', 'ben@contoso.example'])
    expect(row.textContent).toContain(words);
  expect(screen.getByRole('row', { name: /Projects/ }).textContent).toMatch(/Event.*Done/);
  expect(screen.getByText(/deletion runs and clean-ups skip what a policy keeps/)).toBeTruthy();
  await page.checkAccessibility();
});

test('without any activity the monitor says so', async () => {
  const api = aSignedInApi().on(retention.deeds, { items: [], total: 0, nextCursor: null });
  await renderPage(<ScanMonitorPage />, { ...place, api, language: 'de' });
  expect(await screen.findByText('Es gibt noch keine Vorschau einer Richtlinie und kein Ereignis.')).toBeTruthy();
});
