import { screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { DataTable } from './data-table.tsx';
import type { Column } from './types.ts';

interface Mailbox {
  readonly name: string;
  readonly place: string;
  readonly size: number;
}

const rows: readonly Mailbox[] = Array.from({ length: 120 }, (_empty, at) => ({
  name: `Mailbox ${String(at + 1).padStart(3, '0')}`,
  place: at % 2 === 0 ? 'Attic' : 'Cellar',
  size: at,
}));

const columns: readonly Column<Mailbox>[] = [
  { id: 'name', title: 'Name', width: 200, value: ({ name }) => name, render: ({ name }) => name },
  { id: 'place', title: 'Place', value: ({ place }) => place, render: ({ place }) => place },
  { id: 'size', title: 'Size', isNumber: true, value: ({ size }) => size, render: ({ size }) => size },
];

function Mailboxes(): ReactElement {
  return (
    <DataTable
      id="mailboxes"
      label="Mailboxes"
      columns={columns}
      source={{ kind: 'list', rows, error: null, retry: () => undefined }}
      rowKey={({ name }) => name}
      rowName={({ name }) => name}
      empty="Nothing"
    />
  );
}

async function open(path = '/list'): Promise<RenderedPage> {
  const page = await renderPage(<Mailboxes />, { path, pattern: '/list' });
  await screen.findByText('Mailbox 002');
  return page;
}

const heads = (): string[] => screen.getAllByRole('columnheader').map((head) => head.textContent ?? '');
const range = (): string | null | undefined => screen.getAllByRole('status').find((one) => one.textContent?.includes(' of '))?.textContent;

test('pages of 50 rows are turned, and the view comes back from its address', async () => {
  const page = await open();
  expect(range()).toBe('1–50 of 120');
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('Mailbox 051');
  expect(range()).toBe('51–100 of 120');
  await page.user.click(screen.getByRole('button', { name: 'Name' }));
  await page.user.click(screen.getByRole('button', { name: 'Name' }));
  await screen.findByText('Mailbox 120');
  expect(range()).toBe('1–50 of 120');
  const address = page.address();
  page.unmount();
  await renderPage(<Mailboxes />, { path: address, pattern: '/list' });
  await screen.findByText('Mailbox 120');
});

test('columns are hidden, moved and sized by keys alone, but for the name, and stay so', async () => {
  const page = await open();
  expect(heads()).toEqual(['Name', 'Place', 'Size']);
  await page.user.click(screen.getByRole('button', { name: 'Columns' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('checkbox', { name: /Name/ })).toHaveProperty('disabled', true);
  dialog.getByRole('button', { name: /Size.*up/i }).focus();
  await page.user.keyboard('{Enter}');
  dialog.getByRole('checkbox', { name: /Place/ }).focus();
  await page.user.keyboard(' ');
  dialog.getByRole('spinbutton', { name: /Size/ }).focus();
  await page.user.keyboard('{ArrowUp}');
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(heads()).toEqual(['Name', 'Size']));
  expect(JSON.parse(localStorage.getItem('holdfast.table.mailboxes') ?? '')).toMatchObject({
    order: ['name', 'size', 'place'],
    hidden: ['place'],
    widths: { size: 180 },
  });
});

test('an export holds every row that matches, not the page alone, in the chosen columns, without heads', async () => {
  const page = await open('/list?search=cellar');
  const saved: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => undefined }),
  );
  await page.user.click(screen.getByRole('button', { name: 'Export' }));
  await page.user.click(await screen.findByRole('menuitem', { name: /csv/ }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.text())?.replace('\uFEFF', '').split('\n') ?? [];
  vi.unstubAllGlobals();
  expect(lines).toHaveLength(60);
  expect(lines[0]).toBe('Mailbox 002,Cellar,1');
});
