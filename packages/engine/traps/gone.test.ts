import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { readCoverage } from '../src/coverage/read-coverage.ts';
import { gonePartsOf } from '../src/pipeline/gone.ts';
import type { ItemVersion, Resource, ResourceKind } from '../src/ports/item.ts';

const DAY_MS = 24 * 3_600_000;

/** What the service names and does not have, whoever asks: nobody can heal it, and nobody may overlook it. */
describe('what is gone for good at the source', () => {
  const clock = createHurriedClock();
  let rig: Rig;
  let snapshot: string;
  const owners = new Map<ResourceKind, string>();

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: clock });
    for await (const user of rig.graph.directory.users()) {
      const contacts = await rig.truth('contacts', user.id);
      if (user.userType === 'Member' && user.accountEnabled && contacts.length > 2) owners.set('mailbox', user.id);
    }
    const userId = owners.get('mailbox') ?? '';
    owners.set('drive', (await rig.graph.drives.userDrive({ userId })).id);
    const file = (await rig.truth('drives', userId)).find((item) => item.kind === 'file');
    rig.act('drives.edit', { user: userId, path: file?.path });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) owners.set('team', group.id);
    for await (const chat of rig.graph.chats.chats({ userId })) if (chat.chatType === 'group') owners.set('chat', chat.id);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => {
    rig.simulator.control.restore(snapshot);
    rig.simulator.control.setFaults([]);
  });
  afterAll(() => rig.close());

  const resourceOf = (kind: ResourceKind): Resource => ({ id: rig.ids.uuid(), kind, graphId: owners.get(kind) ?? '', name: kind });

  const backUp = (resource: Resource) =>
    rig.backup(resource, resource.kind === 'mailbox' ? { selection: { mailbox: { calendars: false, tasks: false } } } : {});

  const lose = (path: string): void => rig.simulator.control.setFaults([{ match: { method: 'GET', path }, do: 'status', status: 404 }]);

  /** What the list of a run says, and what is not protected after it. */
  async function run(resource: Resource) {
    const before = rig.problems.all.length;
    const { status, counts, segments } = await backUp(resource);
    const told = rig.problems.all.slice(before).map(({ outcome, code }) => `${outcome} ${code}`);
    const lines = await Array.fromAsync(readCoverage(rig.catalog, { id: resource.id }));
    const codes = lines.map(({ code }) => code).filter((code) => code.startsWith('engine.'));
    return { status, counts, segments, told: [...new Set(told)], gaps: [...new Set(codes)], lines };
  }

  const lacking = async (resource: Resource): Promise<readonly ItemVersion[]> =>
    (await rig.items(resource)).filter((item) => gonePartsOf(item).length > 0);

  it.each([
    ['mailbox', 'contact', '*/contacts/*/photo/$value'],
    ['team', 'post', '*/hostedContents/*'],
    ['chat', 'chatMessage', '*/hostedContents/*'],
    ['drive', 'file', '*/versions/*/content'],
  ] as const)('is looked for during a week, then noted on the item (%s: %s)', async (kind, itemKind, path) => {
    const resource = resourceOf(kind);
    lose(path);
    expect(await run(resource)).toMatchObject({ status: 'defective', told: ['recorded engine.part-missing'], gaps: [] });
    expect(await lacking(resource)).toEqual([]);
    const since = clock.nowMs();
    await clock.sleep(6 * DAY_MS);
    expect(await run(resource)).toMatchObject({ status: 'defective', told: ['recorded engine.part-missing'], gaps: [] });
    await clock.sleep(1.1 * DAY_MS);
    const noted = await run(resource);
    expect(noted).toMatchObject({ status: 'successful', told: ['excluded engine.part-gone'], gaps: ['engine.part-gone'] });
    const items = await lacking(resource);
    expect(noted.counts).toMatchObject({ failed: 0, excluded: items.length });
    expect(items.map((item) => item.kind)).toContain(itemKind);
    expect(items.length).toBe(noted.lines.filter(({ code }) => code === 'engine.part-gone').length);
    const dates = items.flatMap((item) => gonePartsOf(item).map((part) => Date.parse(part.since)));
    expect(dates.every((date) => date <= since && date > since - DAY_MS)).toBe(true);
    expect(await run(resource), 'nothing more to say').toMatchObject({ status: 'successful', told: [], segments: 0, gaps: noted.gaps });
  });

  it('stays noted when the item changes, and is whole again when the service has it again', async () => {
    const resource = resourceOf('mailbox');
    lose('*/contacts/*/photo/$value');
    await run(resource);
    await clock.sleep(8 * DAY_MS);
    await run(resource);
    const [contact] = await lacking(resource);
    const ref = { userId: resource.graphId, contactId: contact?.key ?? '' };
    const rename = (companyName: string) => rig.graph.exchange.contacts.updateContact(ref, { companyName });
    const noted = async () => (await lacking(resource)).find(({ key }) => key === contact?.key);
    await rename('Northwind');
    const changed = await run(resource);
    expect(changed).toMatchObject({ status: 'successful', told: ['excluded engine.part-gone'], gaps: ['engine.part-gone'] });
    expect(gonePartsOf((await noted()) as ItemVersion)).toEqual(gonePartsOf(contact as ItemVersion));
    rig.simulator.control.setFaults([]);
    await rename('Fabrikam');
    expect(await run(resource)).toMatchObject({ status: 'successful', told: [] });
    expect(await noted()).toBeUndefined();
  });

  it('is missed from the second run on when the item itself can not be read, and named by each run after a week', async () => {
    const resource = resourceOf('mailbox');
    rig.act('mail.deliver', { user: resource.graphId, folder: 'inbox', subject: 'Listed and not there' });
    lose('*/messages/*/$value');
    expect(await run(resource), 'a deletion meanwhile is no error').toMatchObject({ status: 'successful', told: [] });
    expect(await run(resource)).toMatchObject({ status: 'defective', told: ['recorded engine.item-missing'], gaps: [] });
    await clock.sleep(8 * DAY_MS);
    const gone = { status: 'successful', told: ['excluded engine.item-gone'], gaps: ['engine.item-gone'] };
    const noted = await run(resource);
    expect(noted).toMatchObject(gone);
    expect(noted.lines.map(({ path }) => path)).toContainEqual(expect.stringMatching(/.+\/Listed and not there$/u));
    expect(await run(resource)).toMatchObject({ ...gone, segments: 0 });
    rig.simulator.control.setFaults([]);
    const healed = await run(resource);
    expect(healed).toMatchObject({ status: 'successful', told: [], gaps: [] });
    expect(healed.counts.added).toBe(noted.counts.excluded);
  });
});
