import { Resolver } from 'node:dns/promises';
import type { JsonObject } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { systemCode } from '@holdfast/foundation/errors';
import { authenticate } from 'mailauth';

/** The text records of a name, as DNS has them: one list of pieces for each. */
export type LookUp = (name: string) => Promise<readonly (readonly string[])[]>;

/** A key record as it was published when the message arrived. */
export interface PublishedKey {
  readonly name: string;
  readonly record: string;
}

/** What the signatures of a message are worth, and by which keys. */
export interface SignatureVerdicts {
  readonly dkim: readonly { readonly domain: string; readonly selector: string; readonly result: string }[];
  readonly arc: string;
  readonly keys: readonly PublishedKey[];
}

/** More signatures than any honest message has: what asks for more keys is not looked up. */
const MOST_KEYS = 20;
const LOOK_UP_MS = 2_000;
const FRESH_MS = 5 * 60_000;
const MOST_CACHED = 2_000;

const none = (name: string): Error => Object.assign(new Error(`There is no key at ${name}.`), { code: 'ENOTFOUND' });

/** Looks text records up at these servers, or at those of this machine, and remembers them for a few minutes. */
export function dnsLookUp(servers: readonly string[], clock: Clock): LookUp | undefined {
  if (servers.length === 1 && servers[0] === 'none') return undefined;
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers([...servers]);
  const cache = new Map<string, { readonly untilMs: number; readonly found: Promise<string[][]> }>();
  return async (name) => {
    const known = cache.get(name);
    if (known && known.untilMs > clock.monotonicMs()) return known.found;
    const found = resolver.resolveTxt(name);
    found.catch((error: unknown) => systemCode(error) === 'ENOTFOUND' || cache.delete(name));
    cache.delete(name);
    cache.set(name, { untilMs: clock.monotonicMs() + FRESH_MS, found });
    for (const oldest of cache.keys()) {
      if (cache.size <= MOST_CACHED) break;
      cache.delete(oldest);
    }
    return found;
  };
}

/** Checks the DKIM signatures and the ARC chain of a message, and keeps the keys that said so. Undefined for one without signatures. */
export async function signatureVerdicts(message: Buffer, lookUp: LookUp): Promise<SignatureVerdicts | undefined> {
  const keys = new Map<string, string>();
  let asked = 0;
  const resolver = async (name: string, type: string): Promise<string[][]> => {
    asked += 1;
    if (type !== 'TXT' || asked > MOST_KEYS) throw none(name);
    const found = (await lookUp(name)).map((pieces) => [...pieces]);
    keys.set(name, (found[0] ?? []).join(''));
    return found;
  };
  const { dkim, arc } = await authenticate(message, { resolver, disableDmarc: true, disableBimi: true });
  const signed = dkim.results.filter(({ signingDomain }) => signingDomain !== undefined);
  const chain = arc === false ? 'none' : arc.status.result;
  if (signed.length === 0 && chain === 'none') return undefined;
  return {
    dkim: signed.map(({ signingDomain = '', selector = '', status }) => ({ domain: signingDomain, selector, result: status.result })),
    arc: chain,
    keys: [...keys].map(([name, record]) => ({ name, record })),
  };
}

/** The same as what a journal keeps; a message that cannot be checked is received all the same. */
export function createVerdicts(lookUp: LookUp | undefined): (message: Buffer) => Promise<JsonObject | undefined> {
  return async (message) => {
    if (!lookUp) return undefined;
    const verdicts = await signatureVerdicts(message, lookUp).catch(() => undefined);
    return verdicts as unknown as JsonObject | undefined;
  };
}
