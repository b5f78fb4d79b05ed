import type { Simulator } from '@holdfast/m365-simulator';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';

interface TrueOwners {
  readonly state: 'none' | 'blocked' | 'owned';
  readonly owners: readonly { readonly id: string; readonly address: string; readonly isBlocked: boolean }[];
}

/** Reads the owners of the site of each group from the directory of the simulator itself, by the address of the site. */
export async function trueSiteOwners(simulator: Simulator): Promise<ReadonlyMap<string, TrueOwners>> {
  const [tenant] = simulator.simulation.tenants.values();
  if (!tenant) throw new Error('The simulator has no tenant.');
  const client = await createHttpsClient(simulator);
  const found = new Map<string, TrueOwners>();
  for (const group of tenant.directory.groups().filter(({ kind }) => kind === 'unified')) {
    const { value } = (await client.send('GET', `/groups/${group.id}/drives`)).json as unknown as { value: { webUrl: string }[] };
    const address = value[0]?.webUrl ?? '';
    const owners = group.ownerIds.flatMap((id) => tenant.directory.user(id) ?? []);
    const isBlocked = owners.length > 0 && owners.every(({ accountEnabled }) => !accountEnabled);
    found.set(address.slice(0, address.lastIndexOf('/')), {
      state: owners.length === 0 ? 'none' : isBlocked ? 'blocked' : 'owned',
      owners: owners.map(({ id, mail, accountEnabled }) => ({ id, address: mail, isBlocked: !accountEnabled })),
    });
  }
  client.close();
  return found;
}
