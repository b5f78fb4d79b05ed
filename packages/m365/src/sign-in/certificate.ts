import { constants, createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { graphError } from '../errors/errors.ts';

export interface CertificateFacts {
  /** SHA-1 in upper-case hex, as the admin centre shows it. */
  readonly thumbprint: string;
  readonly thumbprintSha256: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly subject: string;
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw graphError('graph.certificate-invalid', { field: 'certificate', reason: 'no certificate in PEM form' }, cause);
  }
}

function digestHex(certificate: X509Certificate, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(certificate.raw).digest('hex').toUpperCase();
}

/** What a certificate in PEM form says; `graph.certificate-invalid` when it is none. */
export function readCertificate(pem: string): CertificateFacts {
  const certificate = parseCertificate(pem);
  return {
    thumbprint: digestHex(certificate, 'sha1'),
    thumbprintSha256: digestHex(certificate, 'sha256'),
    validFrom: new Date(certificate.validFrom).toISOString(),
    validTo: new Date(certificate.validTo).toISOString(),
    subject: certificate.subject,
  };
}

/**
 * Refuses a thumbprint that is not the certificate's (`graph.thumbprint-mismatch`). Spaces, colons and case don't
 * matter, nor the invisible mark that the Windows dialogue puts in front when it is copied from there.
 */
export function checkThumbprint(pem: string, typed: string): void {
  const expected = readCertificate(pem).thumbprint;
  const given = typed.replaceAll(/[^0-9a-z]/gi, '').toUpperCase();
  if (given !== expected) throw graphError('graph.thumbprint-mismatch', { field: 'thumbprint', expected, given });
}

function parsePrivateKey(pem: string, certificate: X509Certificate): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw graphError('graph.certificate-invalid', { field: 'privateKey', reason: 'no private key in PEM form' }, cause);
  }
  if (!certificate.checkPrivateKey(key)) {
    throw graphError('graph.certificate-invalid', { field: 'privateKey', reason: 'not the key of this certificate' });
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw graphError('graph.certificate-invalid', { field: 'privateKey', reason: 'only RSA keys can sign in' });
  }
  return key;
}

const ASSERTION_SECONDS = 600;

function segment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export interface AssertionSigner {
  readonly facts: CertificateFacts;
  /** A client assertion for one token request: PS256, named by the SHA-256 thumbprint, valid for ten minutes. */
  sign(request: { readonly clientId: string; readonly audience: string }): string;
}

/** A signer over a certificate and its key, on `clock`. Checks both and the typed thumbprint at once. */
export function createAssertionSigner(options: {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly thumbprint?: string;
  readonly clock: Clock;
  readonly ids: Ids;
}): AssertionSigner {
  const { certificatePem, clock, ids } = options;
  const certificate = parseCertificate(certificatePem);
  const key = parsePrivateKey(options.privateKeyPem, certificate);
  if (options.thumbprint !== undefined && options.thumbprint.trim() !== '') checkThumbprint(certificatePem, options.thumbprint);
  const facts = readCertificate(certificatePem);
  const header = segment({
    alg: 'PS256',
    typ: 'JWT',
    'x5t#S256': Buffer.from(facts.thumbprintSha256, 'hex').toString('base64url'),
  });
  return Object.freeze({
    facts,
    sign({ clientId, audience }: { readonly clientId: string; readonly audience: string }) {
      const nowSeconds = Math.floor(clock.nowMs() / 1000);
      const times = { iat: nowSeconds, nbf: nowSeconds, exp: nowSeconds + ASSERTION_SECONDS };
      const claims = segment({ aud: audience, iss: clientId, sub: clientId, jti: ids.uuid(), ...times });
      const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      });
      return `${header}.${claims}.${signature.toString('base64url')}`;
    },
  });
}
