import { compliance } from '@holdfast/contract/compliance';
import type { KeptVersion, ManagedNode } from '@holdfast/contract/compliance-values';
import { content } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import { discovery } from '@holdfast/contract/discovery';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPoint, aSource, now, sampleIds } from '../../testing/samples.ts';
import FileManagerPage from './file-manager-page.tsx';

const aNode = (nodeId: string, name: string, given: Partial<ManagedNode> = {}): ManagedNode => {
  const common = { kind: 'file', isContainer: false, sizeBytes: 1_024, modifiedAt: now, author: null, versions: 2 };
  return { nodeId, name, ...common, state: 'live', sequence: 2, audience: null, isHeld: false, ...given };
};
const nodes = [
  aNode('d:0', 'Kitchen', { kind: 'folder', isContainer: true }),
  aNode('d:1', 'Plan.png'),
  aNode('d:2', 'Offer.docx'),
  aNode('d:3', 'Contract.pdf'),
];
const aVersion = (label: string, given: Partial<KeptVersion> = {}): KeptVersion => {
  return { label, modifiedAt: now, sizeBytes: 1_024, sequence: 2, pointAt: now, isCurrent: true, isWhole: true, ...given };
};
const aPreview: Preview = {
  kind: 'file',
  title: 'Plan.png',
  from: null,
  to: [],
  cc: [],
  at: now,
  text: null,
  frame: null,
  attachments: [],
  properties: [],
  versions: [],
  gone: [],
};
/** One pixel, as the server would draw a picture. */
const pixel = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
const drawn = { pages: 1, width: 40, height: 30, picture: pixel, words: '' };

const anApi = () =>
  aSignedInApi()
    .on(discovery.source, aSource({ name: 'Marketing', kind: 'site', workload: 'sharepoint' }))
    .on(discovery.points, { items: [aPoint({ sequence: 2 })] })
    .on(compliance.nodes, { items: nodes, total: nodes.length, nextCursor: null, at: now, trail: [] })
    .on(compliance.versions, { items: [aVersion('2.0'), aVersion('1.0', { isCurrent: false, isWhole: false })] })
    .on(compliance.kept, {
      policies: [],
      holds: [],
      rules: [],
      points: 1,
      oldestAt: now,
      newestAt: now,
      shares: [],
      grants: [
        { who: ['Adele Vance'], role: 'write', link: null, isInherited: true, expiresAt: null },
        { who: [], role: 'read', link: 'organization', isInherited: false, expiresAt: null },
      ],
    })
    .on(content.open, { ticket: 'a'.repeat(40), expiresAt: now })
    .on(content.preview, aPreview)
    .on(content.page, drawn);

const inSite = { path: `/compliance?location=${sampleIds.location}&source=${sampleIds.source}`, pattern: '/compliance' };

test('a picture is shown as the server drew it, and an earlier version of it by its label', async () => {
  const api = anApi();
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await page.user.click(await screen.findByText('Plan.png'));
  await page.user.type(await screen.findByLabelText(/Reason/), 'A new kitchen');
  await page.user.click(screen.getByRole('button', { name: 'Preview version 2.0' }));
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'Plan.png' });
  expect(picture.src).toBe(`data:image/webp;base64,${pixel}`);
  await page.user.click(screen.getByRole('button', { name: 'Preview version 1.0' }));
  await expect.poll(() => api.calls.filter((call) => call.includes('/pages/1?')).at(-1)).toContain('version=1.0');
  expect(api.calls.some((call) => /content-tickets\/a+\?version=1\.0$/.test(call))).toBe(true);
  await page.checkAccessibility();
});

