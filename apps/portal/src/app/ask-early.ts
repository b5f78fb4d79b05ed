import { dashboard } from '@holdfast/contract/dashboard';
import { accounts } from '@holdfast/contract/identity';
import { tenants } from '@holdfast/contract/tenants';
import type { Portal } from '../api/portal.ts';
import { read } from '../api/queries.ts';
import { addresses } from './addresses.ts';

const overviewPaths: readonly string[] = [addresses.home, '/dashboard'];

/**
 * Asks what a page behind the sign-in asks first, while its scripts still load: who is signed in, for which tenant, and on
 * the overview its figures. The page finds the answers by the same keys; what failed it asks again, and tells.
 */
export async function askEarly({ queries, worker }: Portal, path: string): Promise<void> {
  const chosen = worker.get();
  if (chosen === null) return;
  void queries.prefetchQuery(read(accounts.account, { quiet: true }));
  const list = read(tenants.list, { query: { organisationId: chosen.clientId }, quiet: true });
  await queries.prefetchQuery(list);
  const tenantId = queries
    .getQueryData<Awaited<ReturnType<typeof list.queryFn>>>(list.queryKey)
    ?.items.find(({ active }) => active)?.tenantId;
  if (tenantId === undefined || !overviewPaths.includes(path)) return;
  await queries.prefetchQuery(read(dashboard.overview, { params: { tenantId }, quiet: true, background: true }));
}
