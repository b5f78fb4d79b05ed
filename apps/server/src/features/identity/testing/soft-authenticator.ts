import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { MadePasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@holdfast/contract/passkeys';

/** What a device may do other than it should: each is a fault that the server has to see. */
export interface Manner {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly credentialId?: Buffer;
}

/** A passkey on a device of the test, with both halves of its key. */
export interface SoftPasskey {
  readonly made: MadePasskey;
  readonly credentialId: Buffer;
  sign(request: PasskeyRequest, manner?: Manner): PasskeyAnswer;
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** As much of CBOR (RFC 8949) as an attestation needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    if (n < 256) return Buffer.from([(major << 5) | 24, n]);
    return Buffer.from([(major << 5) | 25, n >> 8, n & 0xff]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -value - 1) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((pair) => pair.map(cbor))]);
}

const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

function authenticatorData(rpId: string, flags: number, counter: number, rest: Buffer = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest]);
}

/** A device that makes a passkey as a browser of this origin would have it made. */
export function makePasskey(options: PasskeyCreation, origin: string, manner: Manner = {}): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const credentialId = manner.credentialId ?? randomBytes(32);
  const id = credentialId.toString('base64url');
  const clientData = (type: string, challenge: string, given: Manner): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: given.type ?? type,
        challenge: given.challenge ?? challenge,
        origin: given.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]);
  const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(key)]);
  const flags = UP | AT | (manner.isVerified === false ? 0 : UV);
  const authData = authenticatorData(manner.rpId ?? options.rp.id, flags, manner.counter ?? 0, attested);
  const attestation = cbor(
    new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  const handle = options.user.id;
  return {
    credentialId,
    made: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, manner).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    },
    sign(request, given = {}) {
      const data = authenticatorData(given.rpId ?? request.rpId, UP | (given.isVerified === false ? 0 : UV), given.counter ?? 0);
      const client = clientData('webauthn.get', request.challenge, given);
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      const userHandle = given.userHandle === undefined ? handle : given.userHandle;
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle === null ? {} : { userHandle }),
        },
      };
    },
  };
}
