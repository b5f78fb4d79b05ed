import { X509Certificate } from 'node:crypto';
import type { DestinationBody } from '@holdfast/contract/forwarding';
import { AppError } from '@holdfast/foundation/errors';
import type { StoredTarget } from './transports.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.byteLength > 0;
  } catch {
    return false;
  }
}

/** Refuses what is no certificate: it would only show when something is to be sent. */
export function checkCertificates(ca: string): void {
  if (ca === '') return;
  const blocks = ca.match(BLOCK) ?? [];
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    throw new AppError('forwarding.certificate-invalid', { details: { field: 'ca' } });
  }
}

/** Address and certificates, as they are stored. */
export function targetOf(body: DestinationBody): StoredTarget {
  if (body.kind === 'syslog') return { host: body.host, port: body.port, ca: body.ca };
  return body.kind === 'webhook' ? { url: body.url, form: body.form, ca: body.ca } : {};
}
