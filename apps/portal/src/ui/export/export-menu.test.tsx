import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { ExportMenu } from './export-menu.tsx';
import type { ExportMenuProps } from './export-menu.tsx';

const columns = [{ id: 'name', title: 'Name', value: (row: number) => row, render: (row: number) => row }] as const;
type Rows = ExportMenuProps<number>['rows'];

interface Exported extends RenderedPage {
  readonly saved: readonly Blob[];
  readonly told: ReturnType<typeof vi.spyOn>;
}

/** An export of six thousand rows that has begun. */
async function begun(rows: Rows, total = 6_000): Promise<Exported> {
  const saved: Blob[] = [];
  const page = await renderPage(<ExportMenu name="Mailboxes" columns={columns} total={total} rows={rows} />);
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => undefined }),
  );
  const told = vi.spyOn(page.portal.toasts, 'show').mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    told.mockRestore();
  });
  await page.user.click(await screen.findByRole('button', { name: 'Export' }));
  await page.user.click(await screen.findByRole('menuitem', { name: /csv/ }));
  return { ...page, saved, told };
}

test('more than five thousand rows show how far they are; who cancels gets no file, is told nothing and waits for nobody', async () => {
  const page = Promise.withResolvers<readonly number[]>();
  let asked: AbortSignal | undefined;
  const { user, saved, told } = await begun((progress, signal) => {
    asked = signal;
    progress(200);
    return page.promise;
  });
  expect(await screen.findByText('Exporting 200 of 6,000 rows')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByText(/Exporting/)).toBeNull());
  expect(asked?.aborted).toBe(true);
  // The last page was on its way.
  await act(async () => page.resolve([1, 2]));
  expect(saved).toEqual([]);
  expect(told).not.toHaveBeenCalled();
});

test('what is exported to its end becomes a file, and fewer rows ask for no patience', async () => {
  const { saved } = await begun(async (progress) => {
    progress(2);
    return Promise.resolve([1, 2]);
  }, 2);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(screen.queryByText(/Exporting/)).toBeNull();
});
