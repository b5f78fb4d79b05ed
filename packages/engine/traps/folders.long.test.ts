import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailOfTruth } from '../testing/compare-mail.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

const SIBLINGS = 2_000;
const EACH = 20;
const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };
let rig: Rig;
let mailbox: Resource;

beforeAll(async () => {
  rig = await createRig({ recipes: ['tiny'] });
  for await (const user of rig.graph.directory.users())
    if (user.userType === 'Member' && user.accountEnabled) mailbox ??= rig.resource('mailbox', user.id);
});
afterAll(() => rig.close());

it('26: two thousand folders side by side are backed up and come back as they were', async () => {
  const user = mailbox.graphId;
  const above = String(rig.act('mail.createFolder', { user, name: 'Customers' })['id']);
  const folders = Array.from({ length: SIBLINGS }, (_, at) => {
    const folder = String(rig.act('mail.createFolder', { user, name: `Customer ${at}`, parent: above })['id']);
    if (at % EACH === 0) rig.act('mail.deliver', { user, folder, subject: `Of customer ${at}` });
    return folder;
  });
  const paths = async () =>
    [...(await mailOfTruth(rig, user)).values()].map((message) => message.path).filter((path) => path.startsWith('Customers/'));
  const before = (await paths()).toSorted();
  expect(before).toHaveLength(SIBLINGS / EACH);
  expect((await rig.backup(mailbox, MAIL_ONLY)).status).toBe('successful');
  const kept = (await rig.items(mailbox)).filter((item) => item.kind === 'mailFolder' && item.name.startsWith('Customer '));
  expect(kept.map((item) => item.key).toSorted()).toEqual(folders.toSorted());
  expect(await rig.backup(mailbox, MAIL_ONLY)).toMatchObject({ status: 'successful', segments: 0, bytesRead: 0 });

  for (const { id, path } of (await mailOfTruth(rig, user)).values())
    if (path.startsWith('Customers/')) rig.act('mail.purge', { user, id });
  for (const folder of folders) rig.act('mail.deleteFolder', { user, folder });
  expect(await paths()).toEqual([]);
  const { result } = await rig.restore({ source: mailbox, selection: 'all', target: { resource: mailbox }, collisions: 'skip' });
  expect(result).toMatchObject({ status: 'successful', counts: { failed: 0 } });
  expect((await paths()).toSorted()).toEqual(before);
  const names = new Map<string, number>();
  for await (const { displayName } of rig.graph.exchange.mail.folders({ userId: user }, { folderId: above }))
    names.set(displayName ?? '', (names.get(displayName ?? '') ?? 0) + 1);
  expect(names.size).toBe(SIBLINGS);
  expect(new Set(names.values())).toEqual(new Set([1]));
});
