import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailOfTruth, mailOfVault } from '../../../testing/compare-mail.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };

describe('the mail of a mailbox in a vault', () => {
  let rig: Rig;
  let userId: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    for await (const user of rig.graph.directory.users())
      if (user.accountEnabled !== false && user.userType === 'Member') userId ??= user.id;
  });
  afterAll(() => rig.close());

  it('is byte for byte what the service has, with folder and state', async () => {
    const mailbox = rig.resource('mailbox', userId);
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result.status).toBe('successful');
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('is not written again by a run without changes, and costs at most one request a folder', async () => {
    const mailbox = rig.resource('mailbox', userId);
    const folders = (await rig.items(mailbox)).filter((item) => item.kind === 'mailFolder').length;
    const before = rig.graph.statistics().requests;
    const result = await rig.backup(mailbox, MAIL_ONLY);
    const requests = rig.graph.statistics().requests - before;
    expect(result).toMatchObject({ segments: 0, bytesRead: 0, counts: { added: 0, changed: 0, removed: 0 } });
    expect(requests).toBeLessThanOrEqual(folders + 4);
  });

  it('follows arrivals, state, moves and deletions without reading content twice', async () => {
    const mailbox = rig.resource('mailbox', userId);
    const ids = [...(await mailOfTruth(rig, userId)).keys()];
    rig.act('mail.deliver', { user: userId, subject: 'New one' });
    rig.act('mail.read', { user: userId, id: ids[0], isRead: true });
    rig.act('mail.move', { user: userId, id: ids[1], folder: 'archive' });
    rig.act('mail.purge', { user: userId, id: ids[2] });
    const point = (await rig.backup(mailbox, MAIL_ONLY)).sequence;
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
    rig.act('mail.move', { user: userId, id: ids[3], folder: 'deleteditems' });
    const result = await rig.backup(mailbox, MAIL_ONLY);
    expect(result.bytesRead).toBe(0);
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
    expect((await mailOfVault(rig, mailbox, point ?? 0)).get(ids[3] ?? '')?.path).not.toBe(undefined);
  });

  describe('whose words were changed after they were sent', () => {
    const BODY = { contentType: 'html', content: '<p>Other words</p>' };

    async function changed(acts: (id: string) => void): Promise<{ readonly read: number; readonly isTrue: boolean }> {
      const mailbox = rig.resource('mailbox', userId);
      const sent = (await rig.truth('mail', userId)).filter(({ kind, metadata }) => kind === 'message' && metadata['isDraft'] !== true);
      const id = sent.at(-1)?.id ?? '';
      acts(id);
      const { bytesRead } = await rig.backup(mailbox, MAIL_ONLY);
      const [found, wanted] = [await mailOfVault(rig, mailbox), await mailOfTruth(rig, userId)];
      return { read: bytesRead, isTrue: found.get(id)?.sha256 === wanted.get(id)?.sha256 };
    }

    it('is read again when nothing but its words explains the change', async () => {
      const { read, isTrue } = await changed((id) => rig.act('mail.edit', { user: userId, id, body: BODY }));
      expect([read > 0, isTrue]).toEqual([true, true]);
    });

    it('is read again when its subject is another one, whatever else was done to it', async () => {
      const { read, isTrue } = await changed((id) => {
        rig.act('mail.edit', { user: userId, id, subject: 'Another subject', body: { ...BODY, content: '<p>Once more</p>' } });
        rig.act('mail.flag', { user: userId, id });
        rig.act('mail.categorise', { user: userId, id, categories: ['Red category'] });
      });
      expect([read > 0, isTrue]).toEqual([true, true]);
    });

    it('is not read again for a flag, a category or its read state', async () => {
      const { read, isTrue } = await changed((id) => {
        rig.act('mail.flag', { user: userId, id, status: 'complete' });
        rig.act('mail.categorise', { user: userId, id, categories: ['Blue category'] });
        rig.act('mail.read', { user: userId, id, isRead: false });
      });
      expect([read, isTrue]).toEqual([0, true]);
    });
  });
});
