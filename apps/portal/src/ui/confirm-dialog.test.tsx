import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import type { RenderedPage } from '../testing/render-page.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { ConfirmDialogProps } from './confirm-dialog.tsx';

async function asked(given: Partial<ConfirmDialogProps>): Promise<RenderedPage & { readonly done: () => readonly number[] }> {
  const onConfirm = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const props = { title: 'Delete it?', text: 'It is gone then.', button: 'Delete', onConfirm, onClose, ...given };
  const page = await renderPage(<ConfirmDialog {...props} />);
  await screen.findByRole('dialog', { name: 'Delete it?' });
  return { ...page, done: () => [onConfirm.mock.calls.length, onClose.mock.calls.length] };
}

const focused = (): string | null | undefined => document.activeElement?.textContent;

test('where something is destroyed the focus begins on the safe button, and Enter there destroys nothing', async () => {
  const page = await asked({ destructive: true, cancel: 'Keep it' });
  expect(focused()).toBe('Keep it');
  await page.user.keyboard('{Enter}');
  expect(page.done()).toEqual([0, 1]);
});

test('elsewhere it begins on the verb, and Escape means no', async () => {
  const page = await asked({});
  expect(focused()).toBe('Delete');
  await page.user.keyboard('{Escape}');
  expect(page.done()).toEqual([0, 1]);
  await page.user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(page.done()).toEqual([1, 1]);
});

test('what cannot be undone asks for its name, safe button first', async () => {
  const page = await asked({ typeName: 'Contoso' });
  expect(focused()).toBe('Cancel');
  await page.user.type(screen.getByRole('textbox', { name: /Contoso/ }), 'contoso{Enter}');
  await page.user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(page.done()).toEqual([0, 0]);
  await page.user.clear(screen.getByRole('textbox'));
  await page.user.type(screen.getByRole('textbox'), 'Contoso{Enter}');
  expect(page.done()).toEqual([1, 0]);
  await page.checkAccessibility();
});

test('what else is said is a sentence of its own, apart from the consequence', async () => {
  await asked({ children: 'Nobody is told.' });
  expect(screen.getByText('It is gone then.')).toBeTruthy();
});
