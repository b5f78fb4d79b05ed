import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { textOf } from '../src/pipeline/text.ts';
import type { Resource } from '../src/ports/item.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };
const BIG_BYTES = 9_000_000;

function part(boundary: string, ...parts: readonly string[]): string {
  return `${parts.map((one) => `--${boundary}\r\n${one}`).join('\r\n')}\r\n--${boundary}--\r\n`;
}

function message(subject: string, boundary: string, ...parts: readonly string[]): string {
  const head = `From: Ann <ann@proseware.example>\r\nTo: Bob <bob@tiny.com>\r\nSubject: ${subject}\r\nDate: Mon, 04 Feb 2019 19:58:10 +0000\r\nMessage-ID: <${boundary}@proseware.example>\r\nMIME-Version: 1.0\r\n`;
  return `${head}Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n${part(boundary, ...parts)}`;
}

const text = 'Content-Type: text/plain; charset=utf-8\r\n\r\nSee what is attached.';
const picture = (id: string): string =>
  `Content-Type: image/png; name="${id}.png"\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <${id}>\r\nContent-Disposition: inline; filename="${id}.png"\r\n\r\niVBORw0KGgo=`;
const attached = (inner: string): string =>
  `Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="inner.eml"\r\n\r\n${inner}`;

describe('trap 19: attachments in attachments in attachments', () => {
  let rig: Rig;
  let mailbox: Resource;
  let userId = '';

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
    mailbox = rig.resource('mailbox', userId);
    const inner = message('Innermost', 'c', text, picture('logo'));
    const middle = message('Middle', 'b', text, attached(inner));
    const big = `Content-Type: application/octet-stream; name="big.bin"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="big.bin"\r\n\r\n${randomBytes(BIG_BYTES).toString('base64').replaceAll(/.{76}/gu, '$&\r\n')}`;
    for (const mime of [
      message('Nested', 'a', text, attached(middle)),
      message('Simple inner', 'd', text, attached(inner)),
      message('Large', 'e', text, big),
    ]) {
      rig.act('mail.deliver', { user: userId, mime: Buffer.from(mime).toString('base64') });
    }
    await rig.backup(mailbox, MAIL_ONLY);
  });
  afterAll(() => rig.close());

  it('are byte for byte in the vault', async () => {
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
  });

  it('come back, large ones by upload session, and what could not be rebuilt is named', async () => {
    const own = (record: { readonly metadata: { readonly [name: string]: unknown } }): boolean =>
      ['Nested', 'Simple inner', 'Large'].includes(textOf(record.metadata['subject']));
    const shown = async () =>
      (await rig.truth('mail', userId))
        .filter(own)
        .map(({ metadata }) => `${textOf(metadata['subject'])} ${(metadata['attachments'] as readonly object[]).length}`)
        .toSorted();
    const before = await shown();
    for (const record of (await rig.truth('mail', userId)).filter(own)) rig.act('mail.purge', { user: userId, id: record.id });
    const { result, lines } = await rig.restore({ source: mailbox, selection: 'all', target: { resource: mailbox }, collisions: 'skip' });
    expect(result.counts.failed).toBe(0);
    expect(await shown()).toEqual(before);
    const named = lines.filter((line) => line.differences.includes('attachedMessageAsFile')).map((line) => line.path.split('/').at(-1));
    expect(named).toEqual(['Nested']);
    const large = (await rig.truth('mail', userId)).find((record) => record.metadata['subject'] === 'Large');
    const [big] = (large?.metadata['attachments'] ?? []) as unknown as readonly { readonly sizeBytes: number }[];
    expect(big?.sizeBytes).toBeGreaterThanOrEqual(BIG_BYTES);
    expect(rig.outbox()).toEqual([]);
  }, 60_000);
});
