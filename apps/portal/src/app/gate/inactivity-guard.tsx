import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { renewalEveryMs } from '../../api/renewal.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';

/** Watches for clicks and touches, renews the tokens, follows the other tabs; counts down before the logout. */
export function InactivityGuard(): ReactElement | null {
  const { inactivity } = usePortal();
  const text = useText();
  const seconds = useStore(inactivity.countdown);
  useInactivity();
  useRenewal();
  useOtherTabs();
  if (seconds === null) return null;
  return (
    <MessageBar role="region" aria-label={text('shell.inactivityTitle')} intent="warning" layout="multiline" data-print="never">
      <MessageBarBody>
        <span role="timer">{text('shell.inactivityCountdown', { count: seconds })}</span>
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => inactivity.touch()}>{text('shell.staySignedIn')}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

function useInactivity(): void {
  const portal = usePortal();
  useEffect(() => {
    const { inactivity } = portal;
    const stop = inactivity.start({
      onWarning: () => portal.toasts.show('warning', portal.languages.text('shell.inactivityWarning')),
      onLogout: () => void portal.signOut.begin('inactive'),
    });
    const handleTouch = (): void => inactivity.touch();
    const handleVisible = (): void => {
      if (document.visibilityState === 'visible') inactivity.check();
    };
    document.addEventListener('click', handleTouch, true);
    document.addEventListener('touchstart', handleTouch, { capture: true, passive: true });
    document.addEventListener('visibilitychange', handleVisible);
    return () => {
      stop();
      document.removeEventListener('click', handleTouch, true);
      document.removeEventListener('touchstart', handleTouch, true);
      document.removeEventListener('visibilitychange', handleVisible);
    };
  }, [portal]);
}

/** One tab renews in time: the lock lets one in, and the others find the new token. */
function useRenewal(): void {
  const portal = usePortal();
  useEffect(
    () =>
      portal.clock.every(renewalEveryMs, () => {
        const { token } = portal.signIn.state.get();
        // A renewal that could not reach the server is tried again with the next call.
        portal.renew(token).catch(() => undefined);
      }),
    [portal],
  );
}

function useOtherTabs(): void {
  const portal = usePortal();
  useEffect(
    () =>
      portal.signIn.watch((change) => {
        if (portal.signOut.isOwn()) return;
        portal.queries.clear();
        if (change === 'gone') {
          portal.departure.write({ reason: portal.signOut.heard(), returnTo: null });
          portal.goTo('/logout');
        } else portal.goTo('/');
      }),
    [portal],
  );
}
