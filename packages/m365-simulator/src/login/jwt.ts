import { createHash, createHmac, createPublicKey, constants, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../values/json.ts';

export interface ReadJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Buffer;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Takes a token apart without believing it. */
export function readJwt(token: string): ReadJwt | undefined {
  const [head, body, signature, more] = token.split('.');
  const header = decode(head);
  const claims = decode(body);
  if (!header || !claims || signature === undefined || more !== undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

/** A token signed with RSA, as access tokens are. */
export function signRs256(key: KeyObject, keyId: string, claims: JsonObject): string {
  const text = `${encode({ typ: 'JWT', alg: 'RS256', kid: keyId })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** True when the signature is by the certificate, with the algorithm that the header names. */
export function isSignedBy(token: ReadJwt, certificatePem: string): boolean {
  const key = createPublicKey(certificatePem);
  const data = Buffer.from(token.signed);
  if (token.header['alg'] === 'RS256') return verify('sha256', data, key, token.signature);
  if (token.header['alg'] !== 'PS256') return false;
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return verify('sha256', data, options, token.signature);
}

const HS256_HEADER = encode({ typ: 'JWT', alg: 'HS256' });

/** A token under the key of a tenant, as pre-authenticated links carry it. Its `exp` can be read by anyone. */
export function signHs256(key: Buffer, claims: JsonObject): string {
  const text = `${HS256_HEADER}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** The claims of such a token when the signature is right. Expiry is not looked at. */
export function openHs256(key: Buffer, token: ReadJwt): JsonObject | undefined {
  const expected = createHmac('sha256', key).update(token.signed).digest();
  const isRight = expected.byteLength === token.signature.byteLength && timingSafeEqual(expected, token.signature);
  return isRight ? token.claims : undefined;
}

/** The thumbprints of a certificate as assertions name it: SHA-1 and SHA-256 of the DER, base64url. */
export function thumbprints(certificatePem: string): { readonly sha1: string; readonly sha256: string } {
  const der = Buffer.from(certificatePem.replaceAll(/-----[^-]+-----|\s/gu, ''), 'base64');
  return {
    sha1: createHash('sha1').update(der).digest('base64url'),
    sha256: createHash('sha256').update(der).digest('base64url'),
  };
}
