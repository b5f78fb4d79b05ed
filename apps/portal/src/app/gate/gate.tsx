import { accounts } from '@holdfast/contract/identity';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { addresses } from '../addresses.ts';

/** Pages that help through the gate are on its far side already. */
const helpful: readonly string[] = [addresses.selectWorker, addresses.profile, addresses.confirmEmail];

/** Where a visitor is sent who lacks something, in the order in which it is asked for. */
function useObstacle(): string | null {
  const worker = useChosenWorker();
  const { pathname } = useLocation();
  const account = useQuery({ ...read(accounts.account, { quiet: true }), staleTime: 60_000 });
  const code = account.error instanceof ApiError ? account.error.code : undefined;
  if (code === 'identity.email-not-confirmed' || account.data?.isEmailConfirmed === false) return addresses.confirmEmail;
  if (code === 'identity.second-factor-required') return addresses.profile;
  if (worker === null && !helpful.includes(pathname)) return addresses.selectWorker;
  return null;
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
