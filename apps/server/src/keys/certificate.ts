import { generateKeyPair, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const makeKeys = promisify(generateKeyPair);
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
const COMMON_NAME = '2.5.4.3';
const SERIAL_BYTES = 16;

export interface MadeCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

interface Wanted {
  readonly commonName: string;
  readonly from: Date;
  readonly to: Date;
  /** Names a server, so that clients can hold it against the host that they connect to. */
  readonly isServer?: boolean;
}

function serverNames(commonName: string): Extensions {
  // Clients hold an address against names of that kind alone.
  const names = new SubjectAlternativeName([new GeneralName(isIP(commonName) === 0 ? { dNSName: commonName } : { iPAddress: commonName })]);
  const extnValue = new OctetString(AsnConvert.serialize(names));
  return new Extensions([new Extension({ extnID: id_ce_subjectAltName, critical: false, extnValue })]);
}

function selfSigned({ commonName, from, to, isServer = false }: Wanted, publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const algorithm = new AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null });
  const value = new AttributeValue({ utf8String: commonName });
  const name = new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
  // The first bit is cleared: serial numbers are positive.
  const serial = randomBytes(SERIAL_BYTES);
  serial[0] = (serial[0] ?? 0) & 0x7f || 1;
  const unsigned = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array(serial).buffer,
    signature: algorithm,
    issuer: name,
    subject: name,
    validity: new Validity({ notBefore: from, notAfter: to }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    ...(isServer ? { extensions: serverNames(commonName) } : {}),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(unsigned)), privateKey);
  const signed = new Certificate({
    tbsCertificate: unsigned,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  return Buffer.from(AsnConvert.serialize(signed));
}

/** A key and a certificate that it signs itself, for an app that signs in to Entra without a password or a server that takes in mail. */
export async function makeCertificate(wanted: Wanted): Promise<MadeCertificate> {
  const { publicKey, privateKey } = await makeKeys('rsa', { modulusLength: 2048 });
  return {
    certificatePem: pem(selfSigned(wanted, publicKey, privateKey)),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
