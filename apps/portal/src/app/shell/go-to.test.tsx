import { act, screen } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../../testing/render-page.tsx';
import { aJob, aLocation, aSource, onePage, sampleIds } from '../../testing/samples.ts';
import { GoTo } from './go-to.tsx';

async function openGoTo(options: Partial<RenderOptions> = {}): Promise<RenderedPage & { readonly api: ReturnType<typeof aSignedInApi> }> {
  const api = aSignedInApi()
    .on(jobs.list, onePage([aJob({ name: 'Adele every night' })]))
    .on(locations.list, { items: [aLocation()] })
    .on(discovery.sources, onePage([aSource({ name: 'Adele Vance', address: 'adele@contoso.example' })]));
  const page = await renderPage(<GoTo onClose={() => undefined} />, { api, ...options });
  return { ...page, api };
}

/** Types, and lets the pause pass after which the server is asked. */
async function search({ user, clock }: RenderedPage, typed: string): Promise<void> {
  await user.type(await screen.findByRole('combobox'), typed);
  act(() => clock.advance(400));
}

test('a page, a job and a mailbox are found by a few letters, and Enter opens the chosen one', async () => {
  const page = await openGoTo();
  await search(page, 'adele');
  expect(await screen.findByRole('option', { name: /Adele every night\s*Job/ })).toBeTruthy();
  expect(await screen.findByRole('option', { name: /Adele Vance \(adele@contoso.example\)\s*Mailbox/ })).toBeTruthy();
  await page.checkAccessibility();
  await page.user.keyboard('{ArrowDown}{Enter}');
  expect(page.address()).toBe(`/backup-and-restore/restore?location=${sampleIds.location}&source=${aSource().sourceId}`);
});

test('the server is asked once for what was typed in one go, and never for a single letter', async () => {
  const page = await openGoTo();
  const asked = (): string[] => page.api.calls.filter((call) => /search=/.test(call));
  await search(page, 'a');
  expect(asked()).toEqual([]);
  await search(page, 'dele');
  await screen.findByRole('option', { name: /Adele Vance/ });
  expect(asked().every((call) => call.includes('search=adele'))).toBe(true);
  expect(asked()).toHaveLength(2);
});

test('who may not look into content finds no mailboxes', async () => {
  const page = await openGoTo({ role: 'reader' });
  await search(page, 'adele');
  await screen.findByRole('option', { name: /Adele every night/ });
  expect(screen.queryByRole('option', { name: /Adele Vance/ })).toBeNull();
});

test('nothing found is said', async () => {
  const page = await openGoTo({ api: aSignedInApi().on(jobs.list, onePage([])).on(locations.list, { items: [] }) });
  await search(page, 'nothing like this');
  expect(await screen.findByText('Nothing matches.')).toBeTruthy();
});

test('a page comes before those that only belong to a group of its name', async () => {
  const page = await openGoTo({ api: aSignedInApi().on(jobs.list, onePage([])).on(locations.list, { items: [] }) });
  await search(page, 'restore');
  const names = (await screen.findAllByRole('option')).map((option) => option.textContent);
  expect(names[0]).toBe('RestorePage');
  expect(names.length).toBeGreaterThan(0);
});
