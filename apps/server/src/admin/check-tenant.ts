import { AppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import type { Scope } from '@holdfast/database';
import { withFeatures } from '../product/start-product.ts';
import type { Ground } from '../product/ground.ts';
import { allScopes } from '../features/organisations/index.ts';
import { listTenants, type TenantRow } from '../features/tenants/index.ts';
import type { Command } from './command.ts';

interface Found {
  readonly scope: Scope;
  readonly row: TenantRow;
}

async function everyTenant({ database }: Ground): Promise<Found[]> {
  const found: Found[] = [];
  for (const scope of await allScopes(database)) {
    for (const row of await database.within(scope, (tx) => listTenants(tx))) found.push({ scope, row });
  }
  return found;
}

/** Tries what the product relies on against a connected tenant, by reading alone. */
export const checkTenant: Command = {
  name: 'check-tenant',
  summary: 'Asks a connected tenant, by reading alone, whether Microsoft 365 behaves as the product relies on, and prints the differences.',
  options: { tenant: 'Id of the tenant; without it, the tenants are listed' },
  async run({ config, logger, print }, given) {
    const tenantId = given['tenant'];
    if (tenantId !== undefined && !isUuid(tenantId)) {
      throw new AppError('admin.bad-option', { message: '--tenant is not the id of a tenant.' });
    }
    await withFeatures({ config, logger }, async ({ ground, tenants }) => {
      const known = await everyTenant(ground);
      if (tenantId === undefined) {
        for (const { scope, row } of known) print(`${row.tenant_id}\t${scope.realm}\t${row.name}`);
        print('Say which with --tenant <id>.');
        return;
      }
      const place = known.find(({ row }) => row.tenant_id === tenantId);
      if (!place) throw new AppError('admin.bad-option', { message: '--tenant is the id of no tenant here.' });
      const counts = { 'as expected': 0, different: 0, 'not asked': 0 };
      await tenants.graph.use(place.scope, tenantId, async (graph) => {
        for await (const { name, relies, outcome, detail } of graph.probe()) {
          counts[outcome] += 1;
          print(`${outcome}\t${name}\t${relies}`);
          if (detail !== undefined) print(`\t${detail}`);
        }
      });
      print(`${counts['as expected']} as expected, ${counts.different} different, ${counts['not asked']} not asked.`);
      if (counts.different > 0) {
        throw new AppError('admin.service-differs', { message: `Microsoft 365 behaves differently in ${counts.different} places.` });
      }
    });
  },
};
