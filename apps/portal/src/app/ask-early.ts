import { dashboard } from '@holdfast/contract/dashboard';
import { accounts } from '@holdfast/contract/identity';
import { tenants } from '@holdfast/contract/tenants';
import type { Portal } from '../api/portal.ts';
import { read } from '../api/queries.ts';
import { addresses } from './addresses.ts';
import { keptTenant } from './last-tenant.ts';

const overviewPaths: readonly string[] = [addresses.home, '/dashboard'];

/**
 * Asks what a page behind the sign-in asks first, while its scripts still load: who is signed in, for which tenant, and on
 * the overview its figures. Those are asked for the tenant of the last visit at once, and for another one when it has turned
 * out to be that. The page finds the answers by the same keys; what failed it asks again, and tells.
 */
export async function askEarly({ queries, worker, realm }: Portal, path: string): Promise<void> {
  const chosen = worker.get();
  if (chosen === null) return;
  const { clientId } = chosen;
  const askFigures = async (tenantId: string): Promise<void> => {
    if (!overviewPaths.includes(path)) return;
    await queries.prefetchQuery(read(dashboard.overview, { params: { tenantId }, quiet: true, background: true }));
  };
  void queries.prefetchQuery(read(accounts.account, { quiet: true }));
  const list = read(tenants.list, { query: { organisationId: clientId }, quiet: true });
  const listed = queries.prefetchQuery(list);
  const last = keptTenant(localStorage).read();
  const guess = last?.clientId === clientId && last.realm === realm.get() ? last.tenantId : null;
  if (guess !== null) void askFigures(guess);
  await listed;
  const tenantId = queries
    .getQueryData<Awaited<ReturnType<typeof list.queryFn>>>(list.queryKey)
    ?.items.find(({ active }) => active)?.tenantId;
  if (tenantId !== undefined && tenantId !== guess) await askFigures(tenantId);
}
