import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

const WITHOUT = { mailbox: { calendars: false, contacts: false, tasks: false } };
const WITH = { mailbox: { ...WITHOUT.mailbox, recoverableItems: true } };

describe('what a job takes of a mailbox', () => {
  let rig: Rig;
  let mailbox: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id);
  });
  afterAll(() => rig.close());

  async function recoverableFolders(): Promise<number> {
    return (await rig.items(mailbox)).filter((item) => item.properties['isRecoverable'] === true).length;
  }

  it('has recoverable items only when asked, and lets them go when not asked any more', async () => {
    await rig.backup(mailbox, { selection: WITHOUT });
    expect(await recoverableFolders()).toBe(0);
    await rig.backup(mailbox, { selection: WITH });
    expect(await recoverableFolders()).toBeGreaterThan(0);
    expect(await rig.backup(mailbox, { selection: WITH })).toMatchObject({ segments: 0 });
    await rig.backup(mailbox, { selection: WITHOUT });
    expect(await recoverableFolders()).toBe(0);
  });

  it('lets contacts and calendars go when they are not selected any more, and reads them whole when they are again', async () => {
    const kinds = async (): Promise<number> =>
      (await rig.items(mailbox)).filter((item) => item.kind === 'contact' || item.kind === 'event').length;
    await rig.backup(mailbox);
    const all = await kinds();
    expect(all).toBeGreaterThan(0);
    await rig.backup(mailbox, { selection: WITHOUT });
    expect(await kinds()).toBe(0);
    await rig.backup(mailbox);
    expect(await kinds()).toBe(all);
  });

  it('has its mail also when the role for calendars is missing, and says what is', async () => {
    const tenantId = rig.simulator.tenants[0]?.tenantId ?? '';
    rig.simulator.control.withdraw(tenantId, ['Calendars.Read', 'Calendars.ReadWrite']);
    rig.simulator.control.revokeTokens(tenantId);
    rig.act('mail.deliver', { user: mailbox.graphId, subject: 'While a role is missing' });
    const result = await rig.backup(mailbox);
    expect(result).toMatchObject({ status: 'defective', counts: { added: 1 } });
    expect(rig.problems.all.at(-1)).toMatchObject({ code: 'graph.permission-missing', advice: 'grantRole', path: 'calendars' });
    rig.simulator.control.grant(tenantId, ['Calendars.Read', 'Calendars.ReadWrite']);
    rig.simulator.control.revokeTokens(tenantId);
    expect((await rig.backup(mailbox)).status).toBe('successful');
  });

  it('leaves out folders by path and says so; taking them in again reads them', async () => {
    const messages = async (): Promise<number> => (await rig.items(mailbox)).filter((item) => item.kind === 'message').length;
    const all = await messages();
    await rig.backup(mailbox, { selection: { ...WITHOUT, exclude: ['inbox'] } });
    const without = await messages();
    expect(without).toBeLessThan(all);
    const excluded = (await rig.items(mailbox)).filter((item) => item.properties['notProtected'] === 'excluded');
    expect(excluded.length).toBeGreaterThan(0);
    await rig.backup(mailbox, { selection: { ...WITHOUT, include: ['Inbox'] } });
    expect(await messages()).toBeLessThan(all);
    await rig.backup(mailbox, { selection: WITHOUT });
    expect(await messages()).toBe(all);
  });

  it('does not miss a message that could not be read once nobody chooses its folder', async () => {
    rig.act('mail.deliver', { user: mailbox.graphId, subject: 'Damaged' });
    rig.simulator.control.setFaults([{ match: { method: 'GET', path: '*/messages/*/$value' }, do: 'status', status: 400 }]);
    expect(await rig.backup(mailbox, { selection: WITHOUT })).toMatchObject({ status: 'defective' });
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(mailbox, { selection: { ...WITHOUT, exclude: ['Inbox'] } })).toMatchObject({ status: 'successful' });
    const inbox = (await rig.items(mailbox)).find((item) => item.properties['wellKnown'] === 'inbox');
    expect((await rig.items(mailbox)).filter(({ parentKey, kind }) => kind === 'message' && parentKey === inbox?.key)).toEqual([]);
  });

  it('takes what any job takes of it, whichever runs', async () => {
    const contacts = { include: ['Nothing'], mailbox: { ...WITHOUT.mailbox, contacts: true } };
    const inbox = { ...WITH, include: ['Inbox'] };
    await rig.backup(mailbox, { selection: contacts, beside: [inbox] });
    const kinds = new Set((await rig.items(mailbox)).map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['contact', 'message']));
    expect(await recoverableFolders()).toBeGreaterThan(0);
    expect(kinds.has('event')).toBe(false);
    expect(await rig.backup(mailbox, { selection: inbox, beside: [contacts] })).toMatchObject({ segments: 0, bytesRead: 0 });
  });
});
