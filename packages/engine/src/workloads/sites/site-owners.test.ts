import { isGraphError } from '@holdfast/m365';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

interface Ownership {
  readonly unknown?: string;
  readonly group?: { readonly id: string };
  readonly owners?: readonly { readonly id: string; readonly accountEnabled?: boolean }[];
}

describe('who owns a site, in a vault', () => {
  let rig: Rig;
  let groupId: string;
  let ownerIds: readonly string[];
  const sites = new Map<string, Resource>();

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const { id, webUrl } of rig.graph.sites.allSites()) sites.set(new URL(webUrl ?? '').pathname, rig.resource('site', id));
    const [tenant] = rig.simulator.simulation.tenants.values();
    const group = tenant?.directory.groups().find(({ kind }) => kind === 'unified');
    if (!group) throw new Error('The tenant has no group.');
    ({ id: groupId, ownerIds } = group);
  });
  afterAll(() => rig.close());

  async function ownershipOf(path: string): Promise<Ownership | undefined> {
    const site = sites.get(path);
    if (!site) throw new Error(`There is no site at ${path}.`);
    expect((await rig.backup(site)).status).toBe('successful');
    return (await rig.items(site)).find(({ kind }) => kind === 'site')?.properties['ownership'] as Ownership | undefined;
  }
  const idsOf = (ownership: Ownership | undefined): string[] | undefined => ownership?.owners?.map(({ id }) => id);

  it('is whoever owns the group behind it, whether the account is blocked or not', async () => {
    const before = await ownershipOf('/sites/everyone');
    expect(before?.group?.id).toBe(groupId);
    expect(idsOf(before)).toEqual(ownerIds.toSorted());
    expect(before?.owners?.every(({ accountEnabled }) => accountEnabled === true)).toBe(true);
    rig.act('directory.changeUser', { user: ownerIds[0], accountEnabled: false });
    const after = await ownershipOf('/sites/everyone');
    expect(after?.owners?.filter(({ accountEnabled }) => accountEnabled === false).map(({ id }) => id)).toEqual([ownerIds[0]]);
  });

  it('is nobody once the last owner has left, and somebody again', async () => {
    rig.act('directory.changeOwners', { group: groupId, owners: [] });
    expect((await ownershipOf('/sites/everyone'))?.owners).toEqual([]);
    rig.act('directory.changeOwners', { group: groupId, owners: [ownerIds[1]] });
    expect(idsOf(await ownershipOf('/sites/everyone'))).toEqual([ownerIds[1]]);
  });

  it('is not known of a site without a group, nor of that of a private channel, whose library names the group of the team', async () => {
    expect(await ownershipOf('/sites/home')).toEqual({ unknown: 'noGroup' });
    expect(await ownershipOf('/sites/everyone-Leads')).toEqual({ unknown: 'groupOfOtherSite' });
  });

  it('stays as it is known when Microsoft cannot tell it for now, and the run names the site', async () => {
    const site = sites.get('/sites/everyone');
    if (!site) throw new Error('There is no site of the team.');
    const before = await ownershipOf('/sites/everyone');
    const result = await rig.backup(site, {
      seenAs: (graph) => ({
        ...graph,
        directory: {
          ...graph.directory,
          groupOwners: () => ({
            async *[Symbol.asyncIterator]() {
              for await (const one of graph.directory.groupOwners({ groupId: 'not a group' })) yield one;
            },
          }),
        },
      }),
    });
    expect(result.status).toBe('defective');
    expect((await rig.items(site)).find(({ kind }) => kind === 'site')?.properties['ownership']).toEqual(before);
    expect(await ownershipOf('/sites/everyone')).toEqual(before);
  });

  it('is not known without the permission to read groups, and the site is whole all the same', async () => {
    const { simulator } = rig;
    const tenantId = simulator.tenants[0]?.tenantId ?? '';
    const roles = (await rig.graph.diagnose()).roles
      .map(({ role }) => role)
      .filter((role) => /^(?:Group|GroupMember|Directory)\./u.test(role));
    simulator.control.withdraw(tenantId, roles);
    simulator.control.revokeTokens(tenantId);
    const owners = Array.fromAsync(rig.graph.directory.groupOwners({ groupId }));
    await expect(owners).rejects.toSatisfy((error) => isGraphError(error, 'graph.permission-missing'));
    expect(await ownershipOf('/sites/everyone')).toEqual({ unknown: 'refused' });
  });
});
