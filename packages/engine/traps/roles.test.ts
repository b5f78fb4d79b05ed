import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { ResourceKind } from '../src/ports/item.ts';

/** What each workload's roles are needed for. */
const KINDS: Readonly<Record<string, readonly ResourceKind[]>> = {
  exchange: ['mailbox'],
  drives: ['drive', 'team'],
  sites: ['site', 'team'],
  teams: ['team'],
  chats: ['chat'],
};

interface Role {
  readonly role: string;
  readonly workload: string;
}

describe('32: with each role missing in turn', () => {
  let source: Rig;
  let roles: readonly Role[] = [];
  const resources = new Map<ResourceKind, string>();
  const whole = new Map<ResourceKind, readonly string[]>();

  async function findResources({ graph }: Rig): Promise<void> {
    for await (const user of graph.directory.users()) {
      if (resources.has('mailbox') || !(await hasEverything(user.id))) continue;
      resources.set('mailbox', user.id).set('drive', user.id);
      for await (const chat of graph.chats.chats({ userId: user.id })) resources.set('chat', chat.id);
    }
    for await (const site of graph.sites.allSites()) if (site.webUrl?.endsWith('/intranet')) resources.set('site', site.id);
    for await (const group of graph.directory.groups({ teamsOnly: true })) resources.set('team', group.id);
  }

  async function hasEverything(userId: string): Promise<boolean> {
    const kinds = await Promise.all(['mail', 'calendar', 'contacts', 'todo', 'drives'].map((kind) => source.truth(kind, userId)));
    return kinds.every((records) => records.length > 0);
  }

  /** A write role would stand in for the read role that is missing. */
  async function keepReadRoles({ graph, simulator }: Rig): Promise<void> {
    const diagnosis = await graph.diagnose();
    const tenantId = simulator.tenants[0]?.tenantId ?? '';
    roles = diagnosis.roles.filter(({ purpose, optional }) => purpose === 'backup' && !optional);
    simulator.control.withdraw(
      tenantId,
      diagnosis.roles.map(({ role }) => role),
    );
    simulator.control.grant(
      tenantId,
      roles.map(({ role }) => role),
    );
  }

  beforeAll(async () => {
    source = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    await findResources(source);
    await keepReadRoles(source);
    for (const kind of new Set(Object.values(KINDS).flat())) whole.set(kind, (await backedUp(kind)).held);
  }, 60_000);
  afterAll(() => source.close());

  /** A first backup by a client that has signed in anew, and what of it is in the vault. */
  async function backedUp(kind: ResourceKind) {
    const rig = await createRig({ shared: source.simulator, clockOfEngine: createHurriedClock() });
    const resource = rig.resource(kind, resources.get(kind) ?? '');
    const { status } = await rig.backup(resource);
    const held = (await rig.items(resource)).map((item) => `${item.kind} ${item.key} ${item.contents.length}`).sort();
    const told = rig.problems.all.map(({ code, advice, outcome }) => ({ code, advice, outcome }));
    await rig.close();
    return { status, held, told };
  }

  it('a backup is whole, or says that a role is missing', async () => {
    const [tenant] = source.simulator.tenants;
    const tenantId = tenant?.tenantId ?? '';
    const unchanged: [what: string, held: readonly string[], all: readonly string[] | undefined][] = [];
    const missing: [role: string, told: readonly object[]][] = [];
    for (const { role, workload } of roles) {
      for (const kind of KINDS[workload] ?? []) {
        source.simulator.control.withdraw(tenantId, [role]);
        const { status, held, told } = await backedUp(kind);
        source.simulator.control.grant(tenantId, [role]);
        if (status === 'successful') unchanged.push([`${kind} without ${role}`, held, whole.get(kind)]);
        else missing.push([role, told]);
      }
    }
    for (const [what, held, all] of unchanged) expect(held, what).toEqual(all);
    const named = { code: 'graph.permission-missing', advice: 'grantRole', outcome: 'recorded' };
    for (const [role, told] of missing) expect(told, role).toContainEqual(named);
    const missed = missing.map(([role]) => role);
    expect(missed).toEqual(
      expect.arrayContaining([
        'Mail.Read',
        'Calendars.Read',
        'Contacts.Read',
        'Tasks.Read.All',
        'Sites.Read.All',
        'ChannelMessage.Read.All',
        'Chat.Read.All',
      ]),
    );
  });
});
