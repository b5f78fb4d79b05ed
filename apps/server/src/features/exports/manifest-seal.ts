import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The line that is signed: what `sha256sum --check` reads. */
export function sealLine(hash: string): string {
  return `${hash}  manifest.json\n`;
}

/** The hash that a line names; undefined for anything else. */
export function hashInLine(line: string): string | undefined {
  return /^([0-9a-f]{64}) [ *]manifest\.json\r?\n?$/.exec(line)?.[1];
}

export function signManifest(hash: string, privateKey: KeyObject): Buffer {
  return sign(null, Buffer.from(sealLine(hash)), privateKey);
}

export function isSealed(line: Buffer, signature: Buffer, publicKey: KeyObject): boolean {
  return publicKey.asymmetricKeyType === 'ed25519' && verify(null, line, publicKey, signature);
}

/** SHA-256 of a key in DER form: short enough to be compared by eye. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');
}

export function publicKeyOf(pem: string): KeyObject {
  return createPublicKey({ key: pem, format: 'pem' });
}
