import { screen, within } from '@testing-library/react';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import { people } from '@holdfast/contract/people';
import type { Protectable, ProtectableDetails } from '@holdfast/contract/people';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, onePage, sampleIds } from '../../testing/samples.ts';
import PeoplePage from './people-page.tsx';

const newest = '2026-11-20T21:12:00.000Z';

function anEntry(given: Partial<Protectable> = {}): Protectable {
  const part = { graphId: 'adele', reason: null, newestPointAt: newest, items: 12, bytes: 2_048 };
  return {
    resourceId: sampleIds.source,
    kind: 'person',
    name: 'Adele Vance',
    address: 'adele@contoso.example',
    state: 'partly',
    parts: [
      { ...part, resourceId: sampleIds.source, kind: 'mailbox', workload: 'exchange', state: 'protected' },
      {
        ...part,
        resourceId: sampleIds.job,
        kind: 'drive',
        workload: 'onedrive',
        state: 'unprotected',
        reason: 'coverage.newcomer',
        newestPointAt: null,
        items: 0,
        bytes: 0,
      },
    ],
    newestPointAt: newest,
    items: 12,
    bytes: 2_048,
    deletedAt: null,
    isHeld: false,
    ...given,
  };
}

function someDetails(given: Partial<ProtectableDetails> = {}): ProtectableDetails {
  const figures = { points: 3, items: 12, bytes: 2_048, oldestPointAt: newest, newestPointAt: newest };
  return {
    entry: anEntry(),
    places: [{ ...figures, resourceId: sampleIds.source, sourceId: sampleIds.run, locationId: sampleIds.location, locationName: 'Main' }],
    days: [
      { date: '2026-11-19', state: 'none', added: 0, changed: 0, removed: 0 },
      { date: '2026-11-20', state: 'safe', added: 7, changed: 2, removed: 1 },
    ],
    jobs: [aJob({ name: 'Mail every night' })],
    restores: [],
    ...given,
  };
}

const theApi = (): FakeApi =>
  aSignedInApi()
    .on(people.list, onePage([anEntry()]))
    .on(people.get, someDetails());

test('everybody is listed once, with what of them is kept, and opens by name', async () => {
  const page = await renderPage(<PeoplePage />, { api: theApi(), path: '/people', pattern: '/people/*' });
  const table = await screen.findByRole('table', { name: 'People & sites' });
  const row = within(table).getByRole('row', { name: /Adele Vance/ });
  expect(within(row).getByText('Exchange: Protected')).toBeTruthy();
  expect(within(row).getByText('OneDrive: Not protected')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(within(row).getByRole('button', { name: /Adele Vance/ }));
  expect(page.address()).toBe(`/people/${sampleIds.source}`);
});

test('the page of somebody has their days, what is kept of them, and what can be done', async () => {
  const path = `/people/${sampleIds.source}`;
  const page = await renderPage(<PeoplePage />, { api: theApi(), path, pattern: '/people/*' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Adele Vance' })).toBeTruthy();
  expect(screen.getByRole('img', { name: '20 Nov: safe, 7 added, 2 changed, 1 removed' })).toBeTruthy();
  expect(screen.getByText(/3 restore points in Main/)).toBeTruthy();
  expect(screen.getByText('No restore point')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Mail every night' })).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(page.address()).toBe(`/backup-and-restore/restore?location=${sampleIds.location}&source=${sampleIds.run}`);
});

test('a reader is offered no action that the role does not allow, in German too', async () => {
  const path = `/people/${sampleIds.source}`;
  await renderPage(<PeoplePage />, { api: theApi(), path, pattern: '/people/*', role: 'reader', language: 'de' });
  expect(await screen.findByText('Aufträge, die dies sichern')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Wiederherstellen' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Öffnen' })).toBeNull();
});

test('everything of a person is erased with a reason, and nothing is asked for without one', async () => {
  const draft = { deletionId: sampleIds.job } as DeletionDetails;
  const api = theApi().on(deletions.createForPerson, draft);
  const path = `/people/${sampleIds.source}`;
  const page = await renderPage(<PeoplePage />, { api, path, pattern: '/people/*' });
  await page.user.click(await screen.findByRole('button', { name: 'Erase everything' }));
  const drawer = await screen.findByRole('dialog', { name: 'Erase everything of Adele Vance' });
  const drafted = (): boolean => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/archive/deletions/people'));
  await page.user.click(within(drawer).getByRole('button', { name: 'Show what would be deleted' }));
  expect(drafted()).toBe(false);
  await page.user.type(within(drawer).getByRole('textbox', { name: /Reason/ }), 'Art. 17, ticket 815');
  await page.checkAccessibility();
  await page.user.click(within(drawer).getByRole('button', { name: 'Show what would be deleted' }));
  await expect.poll(drafted).toBe(true);
});
