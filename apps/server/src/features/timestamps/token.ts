import { createHash, timingSafeEqual, verify, X509Certificate, constants, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import type { TimestampFailure } from '@holdfast/contract/audit';
import { ContentInfo, id_signedData, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { id_ct_tstInfo, TSTInfo } from '@peculiar/asn1-tsp';
import {
  Certificate,
  ExtendedKeyUsage,
  id_ce_extKeyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_timeStamping,
  SubjectKeyIdentifier,
  type Name,
} from '@peculiar/asn1-x509';
import { Constructed, fromBER, type BaseBlock } from 'asn1js';
import { isIssuedBelow } from './chain.ts';

/** What of a time stamp does not hold. */
export type TimestampFault = Extract<TimestampFailure, 'unreadable' | 'otherContent' | 'signer' | 'signature' | 'untrusted'>;

/** What a time stamp says, once all of it was checked. */
export interface Timestamp {
  /** The time that the authority attests. */
  readonly at: Date;
  /** The name in the certificate of the authority. */
  readonly authority: string;
  readonly nonce: string | undefined;
}

export type TimestampVerdict = { readonly stamp: Timestamp } | { readonly fault: TimestampFault };

/** What a stamp is held against. */
export interface TimestampGround {
  /** What was stamped. */
  readonly content: Uint8Array;
  /** The certificates of the authorities that are believed. */
  readonly roots: readonly X509Certificate[];
}

export const SHA256 = '2.16.840.1.101.3.4.2.1';
/** Hashes that a signature may be made over; what is older is no proof any more. */
const HASHES: Readonly<Record<string, string>> = {
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** Signatures that name their hash: RSA, then ECDSA. */
const SIGNED_HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const SET = 0x31;
/** The class of tags that a structure gives its own parts. */
const CONTEXT = 3;
/** `id_ct_tstInfo` as the attribute of the content's type holds it. */
const TIMESTAMP_INFO = Buffer.from('060b2a864886f70d0109100104', 'hex');

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.byteLength === b.byteLength && timingSafeEqual(a, b);
const bytesOf = (value: ArrayBuffer | OctetString): Buffer => Buffer.from(value instanceof OctetString ? value.buffer : value);

/** A certificate with the exact bytes that were signed and are hashed. */
interface Carried {
  readonly der: Buffer;
  readonly parsed: Certificate;
  readonly x509: X509Certificate;
}

/** Signed data exactly as it was sent: encoding its parts again could change a byte that was hashed. */
interface AsSent {
  readonly certificates: readonly Carried[];
  /** The attributes that the signature is over. */
  readonly attributes: Buffer;
}

interface Read extends AsSent {
  readonly signer: SignerInfo;
  readonly info: TSTInfo;
  readonly infoBytes: Buffer;
}

/** The part that a structure has given this number. */
function partOf(structure: BaseBlock | undefined, tagNumber: number): BaseBlock | undefined {
  if (!(structure instanceof Constructed)) return undefined;
  return structure.valueBlock.value.find(({ idBlock }) => idBlock.tagClass === CONTEXT && idBlock.tagNumber === tagNumber);
}

const contentsOf = (structure: BaseBlock | undefined): readonly BaseBlock[] =>
  structure instanceof Constructed ? structure.valueBlock.value : [];

function asSent(signedData: ArrayBuffer): AsSent {
  const { result } = fromBER(signedData);
  const [signer] = contentsOf(contentsOf(result).at(-1));
  const certificates = contentsOf(partOf(result, 0)).map((one) => {
    const der = Buffer.from(one.valueBeforeDecodeView);
    return { der, parsed: AsnConvert.parse(der, Certificate), x509: new X509Certificate(der) };
  });
  return { certificates, attributes: Buffer.from(partOf(signer, 0)?.valueBeforeDecodeView ?? []) };
}

/** Takes a token apart; undefined for anything that is none. */
function readToken(token: Uint8Array): Read | undefined {
  const outer = AsnConvert.parse(token, ContentInfo);
  if (outer.contentType !== id_signedData) return undefined;
  const data = AsnConvert.parse(outer.content, SignedData);
  const infoBytes = data.encapContentInfo.eContent?.single;
  const [signer, ...others] = data.signerInfos;
  if (data.encapContentInfo.eContentType !== id_ct_tstInfo || !infoBytes || !signer || others.length > 0) return undefined;
  const info = AsnConvert.parse(infoBytes.buffer, TSTInfo);
  return { signer, info, infoBytes: bytesOf(infoBytes), ...asSent(outer.content) };
}

const nameOf = (name: Name): Buffer => Buffer.from(AsnConvert.serialize(name));

function isNamedBy({ sid }: SignerInfo, { tbsCertificate }: Certificate): boolean {
  if (sid.issuerAndSerialNumber) {
    const { issuer, serialNumber } = sid.issuerAndSerialNumber;
    return isSame(bytesOf(serialNumber), bytesOf(tbsCertificate.serialNumber)) && isSame(nameOf(issuer), nameOf(tbsCertificate.issuer));
  }
  const own = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  if (!own || !sid.subjectKeyIdentifier) return false;
  return isSame(bytesOf(AsnConvert.parse(own.extnValue.buffer, SubjectKeyIdentifier)), bytesOf(sid.subjectKeyIdentifier));
}

/** RFC 3161, 2.3: the key stamps times and does nothing else. */
function isForStampsAlone({ tbsCertificate }: Certificate): boolean {
  const usage = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_extKeyUsage);
  if (usage?.critical !== true) return false;
  const purposes = AsnConvert.parse(usage.extnValue.buffer, ExtendedKeyUsage);
  return purposes.length === 1 && purposes[0] === id_kp_timeStamping;
}

function attributeOf({ signedAttrs }: SignerInfo, type: string): Buffer | undefined {
  const [first, ...others] = signedAttrs?.find(({ attrType }) => attrType === type)?.attrValues ?? [];
  return first && others.length === 0 ? Buffer.from(first) : undefined;
}

/** Whether the token names the certificate by its hash (RFC 5035), so that no other can stand in for it. */
function namesCertificate(signer: SignerInfo, der: Buffer): boolean {
  const named = attributeOf(signer, SIGNING_CERTIFICATE_V2) ?? attributeOf(signer, SIGNING_CERTIFICATE);
  return (
    named !== undefined && ['sha1', 'sha256', 'sha384', 'sha512'].some((hash) => named.includes(createHash(hash).update(der).digest()))
  );
}

/** What the signature is checked with; undefined for methods that prove nothing any more. */
function methodOf({
  signatureAlgorithm,
  digestAlgorithm,
}: SignerInfo): { readonly hash: string | null; readonly isPss: boolean } | undefined {
  const { algorithm } = signatureAlgorithm;
  if (algorithm === ED25519) return { hash: null, isPss: false };
  const hash = algorithm === RSA || algorithm === RSA_PSS ? HASHES[digestAlgorithm.algorithm] : SIGNED_HASHES[algorithm];
  return hash === undefined ? undefined : { hash, isPss: algorithm === RSA_PSS };
}

/** Whether the certificate's key has signed the attributes, and these speak of this content. */
function isSignedBy({ signer, infoBytes, attributes: sent }: Read, publicKey: KeyObject): boolean {
  const digestName = HASHES[signer.digestAlgorithm.algorithm];
  const method = methodOf(signer);
  const [type, digest] = [attributeOf(signer, CONTENT_TYPE), attributeOf(signer, MESSAGE_DIGEST)];
  if (!method || digestName === undefined || !type || !digest || sent.byteLength === 0) return false;
  const expected = Buffer.from(AsnConvert.serialize(new OctetString(createHash(digestName).update(infoBytes).digest())));
  if (!isSame(digest, expected) || !isSame(type, TIMESTAMP_INFO)) return false;
  const attributes = Buffer.from(sent);
  attributes[0] = SET;
  const key: VerifyKeyObjectInput = method.isPss
    ? { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { key: publicKey };
  return verify(method.hash, attributes, key, bytesOf(signer.signature));
}

function commonName({ subject }: X509Certificate): string {
  const lines = subject.split('\n');
  return (lines.find((line) => line.startsWith('CN=')) ?? lines.at(-1) ?? '').replace(/^[A-Za-z]+=/u, '');
}

function verdictOn(token: Uint8Array, { content, roots }: TimestampGround): TimestampVerdict {
  const read = readToken(token);
  if (!read) return { fault: 'unreadable' };
  const { messageImprint, genTime, nonce } = read.info;
  const hash = createHash('sha256').update(content).digest();
  const isOfContent = messageImprint.hashAlgorithm.algorithm === SHA256 && isSame(bytesOf(messageImprint.hashedMessage), hash);
  if (!isOfContent) return { fault: 'otherContent' };
  const signer = read.certificates.find(({ parsed }) => isNamedBy(read.signer, parsed));
  if (!signer || !isForStampsAlone(signer.parsed) || !namesCertificate(read.signer, signer.der)) return { fault: 'signer' };
  if (!isSignedBy(read, signer.x509.publicKey)) return { fault: 'signature' };
  const between = read.certificates.map(({ x509 }) => x509);
  if (!isIssuedBelow(signer.x509, { roots, between, at: genTime })) return { fault: 'untrusted' };
  return {
    stamp: {
      at: genTime,
      authority: commonName(signer.x509),
      nonce: nonce === undefined ? undefined : Buffer.from(nonce).toString('hex'),
    },
  };
}

/** Checks a token (RFC 3161) by itself and the authorities that are believed. */
export function checkTimestamp(token: Uint8Array, ground: TimestampGround): TimestampVerdict {
  try {
    return verdictOn(token, ground);
  } catch {
    // What reads structures, certificates and keys throws at each thing that is none.
    return { fault: 'unreadable' };
  }
}