test('a file that cannot be drawn says so, and can still be downloaded', async () => {
  const message = 'This file cannot be shown here. Download it to look at it.';
  const api = anApi().fail(content.page, 422, { code: 'content.not-shown', message });
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await page.user.click(await screen.findByText('Plan.png'));
  await page.user.type(await screen.findByLabelText(/Reason/), 'A new kitchen');
  await page.user.click(screen.getByRole('button', { name: 'Preview version 2.0' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download the original' })).toBeTruthy();
});

test('a folder says who can open it, and asks for none of its versions', async () => {
  const api = anApi();
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await page.user.pointer({ keys: '[MouseRight]', target: await screen.findByText('Kitchen') });
  await page.user.click(await screen.findByRole('menuitem', { name: 'Details and permissions' }));
  expect(await screen.findByText('Adele Vance: Edit, inherited from a folder above')).toBeTruthy();
  expect(screen.getByText('Everyone in the organisation: View')).toBeTruthy();
  expect(api.calls.some((call) => call.includes('/data-management/versions'))).toBe(false);
});

test('the menu downloads a file with the reason that was given; before, the details ask for one', async () => {
  const api = anApi();
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  const download = async (): Promise<void> => {
    await page.user.pointer({ keys: '[MouseRight]', target: (await screen.findAllByText('Offer.docx'))[0] as HTMLElement });
    await page.user.click(await screen.findByRole('menuitem', { name: 'Download' }));
  };
  await download();
  await page.user.type(await screen.findByLabelText(/Reason/), 'A new kitchen');
  expect(api.calls.some((call) => call.endsWith('/content-tickets'))).toBe(false);
  await page.user.click(screen.getByRole('button', { name: 'Preview version 2.0' }));
  await screen.findByRole('button', { name: 'Download the original' });
  await page.user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByLabelText(/Reason/)).toBeNull();
  const before = api.bodies.length;
  await download();
  const asked = expect.objectContaining({ nodeId: 'd:2', reason: 'A new kitchen' }) as unknown;
  await expect
    .poll(() => api.bodies.slice(before))
    .toEqual([asked, { address: expect.stringMatching(/\/content-tickets\/\w+\/file$/) as unknown }]);
});

/** The page with its files as tiles. */
async function asTiles() {
  const api = anApi();
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await screen.findByText('Plan.png');
  await page.user.click(screen.getByRole('button', { name: 'Show as grid' }));
  await screen.findByRole('gridcell', { name: /Plan.png/ });
  return { api, page };
}
const boxOf = (name: RegExp) => within(screen.getByRole('gridcell', { name })).getByRole('checkbox');

test('tiles are narrowed and sorted by the server', async () => {
  const { api, page } = await asTiles();
  await page.user.click(screen.getByRole('combobox', { name: /File type/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Pictures' }));
  await expect.poll(() => api.calls.some((call) => call.includes('type=picture'))).toBe(true);
  expect(page.address()).toContain('type=picture');
  await page.user.click(screen.getByRole('combobox', { name: 'Sort by' }));
  await page.user.click(await screen.findByRole('option', { name: 'Size, descending' }));
  await expect.poll(() => api.calls.some((call) => call.includes('type=picture') && call.includes('sort=-sizeBytes'))).toBe(true);
  await page.checkAccessibility();
});

test('tiles are chosen by their boxes, with Shift up to a tile, and with Ctrl without opening it', async () => {
  const { page } = await asTiles();
  await page.user.click(boxOf(/Plan.png/));
  await page.user.keyboard('{Shift>}');
  await page.user.click(screen.getByRole('button', { name: 'Preview Contract.pdf' }));
  await page.user.keyboard('{/Shift}');
  expect(screen.getByRole('group', { name: '3 selected' })).toBeTruthy();
  await page.user.keyboard('{Control>}');
  await page.user.click(screen.getByRole('button', { name: 'Preview Offer.docx' }));
  await page.user.keyboard('{/Control}');
  expect(screen.getByRole('group', { name: '2 selected' })).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('thumbnails are opened with a reason, for the files of which there are pictures alone', async () => {
  const { api, page } = await asTiles();
  const drawnPages = () => api.calls.filter((call) => call.includes('/pages/1?'));
  await page.user.click(screen.getByRole('button', { name: 'Show thumbnails' }));
  expect(drawnPages()).toEqual([]);
  await page.user.type(await screen.findByLabelText(/Reason/), 'A new kitchen{Enter}');
  await expect.poll(() => document.querySelectorAll('[role="gridcell"] img').length).toBe(2);
  expect(drawnPages()).toHaveLength(2);
  expect(drawnPages().every((call) => call.includes('size=thumbnail'))).toBe(true);
  const openings = api.bodies.filter((body) => typeof body === 'object' && body !== null && 'nodeId' in body);
  expect(openings).toEqual(
    ['d:1', 'd:3'].map((nodeId) => expect.objectContaining({ nodeId, sequence: 2, reason: 'A new kitchen' }) as unknown),
  );
  await page.user.click(screen.getByRole('button', { name: 'Hide thumbnails' }));
  expect(document.querySelectorAll('[role="gridcell"] img')).toHaveLength(0);
});
