import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { mailOfTruth, mailOfVault } from '../../testing/compare-mail.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { Resource } from '../ports/item.ts';
import { createRetention } from './create-retention.ts';
import type { PointHold } from './disposition.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };
const UTC = { timeZone: 'UTC' };

describe('deleting restore points', () => {
  let rig: Rig;
  let mailbox: Resource;

  beforeEach(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id);
    mailbox = rig.resource('mailbox', mailbox.graphId);
    for (let point = 0; point < 4; point += 1) {
      rig.act('mail.deliver', { user: mailbox.graphId, subject: `For point ${point}` });
      await rig.backup(mailbox, MAIL_ONLY);
    }
  });
  afterEach(() => rig.close());

  function retention(holdsOn?: (resourceId: string) => Promise<readonly PointHold[]>) {
    return createRetention({ vault: rig.vault, catalog: rig.catalog, clock: rig.clock, ...(holdsOn ? { holdsOn } : {}) });
  }

  it('previews without changing anything', async () => {
    const preview = await retention().preview({ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } });
    expect(preview).toMatchObject({ keep: 2, remove: 2, held: 0 });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('gives up what the rule lets go; what is kept is whole', async () => {
    const result = await retention().run([{ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } }], new AbortController().signal);
    expect(result).toMatchObject({ removed: 2, kept: 2 });
    const points = await rig.catalog.points(mailbox.id);
    expect(points).toHaveLength(2);
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, mailbox.graphId));
    expect((await mailOfVault(rig, mailbox, points[0]?.sequence)).size).toBe((await mailOfTruth(rig, mailbox.graphId)).size - 1);
    expect((await rig.backup(mailbox, MAIL_ONLY)).status).toBe('successful');
  });

  it('changes nothing under a hold', async () => {
    const held = retention(async (resourceId) => (resourceId === mailbox.id ? [{ name: 'case 7' }] : []));
    const result = await held.run([{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }], new AbortController().signal);
    expect(result).toMatchObject({ removed: 0, kept: 4 });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('obeys a hold that is placed while it runs', async () => {
    let asked = 0;
    const holdsOn = async (): Promise<readonly PointHold[]> => {
      asked += 1;
      return [{ name: 'placed just now' }];
    };
    const rule = { resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } };
    expect(await retention(holdsOn).run([rule], new AbortController().signal)).toMatchObject({ removed: 0, kept: 4 });
    expect(asked).toBeGreaterThan(0);
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('refuses to delete while a resource of the vault is not named', async () => {
    await expect(retention().run([], new AbortController().signal)).rejects.toMatchObject({ code: 'retention.unknown-resource' });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });
});
