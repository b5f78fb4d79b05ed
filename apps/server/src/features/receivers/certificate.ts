import { X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Clock } from '@holdfast/foundation/clock';
import { systemCode } from '@holdfast/foundation/errors';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import { makeCertificate } from '../../keys/certificate.ts';

/** The certificate of a listener, as clients see it. */
export interface ListenerCertificate {
  readonly context: SecureContext;
  readonly pem: string;
  readonly endsAt: Date;
  readonly sha256: string;
}

export interface CertificateOptions {
  readonly hostName: string;
  /** Where one that is made is kept. */
  readonly folder: string;
  /** Paths of one that was given. */
  readonly given: { readonly certificate: string; readonly key: string } | undefined;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3_600_000;
const YEARS_MS = 2 * 365 * DAY_MS;
/** A made certificate is replaced so long before it ends. */
const RENEWED_MS = 30 * DAY_MS;

function certificateOf(pem: string, key: string): ListenerCertificate {
  const { validTo, fingerprint256 } = new X509Certificate(pem);
  const sha256 = fingerprint256.replaceAll(':', '').toLowerCase();
  return { context: createSecureContext({ cert: pem, key, minVersion: 'TLSv1.2' }), pem, endsAt: new Date(validTo), sha256 };
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

function isUsable(pem: string, { hostName, clock }: CertificateOptions): boolean {
  const certificate = new X509Certificate(pem);
  const isOurs = isIP(hostName) === 0 ? certificate.subject.includes(`CN=${hostName}`) : certificate.checkIP(hostName) !== undefined;
  return isOurs && new Date(certificate.validTo).getTime() - clock.nowMs() > RENEWED_MS;
}

/** The certificate that was given, or one that the product makes, keeps and renews. */
export async function listenerCertificate(options: CertificateOptions): Promise<ListenerCertificate> {
  const { given, folder, hostName, clock } = options;
  if (given) return certificateOf(await readFile(given.certificate, 'utf8'), await readFile(given.key, 'utf8'));
  const file = path.join(folder, 'certificate.pem');
  const kept = await textOf(file);
  if (kept !== undefined) {
    const [pem = '', key = ''] = kept.split(/(?=-----BEGIN PRIVATE KEY-----)/u);
    if (key !== '' && isUsable(pem, options)) return certificateOf(pem, key);
  }
  const from = new Date(clock.nowMs() - DAY_MS);
  const made = await makeCertificate({ commonName: hostName, from, to: new Date(from.getTime() + YEARS_MS), isServer: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWholeFile(file, `${made.certificatePem}${made.privateKeyPem}`, { mode: 0o600 });
  return certificateOf(made.certificatePem, made.privateKeyPem);
}
