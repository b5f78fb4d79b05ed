import { screen } from '@testing-library/react';
import { procedures } from '@holdfast/contract/procedures';
import type { ProcedureContent, ProcedureVersion } from '@holdfast/contract/procedures';
import { expect, test } from 'vitest';
import { now } from '../../testing/samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import DocumentationPage from '../help/documentation-page.tsx';

const path = '/documentation?tab=procedure';
const aVersion: ProcedureVersion = { number: 2, madeAt: now, maker: 'ann@contoso.example', changes: 1, hash: 'c0ffee' };
const pageOf = (...items: ProcedureVersion[]) => ({ items, nextCursor: null, total: items.length });
const answer = {
  version: aVersion,
  content: {} as ProcedureContent,
  paper: {
    language: 'en' as const,
    title: 'Procedure documentation',
    subtitle: 'Version 2',
    verdict: { ink: 'neutral' as const, state: 'Version 2', text: 'Describes 12 settings.' },
    facts: [{ label: 'Hash', value: 'c0ffee' }],
    sections: [{ title: 'Changes since version 1', blocks: [{ kind: 'text' as const, text: 'Nothing has changed.' }] }],
  },
};

test('a version is created and opened, and its document is read', async () => {
  const api = aSignedInApi().on(procedures.list, pageOf()).on(procedures.make, aVersion).on(procedures.get, answer);
  const page = await renderPage(<DocumentationPage />, { path, api });
  expect(await screen.findByText(/No version yet/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Create version' }));
  expect(await screen.findByRole('heading', { name: 'Changes since version 1' })).toBeTruthy();
  expect(page.address()).toBe('/documentation?tab=procedure&version=2');
  expect(screen.getByText('c0ffee')).toBeTruthy();
  await page.checkAccessibility();
});

test('own sections are added and saved; one without words is refused', async () => {
  const api = aSignedInApi()
    .on(procedures.list, pageOf(aVersion))
    .on(procedures.sections, { sections: [{ title: 'Scanning', text: 'By the post room.' }] })
    .on(procedures.saveSections, { sections: [] });
  const page = await renderPage(<DocumentationPage />, { path, api });
  await page.user.click(await screen.findByRole('button', { name: 'Own sections' }));
  await page.user.click(await screen.findByRole('button', { name: 'Add section' }));
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  expect(api.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
  await page.user.type(screen.getByRole('textbox', { name: /Heading of section 2/ }), 'Duties');
  await page.user.type(screen.getByRole('textbox', { name: /Text of section 2/ }), 'Ann checks.');
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => api.bodies)
    .toContainEqual({
      sections: [
        { title: 'Scanning', text: 'By the post room.' },
        { title: 'Duties', text: 'Ann checks.' },
      ],
    });
});

test('whoever may not read the audit log sees the manual alone', async () => {
  await renderPage(<DocumentationPage />, { path, api: aSignedInApi(), role: 'reader' });
  expect(await screen.findByRole('searchbox', { name: /manual/i })).toBeTruthy();
  expect(screen.queryByRole('tab')).toBeNull();
});
