import { createCipheriv, createHmac, createPrivateKey, createPublicKey, hkdfSync, createSecretKey, type KeyObject } from 'node:crypto';

/** Every key of a vault, derived from its one vault key (FORMAT.md section 3). */
export interface VaultKeys {
  readonly vaultId: string;
  /** The vault id as its 16 bytes. */
  readonly vaultIdBytes: Buffer;
  readonly vaultKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly verifyingKey: KeyObject;
  /** Seals small objects with random nonces. */
  readonly smallKey: KeyObject;
  readonly headerKey: KeyObject;
  /** Hex. */
  blobId(plaintext: Uint8Array): string;
  /** The folder name of a resource: tells nothing to who has no key. */
  resourceKey(resourceId: string): string;
  packKey(packId: Buffer): KeyObject;
  segmentKey(salt: Buffer): KeyObject;
  /** The table of the content-defined chunker: keyed, so that chunk lengths tell nothing. */
  gearTable(): Uint32Array;
}

/** Blob ids are the first 20 bytes of HMAC-SHA-256 (FORMAT.md section 4). */
export const BLOB_ID_BYTES = 20;

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const GEAR_ENTRIES = 256;

/** A UUID as its 16 bytes. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function derive(vaultKey: KeyObject, purpose: string, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', vaultKey, salt, `holdfast/1/${purpose}`, 32));
}

/** Derives all keys of the vault `vaultId`. The same inputs give the same keys. */
export function deriveVaultKeys(vaultId: string, vaultKey: KeyObject): VaultKeys {
  const vaultIdBytes = uuidBytes(vaultId);
  const keyFor = (purpose: string, salt: Uint8Array = vaultIdBytes): KeyObject => createSecretKey(derive(vaultKey, purpose, salt));
  const blobIdKey = keyFor('blob-id');
  const nameKey = keyFor('names');
  const signingKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, derive(vaultKey, 'sign', vaultIdBytes)]),
    format: 'der',
    type: 'pkcs8',
  });
  return Object.freeze({
    vaultId,
    vaultIdBytes,
    vaultKey,
    signingKey,
    verifyingKey: createPublicKey(signingKey),
    smallKey: keyFor('small'),
    headerKey: keyFor('header'),
    blobId: (plaintext: Uint8Array) =>
      createHmac('sha256', blobIdKey)
        .update(plaintext)
        .digest('hex')
        .slice(0, 2 * BLOB_ID_BYTES),
    resourceKey: (resourceId: string) => createHmac('sha256', nameKey).update(resourceId).digest('hex').slice(0, 40),
    packKey: (packId: Buffer) => keyFor('pack', packId),
    segmentKey: (salt: Buffer) => keyFor('segment', salt),
    gearTable() {
      const stream = createCipheriv('aes-256-ctr', keyFor('gear'), Buffer.alloc(16));
      const bytes = stream.update(Buffer.alloc(GEAR_ENTRIES * 4));
      return Uint32Array.from({ length: GEAR_ENTRIES }, (_, entry) => bytes.readUInt32LE(entry * 4));
    },
  });
}
