import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };

describe('traps of mail', () => {
  let rig: Rig;
  let mailbox: Resource;
  let userId: string;
  let ids: readonly string[];

  beforeEach(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
    mailbox = rig.resource('mailbox', userId);
    ids = [...(await mailOfTruth(rig, userId)).values()].filter((message) => !message.isDraft).map((message) => message.id);
  });
  afterEach(async () => {
    onCrashPoint(undefined);
    await rig.close();
  });

  const fault = (...rules: readonly object[]): void => rig.simulator.control.setFaults(rules as never);

  it('6: expired tokens cost a listing, no content is read twice, deletions are found', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    rig.act('mail.purge', { user: userId, id: ids[0] });
    rig.act('mail.deliver', { user: userId, subject: 'After the token' });
    rig.simulator.control.expireDeltaTokens(rig.simulator.tenants[0]?.tenantId ?? '');
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result).toMatchObject({ status: 'successful', counts: { added: 1, removed: 1, changed: 0 } });
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('7: messages that vanish between listing and reading are gone, not errors, and their earlier versions stay', async () => {
    fault({ match: { method: 'GET', path: '/users/{id}/messages/{id}/$value' }, do: 'vanish', times: 5 });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result).toMatchObject({ status: 'successful', counts: { gone: 5, failed: 0 } });
    fault();
    await rig.backup(mailbox, MAIL_ONLY);
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('8: read state, flags and categories are new versions without reading content', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    const before = await mailOfTruth(rig, userId);
    for (const id of ids) rig.act('mail.read', { user: userId, id, isRead: before.get(id)?.isRead !== true });
    rig.act('mail.flag', { user: userId, id: ids[1] });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result.bytesRead).toBe(0);
    expect(result.counts.changed).toBe(ids.length);
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('5: a moved message is not read again in either order of folders', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    const lying = [...(await mailOfTruth(rig, userId)).values()].filter((message) => !message.isDraft);
    const inFolder = (names: RegExp) => lying.filter((message) => names.test(message.path)).map((message) => message.id);
    const [sent] = inFolder(/^(Sent Items|Gesendete Elemente)$/u);
    const [received, other] = inFolder(/^(Inbox|Posteingang)/u);
    rig.act('mail.move', { user: userId, id: sent, folder: 'inbox' });
    rig.act('mail.move', { user: userId, id: received, folder: 'sentitems' });
    rig.act('mail.move', { user: userId, id: other, folder: 'deleteditems' });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result).toMatchObject({ bytesRead: 0, counts: { added: 0, removed: 0 } });
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('18: of a damaged message the readable parts are kept, the rest is in the list, and it heals', async () => {
    fault({ match: { method: 'GET', path: '/users/{id}/messages/{id}/$value' }, do: 'corruptMessage', times: 1 });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result.status).toBe('defective');
    const [problem] = rig.problems.all;
    fault({ match: { method: 'GET', path: '/users/{id}/messages/{id}/$value' }, do: 'corruptMessage', times: 1 });
    const again = await rig.backup(mailbox, MAIL_ONLY);
    expect(again, 'as damaged as before, and said again').toMatchObject({ status: 'defective', counts: { failed: 1, changed: 0 } });
    expect(rig.problems.all[1]).toMatchObject({ itemKey: problem?.itemKey, code: 'graph.corrupt-item' });
    expect(problem).toMatchObject({ outcome: 'recorded', code: 'graph.corrupt-item', tried: ['mime'] });
    const partly = (await rig.items(mailbox)).find((item) => item.key === problem?.itemKey);
    expect(partly?.contents.map((content) => content.role)).toContain('part');
    fault();
    expect((await rig.backup(mailbox, MAIL_ONLY)).status).toBe('successful');
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('30: a mailbox over its quota is listed and compared, because change tracking would have to write', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    rig.act('mail.purge', { user: userId, id: ids[0] });
    fault({ match: { method: 'GET', path: '/users/{id}/mailFolders/{id}/messages/delta' }, do: 'quota' });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result).toMatchObject({ status: 'successful', bytesRead: 0, counts: { removed: 1 } });
  });

  it('23: a create that was carried out although it answered with a failure is not done twice', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    const before = await mailOfTruth(rig, userId);
    for (const id of ids) rig.act('mail.purge', { user: userId, id });
    fault({ match: { method: 'POST', path: '/users/{id}/mailFolders/{id}/messages', probability: 0.5, seed: 4 }, do: 'applyThenFail' });
    const { result } = await rig.restore({ source: mailbox, selection: 'all', target: { resource: mailbox }, collisions: 'skip' });
    fault();
    expect(result.counts.failed).toBe(0);
    const after = await mailOfTruth(rig, userId);
    expect([...after.values()].map((message) => message.internetMessageId).toSorted()).toEqual(
      [...before.values()].map((message) => message.internetMessageId).toSorted(),
    );
  });

  it('21: while a message is replaced there is never neither the old nor the new one', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    const wanted = new Set([...(await mailOfTruth(rig, userId)).values()].map((message) => message.internetMessageId));
    for (const id of ids) rig.act('mail.flag', { user: userId, id });
    for (const point of ['restore.before-item', 'restore.message-created', 'restore.before-delete', 'restore.after-delete']) {
      onCrashPoint((name) => {
        if (name === point) throw new Error(`died at ${point}`);
      });
      await rig.restore({ source: mailbox, selection: 'all', target: { resource: mailbox }, collisions: 'replace' }).catch(() => undefined);
      onCrashPoint(undefined);
      const present = new Set([...(await mailOfTruth(rig, userId)).values()].map((message) => message.internetMessageId));
      expect([...wanted].filter((id) => !present.has(id))).toEqual([]);
    }
  });

  it('26: a mailbox of another language gets no second inbox', async () => {
    await rig.backup(mailbox, MAIL_ONLY);
    let german = '';
    for await (const user of rig.graph.directory.users()) {
      if (user.userType !== 'Member' || !user.accountEnabled) continue;
      if ((await rig.truth('mail', user.id)).some((record) => record.path.startsWith('Posteingang'))) german = user.id;
    }
    const target = rig.resource('mailbox', german);
    const before = new Set([...(await mailOfTruth(rig, german)).values()].map((message) => message.path.split('/')[0]));
    await rig.restore({ source: mailbox, selection: 'all', target: { resource: target }, collisions: 'keepBoth' });
    const after = new Set([...(await mailOfTruth(rig, german)).values()].map((message) => message.path.split('/')[0]));
    expect([...after].filter((path) => path === 'Inbox' || path === 'Sent Items')).toEqual([]);
    expect([...before].every((path) => after.has(path))).toBe(true);
  });

  it('26: folders forty deep, with slashes and other cases in their names, and many side by side come back as they were', async () => {
    const user = userId;
    const folder = (name: string, parent?: string): string =>
      String(rig.act('mail.createFolder', { user, name, ...(parent === undefined ? {} : { parent }) })['id']);
    let deepest = folder('Level 1');
    for (let level = 2; level <= 40; level += 1) deepest = folder(`Level ${level}`, deepest);
    const odd = [folder('Income/Expense'), folder('REPORTS'), folder('inbox old')];
    for (const place of [deepest, ...odd]) rig.act('mail.deliver', { user, folder: place, subject: 'Kept here' });
    for (let beside = 0; beside < 120; beside += 1) folder(`Beside ${beside}`, odd[1]);
    expect((await rig.backup(mailbox, MAIL_ONLY)).status).toBe('successful');
    const kept = async () => [...(await mailOfTruth(rig, user)).values()].filter((message) => message.subject === 'Kept here');
    const pathsOf = async () => (await kept()).map((message) => message.path);
    const before = (await pathsOf()).toSorted();
    expect(before).toHaveLength(4);
    for (const { id } of await kept()) rig.act('mail.purge', { user, id });
    const request = { source: mailbox, selection: 'all', target: { resource: mailbox }, collisions: 'skip' } as const;
    expect((await rig.restore(request)).result.counts.failed).toBe(0);
    expect((await pathsOf()).toSorted()).toEqual(before);
    for (const { id } of await kept()) rig.act('mail.purge', { user, id });
    for (const item of await rig.items(mailbox))
      if (item.kind === 'mailFolder' && /^(?:Level|Beside|REPORTS)/u.test(item.name))
        rig.act('mail.deleteFolder', { user, folder: item.key });
    expect((await rig.restore(request)).result.counts.failed).toBe(0);
    expect((await pathsOf()).toSorted()).toEqual(before);
  });
});
