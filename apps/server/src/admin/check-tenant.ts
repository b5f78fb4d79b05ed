import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import type { Command } from './command.ts';
import { everyTenant, requireTenant, requireTenantId } from './tenant-place.ts';

/** Tries what the product relies on against a connected tenant, by reading alone. */
export const checkTenant: Command = {
  name: 'check-tenant',
  summary: 'Asks a connected tenant, by reading alone, whether Microsoft 365 behaves as the product relies on, and prints the differences.',
  options: { tenant: 'Id of the tenant; without it, the tenants are listed' },
  async run({ config, logger, print }, given) {
    const tenantId = given['tenant'];
    if (tenantId !== undefined) requireTenantId(tenantId);
    await withFeatures({ config, logger }, async ({ ground, tenants }) => {
      const known = await everyTenant(ground);
      if (tenantId === undefined) {
        for (const { scope, row } of known) print(`${row.tenant_id}\t${scope.realm}\t${row.name}`);
        print('Say which with --tenant <id>.');
        return;
      }
      const place = requireTenant(known, tenantId);
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
