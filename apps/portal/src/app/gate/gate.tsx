import { accounts } from '@holdfast/contract/identity';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { addresses } from '../addresses.ts';

/** Pages that help through the gate: who is led to one of them needs no way back to it. */
const helpful: readonly string[] = [addresses.selectWorker, addresses.confirmEmail];

/** Where a visitor is sent who lacks something, in the order in which it is asked for. */
function useObstacle(): string | null {
  const worker = useChosenWorker();
  const { pathname } = useLocation();
  const account = useQuery({ ...read(accounts.account, { quiet: true }), staleTime: 60_000 });
  const code = account.error instanceof ApiError ? account.error.code : undefined;
  const isSettingUp = useSettingUp(code === 'identity.second-factor-required');
  // Only the account knows whether the profile was asked for, or is the way to a second factor.
  if (account.isPending && pathname === addresses.profile) return null;
  const isUnproven = account.data !== undefined && !account.data.isEmailConfirmed && !account.data.isVouched;
  if (code === 'identity.email-not-confirmed' || isUnproven) return addresses.confirmEmail;
  if (code === 'identity.second-factor-required') return addresses.profile;
  if (worker === null && !helpful.includes(pathname) && !isSettingUp) return addresses.selectWorker;
  return null;
}

/** Who was sent to the profile for a second factor stays there, with the recovery codes on the screen, until he leaves it. */
function useSettingUp(isAsked: boolean): boolean {
  const { pathname } = useLocation();
  const [wasSent, setWasSent] = useState(false);
  const isThere = pathname === addresses.profile;
  const isSettingUp = isThere && (isAsked || wasSent);
  if (isSettingUp !== wasSent) setWasSent(isSettingUp);
  return isSettingUp;
}

/** Signed in → e-mail confirmed → second factor → customer and worker → page. Each step remembers the way. */
export function Gate({ children }: { readonly children: ReactNode }): ReactElement {
  const portal = usePortal();
  const { isAuthenticated } = useStore(portal.signIn.state);
  const location = useLocation();
  if (!isAuthenticated) {
    // Who signed out, or was signed out, left word already.
    if (portal.departure.read() === null) portal.departure.write({ reason: null, returnTo: location.pathname + location.search });
    return <Navigate to={addresses.signIn} replace />;
  }
  return <SignedInGate>{children}</SignedInGate>;
}

function SignedInGate({ children }: { readonly children: ReactNode }): ReactElement {
  const portal = usePortal();
  const obstacle = useObstacle();
  const { pathname, search } = useLocation();
  if (obstacle !== null && obstacle !== pathname) {
    if (!helpful.includes(pathname)) portal.departure.write({ reason: null, returnTo: pathname + search });
    return <Navigate to={obstacle} replace />;
  }
  return <>{children}</>;
}
