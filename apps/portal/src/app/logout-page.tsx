import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { Navigate } from 'react-router';
import { usePortal } from '../api/portal-context.ts';
import { useStore } from '../api/store.ts';
import { addresses } from './addresses.ts';

/** `/logout`: ends what is still signed in, then leads to the sign-in page. */
export function LogoutPage(): ReactElement | null {
  const portal = usePortal();
  const { isAuthenticated } = useStore(portal.signIn.state);
  useEffect(() => {
    if (isAuthenticated) void portal.signOut.begin('signedOut');
  }, [isAuthenticated, portal]);
  return isAuthenticated ? null : <Navigate to={addresses.signIn} replace />;
}
