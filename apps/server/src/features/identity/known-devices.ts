import { createHmac } from 'node:crypto';
import { equalBytes } from '@holdfast/foundation/bytes';
import type { IdentityParts } from './identity-parts.ts';
import { normaliseEmail } from './normalise.ts';

/**
 * Devices that somebody has signed in with before. Their wrong attempts are counted for themselves, so that strangers
 * who guess at an address keep nobody out. The cookie opens nothing: it only says which counter is used.
 */
export interface KnownDevices {
  /** The device that a cookie proves for an address; without an address, for any. Undefined when it proves none. */
  find(cookie: string | undefined, email?: string): Promise<string | undefined>;
  /** The value of the cookie after a sign-in, with what it knew of other addresses. */
  remember(cookie: string | undefined, email: string): Promise<string>;
}

/** As long as browsers keep a cookie at most. */
export const DEVICE_SECONDS = 400 * 86_400;

const ADDRESSES = 5;
const ENTRY = /^([\w-]{22})\.([\da-z]{1,9})\.([\w-]{16})\.([\w-]{32})$/;

interface Entry {
  readonly device: string;
  readonly issued: string;
  /** Which address it is for, readable with the server's key alone. */
  readonly tag: string;
  readonly text: string;
}

type DeviceParts = Pick<IdentityParts, 'clock' | 'random' | 'sealing' | 'options'>;

export function createKnownDevices({ clock, random, sealing, options }: DeviceParts): KnownDevices {
  const secret = (): Promise<Buffer> => sealing.installationSecret('known-device');

  function mac(key: Buffer, purpose: string, value: string, bytes: number): string {
    return createHmac('sha256', key).update(`${purpose}\n`).update(value).digest().subarray(0, bytes).toString('base64url');
  }

  const tagOf = (key: Buffer, email: string): string => mac(key, 'address', normaliseEmail(email), 12);

  function entryOf(key: Buffer, device: string, issued: string, tag: string): Entry {
    const signed = `${device}.${issued}.${tag}`;
    return { device, issued, tag, text: `${signed}.${mac(key, 'device', signed, 24)}` };
  }

  /** The entries of a cookie that this server has signed and that have not ended. */
  function entriesOf(key: Buffer, cookie: string | undefined): Entry[] {
    const texts = (cookie ?? '').split('~', ADDRESSES);
    return texts.flatMap((text) => {
      const [, device = '', issued = '', tag = ''] = ENTRY.exec(text) ?? [];
      const known = entryOf(key, device, issued, tag);
      const isOver = clock.nowMs() >= (Number.parseInt(issued, 36) + DEVICE_SECONDS) * 1_000;
      return device !== '' && !isOver && equalBytes(Buffer.from(known.text), Buffer.from(text)) ? [known] : [];
    });
  }

  return Object.freeze<KnownDevices>({
    async find(cookie, email) {
      if (cookie === undefined || options.profile === 'conformance') return undefined;
      const key = await secret();
      const wanted = email === undefined ? undefined : tagOf(key, email);
      return entriesOf(key, cookie).find(({ tag }) => wanted === undefined || tag === wanted)?.device;
    },
    async remember(cookie, email) {
      const key = await secret();
      const known = entriesOf(key, cookie);
      const tag = tagOf(key, email);
      const device = known.find((entry) => entry.tag === tag)?.device ?? random.bytes(16).toString('base64url');
      const own = entryOf(key, device, Math.floor(clock.nowMs() / 1_000).toString(36), tag);
      const others = known.filter((entry) => entry.tag !== tag).slice(0, ADDRESSES - 1);
      return [own, ...others].map(({ text }) => text).join('~');
    },
  });
}
