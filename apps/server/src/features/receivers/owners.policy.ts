import { domainToASCII, domainToUnicode } from 'node:url';
import type { JournalEnvelope, JournalRecipient, JournalRole } from '@holdfast/engine';

/** The envelope of a journal report, as its journal keeps it. */
export interface KeptEnvelope {
  readonly broken?: string;
  readonly sender?: string;
  readonly onBehalfOf?: string;
  readonly recipients?: readonly JournalRecipient[];
}

/** A person of the directory, now or formerly, by one of their addresses. */
export interface AddressOwner {
  readonly graphId: string;
  readonly isExempt: boolean;
}

/** To whom a mail goes: nobody at all, those who are named, or nobody because all of them are exempt. */
export interface Owners {
  readonly owners: ReadonlyMap<string, readonly string[]>;
  readonly hasExempt: boolean;
}

const clean = (address: string): string => address.trim().toLowerCase();

/** `anna+news@contoso.com` is delivered to Anna: Exchange reads what follows the plus as a note of hers. */
function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? `${address.slice(0, plus)}${address.slice(at)}` : address;
}

/** An internationalised domain is written in its own letters or encoded in ASCII, and Exchange and the directory may differ in that. */
function formsOf(address: string): readonly string[] {
  if (/^[!-~]*$/u.test(address) && !address.includes('xn--')) return [address];
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const written = [domain, domainToASCII(domain), domainToUnicode(domain)].filter((name) => name !== '');
  return [...new Set(written)].map((name) => `${address.slice(0, at)}${name}`);
}

const candidates = (address: string): readonly string[] => [...formsOf(address), ...formsOf(withoutTag(address))];

/** Every address that an envelope names, each once. */
export function addressesOf({ sender = '', onBehalfOf = '', recipients = [] }: KeptEnvelope): readonly string[] {
  const all = [sender, onBehalfOf, ...recipients.map(({ address }) => address)].map(clean);
  return [...new Set(all)].filter((address) => address.includes('@'));
}

/** The same with what may be somebody's address as well: what is looked up in the directory. */
export function candidatesOf(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.flatMap(candidates))];
}

/** Whose archives a mail belongs in, by the addresses of its envelope. The exempt are in none, whatever else names them. */
export function ownersOf(addresses: readonly string[], known: ReadonlyMap<string, AddressOwner>): Owners {
  const owners = new Map<string, string[]>();
  let hasExempt = false;
  for (const address of addresses) {
    const owner = candidates(address)
      .map((one) => known.get(one))
      .find((one) => one !== undefined);
    if (owner?.isExempt === true) hasExempt = true;
    else if (owner) owners.set(owner.graphId, [...(owners.get(owner.graphId) ?? []), address]);
  }
  return { owners, hasExempt };
}

/**
 * What the owner of an archive may know of an envelope. Blind copies are for the sender and for whoever received one. Exchange
 * does not always say how somebody became a recipient; such a recipient may have been a blind copy.
 */
export function envelopeFor(kept: KeptEnvelope, own: readonly string[]): JournalEnvelope | undefined {
  const { broken, sender = '', onBehalfOf, recipients = [] } = kept;
  if (broken !== undefined) return undefined;
  const mine = new Set(own);
  const isSender = mine.has(clean(sender)) || (onBehalfOf !== undefined && mine.has(clean(onBehalfOf)));
  const isMine = ({ address }: JournalRecipient): boolean => mine.has(clean(address));
  const isOpen = ({ role }: JournalRecipient): boolean => role === 'to' || role === 'cc';
  const roles = new Set<JournalRole>([...(isSender ? ['sender' as const] : []), ...recipients.filter(isMine).map(({ role }) => role)]);
  return { roles: [...roles], sender, recipients: recipients.filter((one) => isSender || isMine(one) || isOpen(one)) };
}
