import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

/** What is written although its answer never arrives must not be written again. */
describe('a restore whose answers are lost', () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
  });
  afterAll(() => rig.close());

  /** The next requests of a path are carried out, and the connection breaks in the answer. */
  function loseAnswers(path: string, times: number): void {
    rig.simulator.control.setFaults([{ match: { method: 'POST', path }, do: 'reset', when: 'middle', times }]);
  }

  async function restored(source: Resource, selection: readonly string[] | 'all', kind: string, path: string) {
    const before = (await rig.truth(kind, source.graphId)).length;
    loseAnswers(path, 4);
    const target = { resource: source, folder: 'Again' };
    const { result } = await rig.restore({ source, selection, target, collisions: 'keepBoth' });
    rig.simulator.control.setFaults([]);
    expect(result.counts.failed).toBe(0);
    return { before, after: (await rig.truth(kind, source.graphId)).length };
  }

  it('makes no event twice', async () => {
    let mailbox: Resource | undefined;
    for await (const user of rig.graph.directory.users()) {
      if (user.userType === 'Member' && (await rig.truth('calendar', user.id)).length > 10) mailbox ??= rig.resource('mailbox', user.id);
    }
    if (!mailbox) throw new Error('Nobody has events.');
    await rig.backup(mailbox, { selection: { mailbox: { contacts: false, tasks: false }, include: ['Nothing of the mail'] } });
    const { before, after } = await restored(mailbox, ['area:calendars'], 'calendar', '*/calendars/*/events');
    expect(before).toBeGreaterThan(10);
    expect(after).toBe(before * 2);
  });

  it('makes no list item twice', async () => {
    let site: Resource | undefined;
    for await (const one of rig.graph.sites.allSites()) if (one.webUrl?.endsWith('/intranet')) site = rig.resource('site', one.id ?? '');
    if (!site) throw new Error('There is no intranet.');
    const { graphId } = site;
    await rig.backup(site);
    const rows = async () => (await rig.truth('sites', graphId)).filter((record) => record.kind === 'listItem');
    const before = await rows();
    loseAnswers('*/lists/*/items', 6);
    await rig.restore({ source: site, selection: 'all', target: { resource: site, folder: 'Again' }, collisions: 'keepBoth' });
    rig.simulator.control.setFaults([]);
    const added = (await rows()).filter((row) => !before.some((known) => known.path === row.path && known.id === row.id));
    const own = (await rig.items(site)).filter((item) => item.kind === 'listItem');
    expect(own.length).toBeGreaterThan(10);
    expect(added).toHaveLength(own.length);
  });

  it('imports no message twice', async () => {
    let team: Resource | undefined;
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) team ??= rig.resource('team', group.id, 'Team');
    if (!team) throw new Error('There is no team.');
    const { graphId } = team;
    await rig.backup(team);
    const posts = async () => (await rig.truth('teams', graphId)).filter((record) => record.kind === 'chatMessage');
    const before = await posts();
    loseAnswers('*/messages', 5);
    const { lines } = await rig.restore({
      source: team,
      selection: 'all',
      target: { resource: team, folder: 'Again' },
      collisions: 'skip',
    });
    rig.simulator.control.setFaults([]);
    const left = lines.filter((line) => line.outcome === 'notPossible').length;
    expect(before.length).toBeGreaterThan(left + 10);
    expect((await posts()).length - before.length).toBe(before.length - left);
  });
});
