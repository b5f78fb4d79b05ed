import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { PrintFoot } from './print-foot.tsx';

test('what is printed says of which page, when and by whom', async () => {
  const page = await renderPage(<PrintFoot />);
  document.title = 'Backup jobs – Contoso – Holdfast';
  page.clock.jump(60_000);
  act(() => void globalThis.dispatchEvent(new Event('beforeprint')));
  expect(screen.getByText('Backup jobs – Contoso – Holdfast')).toBeTruthy();
  expect(screen.getByText(/Printed on 21 Nov 2026, \d\d:31 by admin@contoso\.example/)).toBeTruthy();
});
