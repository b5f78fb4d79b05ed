import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { AppError } from '@holdfast/foundation/errors';
import { Secret } from '@holdfast/foundation/secrets';
import type { GraphCredential } from '@holdfast/m365';

/** A certificate and its key as one PEM text, taken apart and checked. */
export interface ReadCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: Secret;
  readonly thumbprint: string;
  readonly expiresAt: Date;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN (?:RSA )?PRIVATE KEY-----[\s\S]+?-----END (?:RSA )?PRIVATE KEY-----/;

/** Hexadecimal digits alone, upper case: colons and spaces are how people copy thumbprints. */
export function plainThumbprint(thumbprint: string): string {
  return thumbprint.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase();
}

function refused(phrase: string): AppError {
  return new AppError('tenants.certificate-invalid', { details: { field: 'certificate', rule: phrase } });
}

function digest(certificate: X509Certificate, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(certificate.raw).digest('hex').toUpperCase();
}

function parse(pem: string): { certificate: X509Certificate; certificatePem: string; privateKeyPem: string } {
  const certificatePem = CERTIFICATE.exec(pem)?.[0];
  const privateKeyPem = PRIVATE_KEY.exec(pem)?.[0];
  if (certificatePem === undefined || privateKeyPem === undefined) throw refused('certificate');
  try {
    const certificate = new X509Certificate(certificatePem);
    if (!certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) throw refused('certificateKey');
    return { certificate, certificatePem, privateKeyPem };
  } catch (error) {
    throw error instanceof AppError ? error : refused('certificate');
  }
}

/** Reads a pasted certificate. Every refusal names the field and what is wrong with it. */
export function readCertificate(pem: string, thumbprint: string | undefined, nowMs: number): ReadCertificate {
  const { certificate, certificatePem, privateKeyPem } = parse(pem);
  const expiresAt = new Date(certificate.validTo);
  if (expiresAt.getTime() <= nowMs) throw refused('certificateExpired');
  if (new Date(certificate.validFrom).getTime() > nowMs) throw refused('certificateNotYetValid');
  const own = digest(certificate, 'sha1');
  if (thumbprint !== undefined && ![own, digest(certificate, 'sha256')].includes(plainThumbprint(thumbprint))) {
    throw new AppError('tenants.thumbprint-mismatch', { details: { field: 'thumbprint' } });
  }
  return { certificatePem, privateKeyPem: new Secret(privateKeyPem), thumbprint: own, expiresAt };
}

/** What the sign-in to Microsoft works with. */
export function graphCredential(clientId: string, proof: { secret: string } | { certificate: string }, nowMs: number): GraphCredential {
  if ('secret' in proof) return { kind: 'secret', clientId, clientSecret: new Secret(proof.secret) };
  const { certificatePem, privateKeyPem } = readCertificate(proof.certificate, undefined, nowMs);
  return { kind: 'certificate', clientId, certificatePem, privateKeyPem };
}

const REFUSALS: Readonly<Record<string, { readonly code: string; readonly field?: string }>> = {
  'graph.credentials-refused': { code: 'tenants.credential-refused', field: 'clientSecret' },
  'graph.credentials-expired': { code: 'tenants.credential-refused', field: 'clientSecret' },
  'graph.certificate-refused': { code: 'tenants.credential-refused', field: 'certificate' },
  'graph.certificate-invalid': { code: 'tenants.certificate-invalid', field: 'certificate' },
  'graph.thumbprint-mismatch': { code: 'tenants.thumbprint-mismatch', field: 'thumbprint' },
  'graph.clock-skewed': { code: 'tenants.clock-skew' },
  'graph.client-unknown': { code: 'tenants.credential-refused', field: 'clientId' },
  'graph.tenant-unknown': { code: 'tenants.credential-refused', field: 'microsoftTenantId' },
  'graph.access-withdrawn': { code: 'tenants.credential-refused', field: 'clientId' },
  'graph.token-refused': { code: 'tenants.credential-refused', field: 'clientSecret' },
};

/** A failed sign-in to Microsoft as the API tells it: which field, and what to do. */
export function connectionRefusal(error: unknown): AppError {
  const known = error instanceof AppError ? REFUSALS[error.code] : undefined;
  if (!known) return new AppError('tenants.unreachable', { cause: error });
  return new AppError(known.code, { cause: error, ...(known.field === undefined ? {} : { details: { field: known.field } }) });
}
