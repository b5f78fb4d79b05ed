import { once } from '@holdfast/foundation/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailOfTruth, withoutIds, type ComparedMessage } from '../../../testing/compare-mail.ts';
import { createMemoryReport } from '../../../testing/memory-report.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };

/** A draft has the times of its making: the service lets nobody say otherwise. */
function comparable(messages: ReadonlyMap<string, ComparedMessage>) {
  return withoutIds(messages).map((message) => (message.isDraft ? { ...message, receivedDateTime: '', sentDateTime: '' } : message));
}

describe('restoring mail', () => {
  let rig: Rig;
  const userIds: string[] = [];
  let mailbox: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    for await (const user of rig.graph.directory.users()) {
      if (user.accountEnabled !== false && user.userType === 'Member') userIds.push(user.id);
    }
    mailbox = rig.resource('mailbox', userIds[0] ?? '');
    await rig.backup(mailbox, MAIL_ONLY);
  });
  afterAll(() => rig.close());

  const request = (changes: object = {}) => ({
    source: mailbox,
    selection: 'all' as const,
    target: { resource: mailbox },
    collisions: 'skip' as const,
    ...changes,
  });

  it('skips everything that is still there', async () => {
    const before = await mailOfTruth(rig, mailbox.graphId);
    const { result, lines } = await rig.restore(request());
    expect(result.status).toBe('successful');
    expect(lines.filter((line) => line.kind === 'message').every((line) => line.outcome === 'skipped')).toBe(true);
    expect(await mailOfTruth(rig, mailbox.graphId)).toEqual(before);
  });

  it('puts a wiped mailbox back as it was, and nobody is told', async () => {
    const before = await mailOfTruth(rig, mailbox.graphId);
    for (const id of before.keys()) rig.act('mail.purge', { user: mailbox.graphId, id });
    const { result, lines } = await rig.restore(request());
    expect(result.counts.failed).toBe(0);
    const after = await mailOfTruth(rig, mailbox.graphId);
    expect(comparable(after)).toEqual(comparable(before));
    const drafts = [...before.values()].filter((message) => message.isDraft).length;
    expect(lines.filter((line) => line.differences.includes('receivedDateTime'))).toHaveLength(drafts);
    // Lines of servers on the way and a second form of the text are lost; everything else is as it was.
    const told = lines.flatMap((line) => line.differences.map((name) => name.split(' ')[0]));
    expect(new Set(told)).toEqual(new Set(['receivedDateTime', 'sentDateTime', 'header', 'plainText']));
    expect(rig.outbox()).toEqual([]);
  });

  it('puts mail into another mailbox below a folder of its own', async () => {
    const other = rig.resource('mailbox', userIds[1] ?? '');
    const before = await mailOfTruth(rig, other.graphId);
    const { result } = await rig.restore(request({ target: { resource: other, folder: 'Restored 21 Nov 2026 09.30' } }));
    expect(result.status).toBe('successful');
    const after = await mailOfTruth(rig, other.graphId);
    const added = [...after.values()].filter((message) => !before.has(message.id));
    expect(added).toHaveLength((await rig.items(mailbox)).filter((item) => item.kind === 'message').length);
    expect(added.every((message) => message.path.startsWith('Restored 21 Nov 2026 09.30'))).toBe(true);
  });

  it('replaces only after the new message is whole, and keeps both when asked', async () => {
    const before = await mailOfTruth(rig, mailbox.graphId);
    await rig.restore(request({ collisions: 'keepBoth' }));
    expect((await mailOfTruth(rig, mailbox.graphId)).size).toBe(before.size * 2);
  });

  it('goes on where an earlier worker of the run has stopped: what is done is neither done nor told again', async () => {
    const messages = (await rig.items(mailbox)).filter((item) => item.kind === 'message');
    const done = messages.slice(0, 5);
    const report = createMemoryReport();
    await report.tell(
      done.map((item) => ({ key: item.key, kind: item.kind, path: item.name, outcome: 'restored', differences: [] }) as const),
    );
    const before = await mailOfTruth(rig, mailbox.graphId);
    const { result, lines } = await rig.restore(request({ collisions: 'keepBoth', earlier: report.earlier() }), report);
    expect((await mailOfTruth(rig, mailbox.graphId)).size).toBe(before.size + messages.length - done.length);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
    expect(result).toMatchObject({ status: 'successful', counts: { restored: messages.length } });
  });

  it('puts a draft back that is larger than a request', async () => {
    const userId = mailbox.graphId;
    const { mail } = rig.graph.exchange;
    const { id } = await mail.createMessage(
      { userId, folderId: 'drafts' },
      { subject: 'Plans', body: { contentType: 'text', content: 'Two.' } },
    );
    for (const name of ['one.bin', 'two.bin']) {
      const content = { name, contentType: 'application/octet-stream', contentBytes: Buffer.alloc(1_700_000, name).toString('base64') };
      await mail.addAttachment({ userId, messageId: id }, { '@odata.type': '#microsoft.graph.fileAttachment', ...content });
    }
    await rig.backup(mailbox, MAIL_ONLY);
    await mail.deleteMessage({ userId, messageId: id });
    const { lines } = await rig.restore(request({ selection: [id] }));
    expect(lines.at(-1)?.outcome).toBe('restored');
    // The times of a draft are those of its making: they differ unless that was within the same second.
    expect(['receivedDateTime', 'sentDateTime']).toEqual(expect.arrayContaining([...(lines.at(-1)?.differences ?? [])]));
    const again = { userId, messageId: lines.at(-1)?.targetId ?? '' };
    expect(await mail.message(again)).toMatchObject({ isDraft: true, subject: 'Plans', hasAttachments: true });
    const names: string[] = [];
    for await (const attachment of mail.attachments(again)) names.push(`${attachment.name} ${attachment.size}`);
    expect(names.sort()).toEqual(['one.bin 1700000', 'two.bin 1700000']);
    await mail.deleteMessage(again);
  });

  it('names the permission that Microsoft asks for when mail that was sent can no longer be changed', async () => {
    const { mail } = rig.graph.exchange;
    const userId = mailbox.graphId;
    const sent = { singleValueExtendedProperties: [{ id: 'Integer 0x0E07', value: '1' }] };
    const subject = 'With a large attachment';
    const { id } = await mail.createMessage(
      { userId, folderId: 'inbox' },
      { subject, body: { contentType: 'text', content: '.' }, ...sent },
    );
    const bytes = Buffer.alloc(4_000_000, 'large ');
    const source = { sizeBytes: bytes.byteLength, open: (offset: number) => once(bytes.subarray(offset)) };
    await mail.uploadAttachment({ userId, messageId: id }, { name: 'large.bin', contentType: 'application/octet-stream' }, source);
    await rig.backup(mailbox, MAIL_ONLY);
    rig.act('mail.purge', { user: userId, id });
    const tenantId = rig.simulator.tenants[0]?.tenantId ?? '';
    rig.simulator.control.setSwitches({ sentMailIsFixedFrom: '2020-01-01' });
    rig.simulator.control.withdraw(tenantId, ['Mail-Advanced.ReadWrite.All']);
    rig.simulator.control.revokeTokens(tenantId);
    const copies = async () => (await rig.truth('mail', userId)).filter((record) => record.metadata['subject'] === subject);
    const before = (await copies()).length;
    const refused = await rig.restore(request({ selection: [id] }));
    expect(refused.lines.at(-1)).toMatchObject({ outcome: 'failed', code: 'graph.sent-mail-fixed' });
    expect((await copies()).filter((record) => !record.path.includes('ecover') && !record.path.includes('iederherstell'))).toHaveLength(
      before,
    );
    rig.simulator.control.grant(tenantId, ['Mail-Advanced.ReadWrite.All']);
    rig.simulator.control.revokeTokens(tenantId);
    const done = await rig.restore(request({ selection: [id] }));
    expect(done.lines.at(-1)).toMatchObject({ outcome: 'restored' });
    rig.simulator.control.setSwitches({ sentMailIsFixedFrom: '2026-12-31' });
  });
});
