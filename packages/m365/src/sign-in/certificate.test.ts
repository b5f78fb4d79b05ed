import { constants, createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { createIds } from '@holdfast/foundation/ids';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { describe, expect, it } from 'vitest';
import { aCertificate, anotherKey } from '../../testing/a-certificate.ts';
import { isGraphError, type GraphErrorCode } from '../errors/errors.ts';
import { checkThumbprint, createAssertionSigner, readCertificate } from './certificate.ts';

const raw = new X509Certificate(aCertificate.certificatePem).raw;
const sha1 = createHash('sha1').update(raw).digest('hex');

function codeOf(work: () => unknown): GraphErrorCode | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return isGraphError(error) ? error.code : undefined;
  }
}

function signer(values: { readonly privateKeyPem?: string; readonly certificatePem?: string; readonly thumbprint?: string } = {}) {
  const clock = createFakeClock();
  return createAssertionSigner({ ...aCertificate, clock, ids: createIds(clock, secureRandom), ...values });
}

describe('a certificate', () => {
  it('shows the thumbprint of the admin centre, and the one that signs', () => {
    const facts = readCertificate(aCertificate.certificatePem);
    expect(facts.thumbprint).toBe(sha1.toUpperCase());
    expect(facts.thumbprintSha256).toBe(createHash('sha256').update(raw).digest('hex').toUpperCase());
    expect(facts.validTo > facts.validFrom).toBe(true);
  });
  it.each([sha1, sha1.toUpperCase(), sha1.replaceAll(/(..)(?!$)/g, '$1:'), ` ${sha1} `, `\u200E${sha1}`])('accepts %j', (typed) => {
    expect(codeOf(() => checkThumbprint(aCertificate.certificatePem, typed))).toBeUndefined();
  });
  it.each([sha1.slice(1), `0${sha1.slice(1)}`.replace(/^0(.*)$/, 'ff$1').slice(0, 40), ''])('refuses %j', (typed) => {
    expect(codeOf(() => checkThumbprint(aCertificate.certificatePem, typed))).toBe('graph.thumbprint-mismatch');
  });
  it('is refused when it is none, when the key is none, and when the two don’t belong together', () => {
    expect(codeOf(() => readCertificate('hello'))).toBe('graph.certificate-invalid');
    expect(codeOf(() => signer({ privateKeyPem: 'hello' }))).toBe('graph.certificate-invalid');
    expect(codeOf(() => signer({ privateKeyPem: anotherKey }))).toBe('graph.certificate-invalid');
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(codeOf(() => signer({ privateKeyPem: curve }))).toBe('graph.certificate-invalid');
    expect(codeOf(() => signer({ thumbprint: 'ab'.repeat(20) }))).toBe('graph.thumbprint-mismatch');
  });
});

describe('an assertion', () => {
  it('is signed with PS256, names the SHA-256 thumbprint and lives ten minutes', () => {
    const [header = '', claims = '', signature = ''] = signer()
      .sign({ clientId: 'app', audience: 'https://login/t/oauth2/v2.0/token' })
      .split('.');
    const read = (part: string): Record<string, unknown> =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    expect(read(header)).toEqual({ alg: 'PS256', typ: 'JWT', 'x5t#S256': createHash('sha256').update(raw).digest('base64url') });
    const { iss, sub, aud, nbf, exp, iat, jti } = read(claims);
    expect({ iss, sub, aud }).toEqual({ iss: 'app', sub: 'app', aud: 'https://login/t/oauth2/v2.0/token' });
    expect(Number(exp) - Number(nbf)).toBe(600);
    expect(iat).toBe(Date.UTC(2026, 0, 1) / 1000);
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    const key = {
      key: new X509Certificate(aCertificate.certificatePem).publicKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    };
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});
