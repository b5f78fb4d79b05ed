import { jobSource, type JobSource } from '@holdfast/contract/jobs';
import { createHurriedClock } from '@holdfast/engine/testing/hurried-clock';
import { createRig, type Rig } from '@holdfast/engine/testing/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { coveredResources, isMeant } from './covered-resources.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly isGuest: boolean;
}

describe('what a job covers', () => {
  let rig: Rig;
  let everybody: readonly Person[];
  let group: { readonly id: string; readonly name: string; readonly address: string };

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    const people: Person[] = [];
    for await (const user of rig.graph.directory.users()) {
      people.push({ id: user.id, name: user.displayName ?? '', address: user.userPrincipalName ?? '', isGuest: user.userType === 'Guest' });
    }
    everybody = people;
    for await (const one of rig.graph.directory.groups({ teamsOnly: true }))
      group ??= { id: one.id, name: one.displayName ?? '', address: '' };
  });
  afterAll(() => rig.close());

  const covered = async (source: Partial<JobSource>): Promise<string[]> => {
    const { resources } = await coveredResources(rig.graph, 'exchange', jobSource.parse(source));
    return resources.map((resource) => resource.graphId).toSorted();
  };
  const plain = ({ id, name, address }: Person) => ({ id, name, address });
  const membersNow = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const member of rig.graph.directory.groupMembers({ groupId: group.id })) ids.push(member.id);
    return ids.toSorted();
  };

  it('is everybody but guests, and but those who are excluded', async () => {
    const members = everybody.filter((person) => !person.isGuest);
    const [first, ...others] = members;
    if (!first) throw new Error('The tenant has no members.');
    expect(everybody.some((person) => person.isGuest)).toBe(true);
    expect(await covered({ everyone: true })).toEqual(members.map(({ id }) => id).toSorted());
    expect(await covered({ everyone: true, excluded: [plain(first)] })).toEqual(others.map(({ id }) => id).toSorted());
  });

  it('is the members that a group has now: a newcomer is in at the next run, without a change of the job', async () => {
    const source = { groups: [group] };
    const before = await covered(source);
    expect(before).toEqual(await membersNow());
    const newcomer = everybody.find((person) => !person.isGuest && !before.includes(person.id));
    if (!newcomer) throw new Error('Everybody is in the group.');
    const user = `https://graph.microsoft.com/v1.0/users('${newcomer.id}')`;
    const member = { '@odata.type': 'microsoft.graph.aadUserConversationMember', roles: [], 'user@odata.bind': user };
    await rig.graph.teams.addMembers({ teamId: group.id }, [member]);
    expect(await covered(source)).toEqual([...before, newcomer.id].toSorted());
    expect(await covered({ ...source, excluded: [plain(newcomer)] }), 'what is excluded wins').toEqual(before);
  });

  it('is the members of the groups in a group too, however deep and also in a circle, without what else is in them', async () => {
    const make = (displayName: string): string => String(rig.act('directory.createGroup', { displayName })['id']);
    const join = (into: string, member: object) => rig.act('directory.joinGroup', { group: into, ...member });
    const [outer, middle] = [make('Company'), make('Sales')];
    const people = everybody.filter((person) => !person.isGuest);
    const [direct, deep, later] = [people[0]?.id ?? '', people[1]?.id ?? '', people[2]?.id ?? ''];
    join(outer, { user: direct });
    join(outer, { member: middle });
    join(middle, { user: deep });
    join(middle, { user: everybody.find((person) => person.isGuest)?.id });
    join(middle, { member: outer });
    const named = (id: string) => ({ id, name: 'Company', address: '' });
    expect(await covered({ groups: [named(outer)] })).toEqual([direct, deep].toSorted());
    join(middle, { user: later });
    expect(await covered({ groups: [named(outer)] }), 'at the next run').toEqual([direct, deep, later].toSorted());
    const all = people.map(({ id }) => id);
    const spared = [direct, deep, later];
    expect(await covered({ everyone: true, excluded: [named(outer)] })).toEqual(all.filter((id) => !spared.includes(id)).toSorted());
    expect(() => join(group.id, { member: middle }), 'a Microsoft 365 group has people only').toThrow(/can not contain/);
  });

  describe('without the members of a group that is excluded', () => {
    const reasons = async (source: Partial<JobSource>): Promise<Record<string, string>> => {
      const { notCovered } = await coveredResources(rig.graph, 'exchange', jobSource.parse(source));
      return Object.fromEntries(notCovered.map(({ graphId, code }) => [graphId, code]));
    };

    it('follows newcomers and leavers at each run', async () => {
      const source = { everyone: true, excluded: [group] };
      const all = await covered({ everyone: true });
      const members = await membersNow();
      expect(await covered(source)).toEqual(all.filter((id) => !members.includes(id)));
      const [leaver = ''] = members;
      rig.act('directory.leaveGroup', { group: group.id, user: leaver });
      expect(await covered(source)).toEqual(all.filter((id) => id === leaver || !members.includes(id)));
      const user = `https://graph.microsoft.com/v1.0/users('${leaver}')`;
      const member = { '@odata.type': 'microsoft.graph.aadUserConversationMember', roles: [], 'user@odata.bind': user };
      await rig.graph.teams.addMembers({ teamId: group.id }, [member]);
      expect(await covered(source)).not.toContain(leaver);
    });

    it('leaves out who is chosen too, by name or by another group, and says so', async () => {
      const [id = ''] = await membersNow();
      const person = everybody.find((one) => one.id === id);
      if (!person) throw new Error('The group is empty.');
      const chosen = { users: [plain(person)], groups: [group], excluded: [group] };
      expect(await covered(chosen)).toEqual([]);
      expect(await reasons(chosen)).toEqual(Object.fromEntries((await membersNow()).map((one) => [one, 'coverage.excluded-by-job'])));
      expect(await reasons({ ...chosen, excluded: [plain(person)] })).toEqual({ [id]: 'coverage.excluded-by-job' });
      const { askedFor, isComplete, spared } = await coveredResources(rig.graph, 'exchange', jobSource.parse(chosen));
      expect(askedFor.toSorted()).toEqual(await membersNow());
      expect([isComplete, spared.toSorted()]).toEqual([false, await membersNow()]);
    });

    it('leaves out the OneDrives of its members as well', async () => {
      const { resources, notCovered } = await coveredResources(
        rig.graph,
        'onedrive',
        jobSource.parse({ groups: [group], excluded: [group] }),
      );
      expect(resources).toEqual([]);
      expect(notCovered.map(({ graphId }) => graphId).toSorted()).toEqual(await membersNow());
    });

    it('leaves out nobody when the group is not there any more; a chosen one that is gone is named', async () => {
      const gone = { id: '00000000-0000-4000-8000-000000000000', name: 'Dissolved', address: '' };
      expect(await covered({ everyone: true, excluded: [gone] })).toEqual(await covered({ everyone: true }));
      const chosen = { groups: [group, gone] };
      expect(await covered(chosen)).toEqual(await membersNow());
      expect(await reasons(chosen)).toEqual({ [gone.id]: 'graph.resource-gone' });
    });
  });

  it('names each person once, whoever chose them: by name and by group', async () => {
    const [id = ''] = await membersNow();
    const person = everybody.find((one) => one.id === id);
    if (!person) throw new Error('The group is empty.');
    expect(await covered({ groups: [group], users: [plain(person)] })).toEqual(await membersNow());
  });

  it('says who has no OneDrive instead of failing', async () => {
    const { resources, notCovered, isComplete } = await coveredResources(rig.graph, 'onedrive', jobSource.parse({ everyone: true }));
    expect(isComplete, 'drives that are gone can be told').toBe(true);
    const [someone] = everybody.filter(({ id, isGuest }) => !isGuest && !notCovered.some(({ graphId }) => graphId === id));
    if (!someone) throw new Error('Nobody has an OneDrive.');
    const spared = await coveredResources(rig.graph, 'onedrive', jobSource.parse({ everyone: true, excluded: [plain(someone)] }));
    expect(spared.isComplete, 'whose drive was not looked for').toBe(false);
    expect(resources.length).toBeGreaterThan(0);
    expect(resources.length + notCovered.length).toBe(everybody.filter((person) => !person.isGuest).length);
    expect(notCovered.map((one) => one.code)).toContain('graph.drive-missing');
  });

  it('has sites and teams by choice or all of them, and each chat once', async () => {
    const sites = await coveredResources(rig.graph, 'sharepoint', jobSource.parse({ everyone: true }));
    const [first] = sites.resources;
    if (!first) throw new Error('The tenant has no site.');
    const site = { id: first.graphId, name: first.name, address: first.address };
    const chosen = await coveredResources(rig.graph, 'sharepoint', jobSource.parse({ sites: [site] }));
    expect(chosen.resources).toEqual([first]);
    const options = { chats: true };
    const teams = await coveredResources(rig.graph, 'teams', jobSource.parse({ everyone: true, options }));
    const ids = teams.resources.map((resource) => resource.graphId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(teams.resources.map((resource) => resource.kind))).toEqual(new Set(['team', 'chat']));
  });

  describe('while the service has a fault that lasts', () => {
    type Found = Awaited<ReturnType<typeof coveredResources>>;
    const failing = (path: string, user?: string, status = 500): void =>
      rig.simulator.control.setFaults([{ match: { method: 'GET', path, ...(user === undefined ? {} : { user }) }, do: 'status', status }]);
    const ids = ({ resources }: Found): string[] => resources.map(({ graphId }) => graphId).toSorted();
    afterEach(() => rig.simulator.control.setFaults([]));

    it.each([
      ['onedrive', '/users/{id}/drive'],
      ['teams', '/users/{id}/chats'],
    ] as const)('has everybody but the one whose look-up fails, and all of them when it is over (%s)', async (workload, path) => {
      const source = jobSource.parse({ everyone: true, options: { chats: true } });
      const whole = await coveredResources(rig.graph, workload, source);
      const one = everybody.find(({ id, isGuest }) => !isGuest && !whole.notCovered.some(({ graphId }) => graphId === id));
      failing(path, one?.id);
      const most = await coveredResources(rig.graph, workload, source);
      const added = most.notCovered.filter(({ graphId }) => !whole.notCovered.some((before) => before.graphId === graphId));
      expect(added).toEqual([{ graphId: one?.id, name: one?.name, address: expect.any(String), code: 'graph.service-fault' }]);
      expect(added.some(isMeant), 'the run is not whole').toBe(false);
      expect([most.isComplete, most.askedFor.includes(one?.id ?? '')]).toEqual([false, true]);
      expect(ids(whole)).toEqual(expect.arrayContaining(ids(most)));
      expect(most.resources.length).toBeGreaterThan(whole.resources.length / 2);
      rig.simulator.control.setFaults([]);
      expect(ids(await coveredResources(rig.graph, workload, source))).toEqual(ids(whole));
    });

    it('has the members of the other groups; but reads nobody as long as it can not be told whom a group excludes', async () => {
      const other = String(rig.act('directory.createGroup', { displayName: 'Readable' })['id']);
      const [someone] = everybody.filter((person) => !person.isGuest);
      rig.act('directory.joinGroup', { group: other, user: someone?.id });
      const groups = [group, { id: other, name: 'Readable', address: '' }];
      failing(`*/groups/${group.id}/transitiveMembers*`);
      const found = await coveredResources(rig.graph, 'exchange', jobSource.parse({ groups }));
      expect(ids(found)).toEqual([someone?.id]);
      expect(found.notCovered).toEqual([{ graphId: group.id, name: group.name, address: '', code: 'graph.service-fault' }]);
      expect(found.notCovered.some(isMeant)).toBe(false);
      await expect(covered({ everyone: true, excluded: [group] })).rejects.toMatchObject({ code: 'graph.service-fault' });
    });

    it('ends altogether when nobody may be looked up any more', async () => {
      failing('/users/{id}/drive', undefined, 401);
      await expect(coveredResources(rig.graph, 'onedrive', jobSource.parse({ everyone: true }))).rejects.toMatchObject({
        code: 'graph.token-refused',
      });
    });
  });
});

