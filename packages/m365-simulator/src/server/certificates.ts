import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { bits, context, implicit, integer, objectId, octets, sequence, setOf, time, truth, utf8 } from './der.ts';

export interface KeyAndCertificate {
  /** PKCS#8, PEM. */
  readonly key: string;
  readonly certificate: string;
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Request {
  readonly serial: number;
  readonly subject: string;
  readonly issuer: string;
  readonly pair: Pair;
  /** Signs; the pair's own key for a certificate of itself. */
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}

const generate = promisify(generateKeyPair);
const NOT_BEFORE = time('2020-01-01T00:00:00');
/** UTC times end in 2049; a certificate of a simulator need not live longer. */
const NOT_AFTER = time('2049-12-31T00:00:00');
const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const RSA_SHA256 = sequence(objectId('1.2.840.113549.1.1.11'), Buffer.from([5, 0]));

function nameOf(commonName: string): Buffer {
  return sequence(setOf(sequence(objectId('2.5.4.3'), utf8(commonName))));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return isCritical ? sequence(objectId(id), truth(true), octets(value)) : sequence(objectId(id), octets(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(der: Buffer, label: string): string {
  const lines = der.toString('base64').replaceAll(/.{64}/gu, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function issue(request: Request): string {
  const algorithm = request.signer.asymmetricKeyType === 'ec' ? ECDSA_SHA256 : RSA_SHA256;
  const body = sequence(
    context(0, integer(2)),
    integer(request.serial),
    algorithm,
    nameOf(request.issuer),
    sequence(NOT_BEFORE, NOT_AFTER),
    nameOf(request.subject),
    request.pair.publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...request.extensions)),
  );
  return pem(sequence(body, algorithm, bits(sign('sha256', body, request.signer))), 'CERTIFICATE');
}

function keyPem(pair: Pair): string {
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
}

const AUTHORITY = 'Holdfast simulator authority';

/** An authority of its own, and a certificate for all `names` and the loopback addresses signed by it. */
export async function createServerCertificate(names: readonly string[]): Promise<KeyAndCertificate & { readonly ca: string }> {
  const [authority, server] = await Promise.all([generate('ec', { namedCurve: 'P-256' }), generate('ec', { namedCurve: 'P-256' })]);
  const authorityId = keyIdentifier(authority.publicKey);
  const ca = issue({
    serial: 1,
    subject: AUTHORITY,
    issuer: AUTHORITY,
    pair: authority,
    signer: authority.privateKey,
    extensions: [
      extension('2.5.29.19', true, sequence(truth(true))),
      extension('2.5.29.15', true, bits(Buffer.from([0x06]), 1)),
      extension('2.5.29.14', false, octets(authorityId)),
    ],
  });
  const ipv6 = Buffer.alloc(16);
  ipv6[15] = 1;
  const alternatives = [
    ...names.map((name) => implicit(2, Buffer.from(name))),
    implicit(7, Buffer.from([127, 0, 0, 1])),
    implicit(7, ipv6),
  ];
  const certificate = issue({
    serial: 2,
    subject: 'Holdfast simulator',
    issuer: AUTHORITY,
    pair: server,
    signer: authority.privateKey,
    extensions: [
      extension('2.5.29.19', true, sequence()),
      extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, sequence(objectId('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, sequence(...alternatives)),
      extension('2.5.29.35', false, sequence(implicit(0, authorityId))),
    ],
  });
  return { key: keyPem(server), certificate, ca };
}

/** A self-signed RSA certificate, as an administrator uploads it for an app. */
export async function createAppCertificate(name: string): Promise<KeyAndCertificate> {
  const pair = await generate('rsa', { modulusLength: 2048 });
  const extensions = [extension('2.5.29.14', false, octets(keyIdentifier(pair.publicKey)))];
  const certificate = issue({ serial: 3, subject: name, issuer: name, pair, signer: pair.privateKey, extensions });
  return { key: keyPem(pair), certificate };
}
