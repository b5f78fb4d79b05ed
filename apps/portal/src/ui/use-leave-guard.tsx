import type { ReactElement } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { useText } from '../i18n/use-text.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before entries are lost by leaving the page; `onDiscard` when they are given up. Render what it answers. */
export function useLeaveGuard(isDirty: boolean, onDiscard?: () => void): ReactElement | null {
  const text = useText();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname);
  useBeforeUnload((event) => {
    if (isDirty) event.preventDefault();
  });
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={text('kit.discardTitle')}
      text={text('kit.discardText')}
      button={text('kit.discard')}
      cancel={text('kit.keepEditing')}
      destructive
      onConfirm={() => {
        onDiscard?.();
        blocker.proceed();
      }}
      onClose={() => blocker.reset()}
    />
  );
}
