import type { Tenant } from '@holdfast/contract/tenants';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useTenants } from './tenants.queries.ts';

/** Shows its children once the active tenant is known; without one, the way to connect it. */
export function WithTenant({ children }: { readonly children: (tenant: Tenant) => ReactNode }): ReactElement {
  const text = useText();
  const { data, error, isPending, refetch } = useTenants();
  if (isPending) return <LoadingShape rows={6} />;
  if (error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  const tenant = data.items.find((one) => one.active);
  if (tenant === undefined) {
    return (
      <EmptyState text={text('jobs.needTenant')} action={<RouterLink to="/configuration/tenants">{text('tenants.title')}</RouterLink>} />
    );
  }
  return <>{children(tenant)}</>;
}
