import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { phrasesOf } from '../../http/language.ts';
import { chatBody } from './chat-message.ts';
import { connectionFailure } from './send-failure.ts';
import { octetCounted, syslogMessage } from './syslog-message.ts';
import { testEvent } from './test-event.ts';
import { webhookMessage } from './webhook-message.ts';

const event = testEvent({ organisationId: 'o', realm: 'production' }, new Date('2026-11-23T20:00:00.000Z'));

test('a syslog message has the header of RFC 5424, its severity says how bad it is, and its text is ASCII', () => {
  const header = (given: object) => syslogMessage({ ...event, ...given }, 'backup.example').split(' {')[0];
  expect(header({})).toBe('<109>1 2026-11-23T20:00:00.000Z backup.example holdfast - forwarding.test -');
  expect(header({ outcome: 'denied' })).toMatch(/^<108>1 /);
  expect(header({ event: 'alarms.run', outcome: 'failed' })).toMatch(/^<106>1 /);
  expect(header({ event: 'alarms.run-over', outcome: 'succeeded' })).toMatch(/^<109>1 /);
  const message = syslogMessage({ ...event, subjectName: 'Grüße 😀\n' }, 'host name ü');
  expect(message).toMatch(/^[ -~]+$/);
  expect(message).toContain(' host_name__ holdfast ');
  expect((JSON.parse(message.slice(message.indexOf('{'))) as { subjectName: string }).subjectName).toBe('Grüße 😀\n');
  expect(octetCounted('<109>1 ä')).toBe('9 <109>1 ä');
});

test('a long name of an event is cut to what the header allows', () => {
  const long = 'proxy-rights.exemption-end-asked-for-by-somebody';
  expect(syslogMessage({ ...event, event: long }, 'h').split(' ')[5]).toBe(long.slice(0, 32));
});

test('a webhook is signed over id, time and body; the same events have the same id at another time', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const at = (atMs: number) => webhookMessage([event], { destinationId: 'd', secret, atMs });
  const { body, headers } = at(1_700_000_000_000);
  const signed = createHmac('sha256', Buffer.alloc(32, 7))
    .update(`${headers['webhook-id'] ?? ''}.1700000000.${body}`)
    .digest('base64');
  expect(headers).toMatchObject({ 'webhook-timestamp': '1700000000', 'webhook-signature': `v1,${signed}` });
  const later = at(1_700_000_060_000);
  expect(later.headers['webhook-id']).toBe(headers['webhook-id']);
  expect(later.headers['webhook-signature']).not.toBe(headers['webhook-signature']);
});

test('a certificate that is not trusted is told apart from a receiver that is not there', () => {
  const reasonOf = (code: string) => connectionFailure(Object.assign(new Error('x'), { code })).reason;
  expect(
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'].map(reasonOf),
  ).toEqual(Array.from({ length: 4 }, () => 'untrusted'));
  expect(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EPROTO'].map(reasonOf)).toEqual(Array.from({ length: 4 }, () => 'unreachable'));
});

const alarm = { ...event, event: 'alarms.run', subjectName: 'Mail <@all> *[x](https://evil.example)*', details: { tenant: 'Contoso' } };
const words = { phrases: phrasesOf('en'), address: 'https://backup.example' };

test('a message for Slack names what happened and where, and nothing in a name becomes a mention or a link', () => {
  const { text } = JSON.parse(chatBody('slack', [alarm], words)) as { text: string };
  expect(text.split('\n')).toEqual([
    '*Alarms from Holdfast*',
    '• Run failed or incomplete: Mail &lt;@all&gt; *[x](https://evil.example)* (Contoso)',
    '<https://backup.example/configuration/audit-log|Open the audit log>',
  ]);
});

test('a message for Teams is an Adaptive Card in the language of the organisation, with no more lines than people read', () => {
  const many = Array.from({ length: 25 }, () => alarm);
  const body = JSON.parse(chatBody('teams', many, { ...words, phrases: phrasesOf('de') })) as {
    type: string;
    attachments: { contentType: string; content: { type: string; body: { text: string }[]; actions: object[] } }[];
  };
  const [card] = body.attachments;
  expect([body.type, card?.contentType, card?.content.type]).toEqual([
    'message',
    'application/vnd.microsoft.card.adaptive',
    'AdaptiveCard',
  ]);
  const texts = card?.content.body.map(({ text }) => text) ?? [];
  expect(texts[0]).toBe('Alarme von Holdfast');
  expect(texts[1]).toContain(String.raw`\*\[x\](https://evil.example)\*`);
  expect([texts.length, texts.at(-1)]).toEqual([22, 'Weitere Ereignisse: 5']);
  expect(card?.content.actions).toEqual([
    { type: 'Action.OpenUrl', title: 'Überwachungsprotokoll öffnen', url: 'https://backup.example/configuration/audit-log' },
  ]);
});
