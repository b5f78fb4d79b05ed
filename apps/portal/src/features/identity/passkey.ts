import type { MadePasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@holdfast/contract/passkeys';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** The device made or used no passkey; what is said of it. Mostly the person said no, or let the time pass. */
export class PasskeyFault extends Error {
  readonly phrase: PhraseKey;

  constructor(phrase: PhraseKey, cause: unknown) {
    super(phrase, { cause });
    this.phrase = phrase;
  }
}

/** Whether this browser knows passkeys at all. */
export function knowsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}

async function fromDevice<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError') throw new PasskeyFault('signIn.passkeyKnown', error);
    throw new PasskeyFault(name === 'NotAllowedError' || name === 'AbortError' ? 'signIn.passkeyDismissed' : 'signIn.passkeyFailed', error);
  }
}

/** The library comes with the first use: most pages never need it. */
const library = () => import('@simplewebauthn/browser');

export async function makePasskey(creation: PasskeyCreation): Promise<MadePasskey> {
  const { startRegistration } = await library();
  const { id, rawId, response } = await fromDevice(startRegistration({ optionsJSON: known(creation) }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
}

export async function signWithPasskey(request: PasskeyRequest): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const { id, rawId, response } = await fromDevice(startAuthentication({ optionsJSON: known(request) }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle === undefined ? {} : { userHandle }) },
  };
}

type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';
interface Descriptor {
  readonly type: 'public-key';
  readonly id: string;
  readonly transports: string[];
}
type Known<T> = { [K in keyof T]: T[K] extends Descriptor[] ? { type: 'public-key'; id: string; transports: Transport[] }[] : T[K] };

/** Ways to reach a device that this browser has not heard of are passed on: it leaves them out itself. */
function known<T extends object>(options: T): Known<T> {
  return options as unknown as Known<T>;
}
