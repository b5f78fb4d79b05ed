import { AppError } from '@holdfast/foundation/errors';
import { expect, test } from 'vitest';
import { problemOf } from '../../http/problem.ts';
import { connectionRefusal } from './credential.ts';

test.each([
  ['graph.credentials-refused', 'tenants.credential-refused', 'clientSecret'],
  ['graph.certificate-refused', 'tenants.credential-refused', 'certificate'],
  ['graph.thumbprint-mismatch', 'tenants.thumbprint-mismatch', 'thumbprint'],
  ['graph.client-unknown', 'tenants.credential-refused', 'clientId'],
  ['graph.tenant-unknown', 'tenants.credential-refused', 'microsoftTenantId'],
] as const)('%s is told as %s at %s', (found, code, field) => {
  const { body } = problemOf(connectionRefusal(new AppError(found)), 'en', 'r-1');
  expect([body.code, Object.keys(body.errors ?? {})]).toEqual([code, [field]]);
});

test.each([
  ['en', 'clock'],
  ['de', 'Uhr'],
] as const)('a clock that is off is told as what it is, and not as a wrong secret, in %s', (language, word) => {
  const { status, body } = problemOf(connectionRefusal(new AppError('graph.clock-skewed')), language, 'r-1');
  expect([status < 500, body.code]).toEqual([true, 'tenants.clock-skew']);
  expect(body.message).toContain(word);
});

test('whatever else keeps Microsoft away is told as unreachable, without its text', () => {
  const { body } = problemOf(connectionRefusal(new Error('getaddrinfo secret-host')), 'en', 'r-1');
  expect(body.code).toBe('tenants.unreachable');
  expect(JSON.stringify(body)).not.toContain('secret-host');
});
