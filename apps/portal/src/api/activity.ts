import { inactivityLogoutMs, inactivityWarningMs } from '@holdfast/contract/limits';
import type { Clock } from './clock.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import type { TabChannel } from './tab-channel.ts';

/** Where tabs tell each other when there was a click or touch. */
export type ActivityChannel = TabChannel<number>;

export interface Inactivity {
  /** Seconds until the logout while the warning stands, else null. */
  readonly countdown: Store<number | null>;
  /** A click or touch in this tab. */
  touch(): void;
  /** Whether there was one since this was last asked: a renewal without one is background. */
  takeTouched(): boolean;
  /** Starts to watch; the answer stops it. */
  start(handlers: { readonly onWarning: () => void; readonly onLogout: () => void }): () => void;
  /** Looks at the clock again: the tab became visible, the laptop woke up. */
  check(): void;
}

const secondMs = 1_000;

/** Inactivity by the wall clock, shared by all tabs. */
export function createInactivity(clock: Clock, channel: ActivityChannel): Inactivity {
  let last = clock.now();
  let touched = true;
  let warned = false;
  let handlers: { readonly onWarning: () => void; readonly onLogout: () => void } | null = null;
  const countdown = createStore<number | null>(null);
  const reset = (at: number): void => {
    last = Math.max(last, at);
    warned = false;
    countdown.set(null);
  };
  const check = (): void => {
    if (handlers === null) return;
    const idle = clock.now() - last;
    if (idle >= inactivityLogoutMs) {
      const { onLogout } = handlers;
      handlers = null;
      countdown.set(null);
      onLogout();
      return;
    }
    if (idle < inactivityWarningMs) return;
    countdown.set(Math.ceil((inactivityLogoutMs - idle) / secondMs));
    if (warned) return;
    warned = true;
    handlers.onWarning();
  };
  return {
    countdown,
    check,
    touch() {
      const now = clock.now();
      // A click after the time is over comes too late: the session has ended on the server as well.
      if (handlers !== null && now - last >= inactivityLogoutMs) return check();
      touched = true;
      reset(now);
      channel.tell(now);
    },
    takeTouched() {
      const was = touched;
      touched = false;
      return was;
    },
    start(given) {
      handlers = given;
      // To open a tab is to be there: the others wait with this one, so that none ends it without its warning.
      const now = clock.now();
      reset(now);
      channel.tell(now);
      const stopTicking = clock.every(secondMs, check);
      const stopListening = channel.listen((at) => {
        touched = true;
        reset(at);
      });
      return () => {
        handlers = null;
        countdown.set(null);
        stopTicking();
        stopListening();
      };
    },
  };
}
