import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
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
