import { Secret } from '@holdfast/foundation/secrets';
import { describe, expect, it } from 'vitest';
import { aCertificate } from '../testing/a-certificate.ts';
import { aClient } from '../testing/a-client.ts';
import { isGraphError, graphErrorCodes, outcomeOfCode, type GraphErrorCode } from './errors/errors.ts';
import type { GraphClientOptions } from './graph-client.ts';

function refusalOf(options: Partial<GraphClientOptions>): readonly [GraphErrorCode | undefined, unknown] {
  try {
    aClient(() => ({}), options);
    return [undefined, undefined];
  } catch (error) {
    return isGraphError(error) ? [error.code, error.details['field']] : [undefined, error];
  }
}

const certificate = {
  kind: 'certificate',
  clientId: 'c',
  certificatePem: aCertificate.certificatePem,
  privateKeyPem: new Secret(aCertificate.privateKeyPem),
} as const;

describe('a client', () => {
  it.each([
    ['a tenant that would leave the path', { tenantId: '../common' }, 'graph.tenant-unknown', 'tenantId'],
    ['an address without TLS', { endpoints: { graphUrl: 'http://graph.microsoft.com' } }, 'graph.bad-request', 'graphUrl'],
    ['an address that is none', { endpoints: { loginUrl: 'login' } }, 'graph.bad-request', 'loginUrl'],
    [
      'a thumbprint of another certificate',
      { credential: { ...certificate, thumbprint: 'ab'.repeat(20) } },
      'graph.thumbprint-mismatch',
      'thumbprint',
    ],
    ['a certificate that is none', { credential: { ...certificate, certificatePem: 'x' } }, 'graph.certificate-invalid', 'certificate'],
  ] as const)('is not made for %s', (...row) => {
    const [, options, code, field] = row;
    expect(refusalOf(options)).toEqual([code, field]);
  });

  it('never shows its secret', () => {
    const credential = { kind: 'secret', clientId: 'c', clientSecret: new Secret('top-secret') } as const;
    const { client } = aClient(() => ({}), { credential });
    expect(JSON.stringify({ client, credential })).not.toContain('top-secret');
  });
});

describe('error codes', () => {
  it('each lead to one outcome', () => {
    expect(graphErrorCodes.length).toBeGreaterThan(40);
    for (const code of graphErrorCodes) expect(outcomeOfCode(code)).toMatch(/^(retry|gone|record|exclude|reEnumerate|resource|tenant)$/);
  });
});