describe('what was chosen and is there no more', () => {
  const gone = (last: number): JobSource['users'][number] => ({
    id: `00000000-0000-4000-8000-00000000000${last}`,
    name: 'Dissolved',
    address: '',
  });
  // Microsoft refuses the host of another tenant as a mistake: a site that is gone had the tenant's own.
  let site = gone(1);
  const users: JobSource['users'] = [];
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) {
      if (user.userType === 'Member' && user.accountEnabled)
        users.push({ id: user.id, name: user.displayName ?? '', address: user.userPrincipalName ?? '' });
    }
    for await (const { id } of rig.graph.sites.allSites()) site = { ...site, id: `${id.split(',')[0]},${gone(1).id},${gone(2).id}` };
    rig.act('directory.removeUser', { user: users[0]?.id });
  });
  afterAll(() => rig.close());

  it.each([
    ['exchange', () => [users[0]?.name]],
    ['onedrive', () => [users[0]?.name]],
    ['sharepoint', () => ['Dissolved']],
    ['teams', () => [users[0]?.name, 'Dissolved']],
  ] as const)('is named with its reason, and ends nothing else (%s)', async (workload, lost) => {
    const source = jobSource.parse({ users, sites: [site], teams: [gone(3)], options: { chats: true } });
    const { resources, notCovered, askedFor, isComplete } = await coveredResources(rig.graph, workload, source);
    const told = new Map<string, string | undefined>(notCovered.map(({ name, code }) => [name, code]));
    expect(notCovered.every((person) => !isMeant(person) && askedFor.includes(person.graphId))).toBe(true);
    for (const { kind, graphId, name } of resources) {
      const { status, code } = await rig.backup(rig.resource(kind, graphId, name));
      if (status !== 'successful') told.set(name, code);
    }
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(lost().map((name) => [name, 'graph.resource-gone'])));
    expect(isComplete).toBe(false);
    const others = { exchange: 2, onedrive: 2, sharepoint: 0, teams: 1 }[workload];
    expect(resources.length + notCovered.length - lost().length).toBeGreaterThanOrEqual(others);
  });
});
