import type { LinkedFile } from '@holdfast/contract/content';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { LinkedFiles } from './linked-files.tsx';

const aFile: LinkedFile = {
  link: 'https://contoso.sharepoint.com/Offer.docx',
  sentAt: '2024-05-17T12:00:00.000Z',
  locationId: '01900000-0000-7000-8000-000000000001',
  sourceId: '01900000-0000-7000-8000-000000000002',
  nodeId: 'offer',
  sequence: 3,
  name: 'Offer.docx',
  owner: 'Sales',
  version: '2.0',
  modifiedAt: '2024-05-15T10:00:00.000Z',
  rule: 'last-change-before',
};

test('A30: linked files are shown with their version as sent, and where that one is not kept it is said', async () => {
  const page = await renderPage(
    <LinkedFiles
      links={[aFile, { ...aFile, name: 'Plan.xlsx', rule: 'earlier-kept' }, { ...aFile, name: 'New.docx', rule: 'first-kept-after' }]}
    />,
  );
  expect(screen.getAllByText(/^Version 2\.0, last changed .*15 May 2024.*, Sales\.$/)).toHaveLength(1);
  expect(screen.getByText(/A later version from before it was sent is not kept\.$/)).toBeTruthy();
  expect(screen.getByText(/this is the first one after it\.$/)).toBeTruthy();
  await page.checkAccessibility();
});
