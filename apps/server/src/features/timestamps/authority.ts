import { createHash, randomBytes } from 'node:crypto';
import type { TimestampFailure } from '@holdfast/contract/audit';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampReqVersion, TimeStampResp } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { systemCode } from '@holdfast/foundation/errors';
import { checkTimestamp, SHA256, type Timestamp, type TimestampGround } from './token.ts';

/** An authority that attests times (RFC 3161). */
export interface TimestampAuthority {
  /** Has the content stamped; throws `NoTimestamp` with the reason otherwise. What comes back has been checked. */
  stamp(content: Uint8Array): Promise<{ readonly token: Buffer; readonly stamp: Timestamp }>;
}

/** There is no time stamp, for a reason that an operator understands. */
export class NoTimestamp extends Error {
  override readonly name = 'NoTimestamp';
  readonly reason: TimestampFailure;
  /** What the authority said to it. */
  readonly detail: string;
  constructor(reason: TimestampFailure, detail = '', cause?: unknown) {
    super(`no time stamp: ${reason} ${detail}`.trim(), { cause });
    this.reason = reason;
    this.detail = detail;
  }
}

export interface AuthorityOptions extends Pick<TimestampGround, 'roots'> {
  readonly url: string;
}

const NONCE_BYTES = 8;
const TIMEOUT_MS = 30_000;
const MOST_SAID = 300;
/** Tokens with their certificates have some thousand bytes. */
const MOST_BYTES = 256 * 1024;

/** A positive number of full length, so that its bytes come back as they went. */
function makeNonce(): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

const exact = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

function requestFor(content: Uint8Array, nonce: Buffer): Buffer {
  const hashAlgorithm = new AlgorithmIdentifier({ algorithm: SHA256, parameters: null });
  const hashedMessage = new OctetString(createHash('sha256').update(content).digest());
  const messageImprint = new MessageImprint({ hashAlgorithm, hashedMessage });
  return Buffer.from(
    AsnConvert.serialize(new TimeStampReq({ version: TimeStampReqVersion.v1, messageImprint, nonce: exact(nonce), certReq: true })),
  );
}

async function wholeBody(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.byteLength;
    if (size > MOST_BYTES) throw new NoTimestamp('tooLarge');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What hindered a request, in a word. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return systemCode(error.cause) ?? error.name;
}

async function ask(url: string, request: Buffer): Promise<Buffer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(request),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new NoTimestamp('unreachable', whyOf(cause), cause);
  });
  if (answer.ok) return wholeBody(answer);
  await answer.body?.cancel();
  throw new NoTimestamp('status', String(answer.status));
}

/** The token of an answer that grants one. */
function tokenOf(answer: Buffer): Buffer {
  let read: TimeStampResp;
  try {
    read = AsnConvert.parse(answer, TimeStampResp);
  } catch (cause) {
    throw new NoTimestamp('unreadable', '', cause);
  }
  const { status, timeStampToken } = read;
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (isGranted && timeStampToken) return Buffer.from(AsnConvert.serialize(timeStampToken));
  throw new NoTimestamp('refused', [...(status.statusString ?? [`status ${status.status}`])].join(' ').slice(0, MOST_SAID));
}

/** An authority that is asked over HTTP (RFC 3161, 3.4). */
export function createAuthority({ url, roots }: AuthorityOptions): TimestampAuthority {
  return Object.freeze<TimestampAuthority>({
    async stamp(content) {
      const nonce = makeNonce();
      const token = tokenOf(await ask(url, requestFor(content, nonce)));
      const verdict = checkTimestamp(token, { content, roots });
      if ('fault' in verdict) throw new NoTimestamp(verdict.fault);
      if (verdict.stamp.nonce !== nonce.toString('hex')) throw new NoTimestamp('otherRequest');
      return { token, stamp: verdict.stamp };
    },
  });
}
