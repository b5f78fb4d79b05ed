import type { SendFailureView } from '@holdfast/contract/forwarding';
import { systemCode } from '@holdfast/foundation/errors';

/** Why a destination did not take events. Its detail never contains a secret or what a receiver wrote. */
export class SendFailure extends Error {
  readonly reason: SendFailureView['reason'];
  readonly detail: string;
  constructor(reason: SendFailureView['reason'], detail = '', cause?: unknown) {
    super(detail === '' ? reason : `${reason}: ${detail}`, { cause });
    this.name = 'SendFailure';
    this.reason = reason;
    this.detail = detail;
  }
}

/** A certificate that was looked at and not accepted; everything else that TLS says counts as unreachable. */
const CERTIFICATE = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|HOSTNAME_MISMATCH)/;

/** What a failed connection means. */
export function connectionFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = systemCode(error) ?? '';
  if (CERTIFICATE.test(code)) return new SendFailure('untrusted', code, error);
  return code === 'ETIMEDOUT' ? new SendFailure('timedOut', '', error) : new SendFailure('unreachable', code, error);
}
