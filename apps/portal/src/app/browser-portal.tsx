import { StrictMode } from 'react';
import type { ComponentProps } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { z } from 'zod';
import { browserClock } from '../api/clock.ts';
import { createPortal } from '../api/portal.ts';
import type { Portal, PortalParts } from '../api/portal.ts';
import { exclusiveOver } from '../api/renewal.ts';
import { readSettings } from '../api/settings.ts';
import { signOutReasons } from '../api/sign-in-state.ts';
import { broadcastOver } from '../api/tab-channel.ts';
import { toasts } from '../toasts/toast.ts';
import { Providers } from './providers.tsx';

/** What differs between the portal and the page of its parts. */
export type Surroundings = Pick<PortalParts, 'languages' | 'secure' | 'fetch' | 'sendForm' | 'goTo' | 'here' | 'note'>;

/** A portal over the browser's own parts. */
export function createBrowserPortal(surroundings: Surroundings): Portal {
  return createPortal({
    ...surroundings,
    settings: readSettings(document),
    clock: browserClock,
    toasts,
    jar: document,
    local: localStorage,
    session: sessionStorage,
    exclusive: exclusiveOver(navigator.locks),
    channel: broadcastOver('holdfast-activity', z.number()),
    signOutChannel: broadcastOver('holdfast-sign-out', z.enum(signOutReasons)),
  });
}

/** Shows a portal in the place that the page has for it. */
export function showPortal(portal: Portal, router: ComponentProps<typeof RouterProvider>['router']): void {
  const root = document.querySelector('#root');
  if (root === null) throw new Error('The page has no place for the portal.');
  createRoot(root).render(
    <StrictMode>
      <Providers portal={portal}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}
