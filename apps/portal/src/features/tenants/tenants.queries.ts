import { locations } from '@holdfast/contract/locations';
import type { Location } from '@holdfast/contract/locations';
import { organisations } from '@holdfast/contract/members';
import { tenants } from '@holdfast/contract/tenants';
import type { Tenant } from '@holdfast/contract/tenants';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useChosenWorker } from '../../api/portal-context.ts';
import { useRestricted } from '../../api/restriction.ts';
import { read } from '../../api/queries.ts';

/** The tenants of the chosen organisation. */
export function useTenants(): UseQueryResult<{ readonly items: readonly Tenant[] }> {
  const chosen = useChosenWorker();
  const isRestricted = useRestricted();
  return useQuery({
    ...read(tenants.list, { query: chosen === null ? {} : { organisationId: chosen.clientId }, quiet: true }),
    enabled: chosen !== null && !isRestricted,
    staleTime: 30_000,
  });
}

/** The tenant that all pages show: the active one of the chosen organisation. */
export function useTenant(): { readonly tenant: Tenant | null; readonly isPending: boolean } {
  const { data, isPending } = useTenants();
  return { tenant: data?.items.find((tenant) => tenant.active) ?? null, isPending };
}

/** What new schedules start with: the clock of the organisation, else that of the browser; undefined until it is known. */
export function useTimeZone(): string | undefined {
  const chosen = useChosenWorker();
  const { data, isPending } = useQuery({ ...read(organisations.list, { quiet: true }), staleTime: 60_000 });
  if (isPending) return undefined;
  const own = data?.items.find((one) => one.organisationId === chosen?.clientId);
  return own?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Where the data of a tenant is stored. */
export function useLocations(tenantId: string): UseQueryResult<{ readonly items: readonly Location[] }> {
  return useQuery({ ...read(locations.list, { params: { tenantId }, quiet: true }), staleTime: 30_000 });
}
