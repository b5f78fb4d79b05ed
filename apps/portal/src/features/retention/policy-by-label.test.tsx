import { screen } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { archive } from '@holdfast/contract/archive';
import { retention } from '@holdfast/contract/retention';
import type { Policy } from '@holdfast/contract/retention';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPolicy } from '../../testing/retention-samples.ts';
import RetentionPage from './retention-page.tsx';

const place = { path: '/configuration/retention', pattern: '/configuration/retention/*' };
const contract = { labelId: '4342314e-0df4-4b58-84bf-38bed6170a0f', name: 'Contract' };
const unnamed = { labelId: '88914ebd-7e6c-4e12-a031-a9906be2db14', name: '' };

const nobodyWaits = { items: [], secondPersons: [], approvers: [], delayHours: 24, delayFrom: null };
const anApi = (policies: Policy[]) =>
  aSignedInApi()
    .on(retention.list, { items: policies })
    .on(retention.events, { items: [] })
    .on(retention.directory, { readAt: null, code: null, isWaiting: false, people: 0, values: [], departures: [] })
    .on(archive.mailboxes, { items: [], nextCursor: null, total: 0 })
    .on(approvals.list, nobodyWaits);
const posted = (api: ReturnType<typeof anApi>): boolean =>
  api.calls.some((call) => call.startsWith('POST') && call.endsWith('/archive/policies'));

test('a policy by label names labels that were found, counts from labelling, and is not saved without one', async () => {
  const api = anApi([])
    .on(retention.create, aPolicy())
    .on(retention.labels, {
      items: [
        { ...contract, items: 1_200 },
        { ...unnamed, items: 1 },
      ],
    });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(await screen.findByText('Applications: 6 months'));
  expect(screen.queryByLabelText(/^Labelling/)).toBeNull();
  await page.user.click(screen.getByLabelText('Items with certain sensitivity labels'));
  await page.user.click(screen.getByLabelText(/^Labelling/));
  await page.user.click(screen.getByText('Save draft'));
  expect(await screen.findByText(/Please choose 1 to 50 sensitivity labels/)).toBeTruthy();
  expect(posted(api)).toBe(false);
  await page.user.click(screen.getByRole('combobox', { name: /Sensitivity labels/ }));
  await page.user.click(await screen.findByRole('menuitemcheckbox', { name: 'Contract (1,200 items)' }));
  await page.user.click(screen.getByRole('menuitemcheckbox', { name: `${unnamed.labelId} (1 item)` }));
  await page.user.keyboard('{Escape}');
  await page.user.click(screen.getByLabelText('Files of sites and drives'));
  expect(screen.getByLabelText(/^Labelling/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByText('Save draft'));
  await expect.poll(() => posted(api)).toBe(true);
  expect(api.bodies.at(-1)).toMatchObject({
    about: 'files',
    anchor: 'labelled',
    labels: [contract.labelId, unnamed.labelId],
    searchId: null,
    mailboxes: null,
    attributes: [],
    places: [],
  });
});

test('counting from labelling without labels is named where it was chosen', async () => {
  const api = anApi([]).on(retention.labels, { items: [] });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  await page.user.click((await screen.findAllByText('New policy'))[0] as HTMLElement);
  await page.user.click(await screen.findByText('Applications: 6 months'));
  await page.user.click(screen.getByLabelText('Items with certain sensitivity labels'));
  expect(await screen.findByText(/No item with a sensitivity label has been found yet/)).toBeTruthy();
  await page.user.click(screen.getByLabelText(/^Labelling/));
  await page.user.click(screen.getByLabelText(/^Everything archived/));
  await page.user.click(screen.getByText('Save draft'));
  expect(await screen.findByText(/Counting from labelling needs them/)).toBeTruthy();
  expect(posted(api)).toBe(false);
});

test('a policy by label says which labels, and its draft keeps those that nothing carries any longer', async () => {
  const policy = aPolicy({ anchor: 'labelled', labels: [contract, unnamed], start: 'day' });
  const api = anApi([policy]).on(retention.labels, { items: [] });
  const page = await renderPage(<RetentionPage />, { ...place, api });
  expect(await screen.findByText(`Archived messages labelled Contract, ${unnamed.labelId}`)).toBeTruthy();
  expect(await screen.findByText(/· Labelling$/)).toBeTruthy();
  await page.user.click(screen.getByText('Letters'));
  await page.user.click(await screen.findByText('Edit'));
  expect(await screen.findByRole('combobox', { name: /Sensitivity labels/ })).toHaveProperty(
    'textContent',
    `Contract (0 items), ${unnamed.labelId} (0 items)`,
  );
});
