import { Button } from '@fluentui/react-components';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { DetailDrawer } from './detail-drawer.tsx';

/** A choice in a drawer, and after it a form in another one. */
function InTurn(): ReactElement {
  const [step, setStep] = useState<'none' | 'choice' | 'form'>('none');
  const close = (): void => setStep('none');
  return (
    <main tabIndex={-1}>
      <Button onClick={() => setStep('choice')}>Open</Button>
      {step === 'choice' && (
        <DetailDrawer title="Choice" onClose={close}>
          <Button onClick={() => setStep('form')}>Next</Button>
        </DetailDrawer>
      )}
      {step === 'form' && (
        <DetailDrawer key="form" title="Form" onClose={close}>
          <Button>Save</Button>
        </DetailDrawer>
      )}
    </main>
  );
}

const drawerOfFocus = (): string | undefined =>
  document.activeElement?.closest('[role="dialog"]')?.querySelector('h2')?.textContent ?? undefined;

test('a drawer that takes the place of another keeps the focus, and Escape closes it', async () => {
  const page = await renderPage(<InTurn />);
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  await page.user.click(await screen.findByRole('button', { name: 'Next', hidden: true }));
  await screen.findByRole('heading', { name: 'Form', hidden: true });
  await waitFor(() => expect(drawerOfFocus()).toBe('Form'));
  // What gives the focus back does so after everything else.
  await new Promise<void>((resolve) => void setTimeout(resolve, 50));
  expect(drawerOfFocus()).toBe('Form');
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Form', hidden: true })).toBeNull());
  expect(document.activeElement?.closest('main')).not.toBeNull();
});

/** A form whose place is taken by its result, button and all. */
function Looking(): ReactElement {
  const [isDone, setDone] = useState(false);
  const [isOpen, setOpen] = useState(true);
  return (
    <main tabIndex={-1}>
      {isOpen && (
        <DetailDrawer title="Files" onClose={() => setOpen(false)}>
          {isDone ? <span>Three messages</span> : <Button onClick={() => setDone(true)}>Look</Button>}
        </DetailDrawer>
      )}
    </main>
  );
}

test('a drawer keeps the focus when the button that had it is gone, and Escape closes it', async () => {
  const page = await renderPage(<Looking />);
  await page.user.click(await screen.findByRole('button', { name: 'Look' }));
  await screen.findByText('Three messages');
  await waitFor(() => expect(drawerOfFocus()).toBe('Files'));
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('Three messages')).toBeNull());
});
