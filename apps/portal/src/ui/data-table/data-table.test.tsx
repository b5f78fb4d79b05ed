import { screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { DataTable } from './data-table.tsx';
import type { Column, PageQuery, PageRead } from './types.ts';

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
      source={{ kind: 'list', rows }}
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

/** As many as a server gives in three pages. */
const many: readonly Mailbox[] = Array.from({ length: 450 }, (_empty, at) => ({ name: `Mailbox ${at + 1}`, place: 'Attic', size: at }));

const renderChosen = (all: readonly Mailbox[]): ReactElement => <output aria-label="Chosen">{all.map(({ name }) => name).join()}</output>;

/** A table of pages as a server gives them, which says what a command would get. */
function Pages({ until = many.length }: { readonly until?: number }): ReactElement {
  const page = ({ cursor = '0', limit }: PageQuery): PageRead<Mailbox> => ({
    queryKey: ['mailboxes', cursor, limit],
    queryFn: () => {
      const next = Number(cursor) + limit;
      if (Number(cursor) >= until) return Promise.reject(new Error('It is gone.'));
      return Promise.resolve({
        items: many.slice(next - limit, next),
        nextCursor: next < many.length ? String(next) : null,
        total: many.length,
      });
    },
  });
  return (
    <DataTable
      id="mailboxes"
      label="Mailboxes"
      columns={columns}
      source={{ kind: 'pages', page }}
      rowKey={({ name }) => name}
      rowName={({ name }) => name}
      selectionCommands={renderChosen}
      empty="Nothing"
    />
  );
}
const chosen = (): readonly string[] => screen.getByRole('status', { name: 'Chosen' }).textContent?.split(',') ?? [];

test('what is chosen on one page stays chosen on the next, and every row that matches is chosen at once', async () => {
  const page = await renderPage(<Pages />, { path: '/list', pattern: '/list' });
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Mailbox 2' }));
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Mailbox 51' }));
  expect(screen.getByText('2 selected')).toBeTruthy();
  expect(chosen()).toEqual(['Mailbox 2', 'Mailbox 51']);
  await page.user.click(screen.getByRole('button', { name: 'Select all 450' }));
  expect(await screen.findByText('450 selected')).toBeTruthy();
  expect(chosen()).toEqual(many.map(({ name }) => name));
  expect(screen.queryByRole('button', { name: /Select all \d/ })).toBeNull();
  await page.user.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByText(/selected/)).toBeNull();
});

test('when not every row can be had that is said once, and the choice stays as it was', async () => {
  const page = await renderPage(<Pages until={200} />, { path: '/list', pattern: '/list' });
  const told = vi.spyOn(page.portal.toasts, 'show').mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Mailbox 2' }));
  await page.user.click(screen.getByRole('button', { name: 'Select all 450' }));
  await waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  expect(chosen()).toEqual(['Mailbox 2']);
});

test('rows are chosen with Shift up to the last one, with Ctrl one by one, and by dragging over their boxes', async () => {
  const page = await renderPage(<Pages />, { path: '/list', pattern: '/list' });
  const box = (at: number): HTMLElement => screen.getByRole('checkbox', { name: `Select Mailbox ${at}` });
  const names = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => `Mailbox ${from + at}`);
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Mailbox 3' }));
  await page.user.keyboard('{Shift>}');
  await page.user.click(box(6));
  await page.user.keyboard('{/Shift}');
  expect(chosen()).toEqual(names(3, 6));
  await page.user.keyboard('{Control>}');
  await page.user.click(screen.getByRole('row', { name: /Mailbox 9$|Mailbox 9 / }));
  await page.user.click(screen.getByRole('row', { name: /Mailbox 4$|Mailbox 4 / }));
  await page.user.keyboard('{/Control}');
  expect(chosen().toSorted()).toEqual(['Mailbox 3', 'Mailbox 5', 'Mailbox 6', 'Mailbox 9']);
  await page.user.click(screen.getByRole('button', { name: 'Clear selection' }));
  await page.user.pointer([
    { keys: '[MouseLeft>]', target: box(12) },
    { target: box(13) },
    { target: box(15) },
    { target: box(14) },
    { keys: '[/MouseLeft]', target: box(14) },
  ]);
  expect(chosen()).toEqual(names(12, 14));
  await page.user.pointer({ target: box(20) });
  expect(chosen()).toEqual(names(12, 14));
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
