import { sha256Hex } from '@holdfast/foundation/bytes';
import { labelsOfHeaders, type SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { fileVersions } from '../ports/file-versions.ts';
import type { ItemVersion, Json, JsonObject } from '../ports/item.ts';
import { placementsOf } from '../workloads/archive/archived-message.ts';
import { instantOf } from './item-preview.ts';
import type { DocumentWords } from './document-words.ts';
import { addressesOf, linksOf } from './links.ts';

/** What an item is identified by, each under the name that a query has for it. */
interface ItemIdentifier {
  readonly field: 'messageid' | 'inreplyto' | 'conversation' | 'attachmenthash' | 'id' | 'folderid' | 'version' | 'itemclass';
  readonly value: string;
}

/** What is known of an item besides its words. What it does not say, or what can't be known of its kind, is null. */
export interface ItemFacts {
  /** The sender's word. ISO 8601, UTC. */
  readonly sentAt: string | null;
  /** When the archive first took it in. ISO 8601, UTC. */
  readonly archivedAt: string | null;
  readonly importance: string | null;
  readonly isRead: boolean | null;
  /** Whether a receiver took it in from a journal. */
  readonly isJournaled: boolean;
  readonly isSigned: boolean | null;
  readonly isEncrypted: boolean | null;
  readonly identifiers: readonly ItemIdentifier[];
  /** Whom a journal names as sender and recipients of a message. */
  readonly envelope: readonly string[];
  /** The header lines of a mail, decoded; each line of a name by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The addresses that its text links to. */
  readonly links: readonly string[];
  /** What links to it have in common, for a file. */
  readonly addresses: readonly string[];
  /** The sensitivity labels of a mail or a file; null where nobody can tell, and for everything else. */
  readonly labels: readonly SensitivityLabel[] | null;
}

type Field = ItemIdentifier['field'];

function textsIn(places: readonly Json[], name: string): readonly string[] {
  return places.flatMap((place) => {
    const value = (place as { readonly [key: string]: Json })[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** A year of more than four digits is nobody's time: no calendar and no table has it. */
function moment(text: string | null | undefined): string | null {
  const at = instantOf(text);
  return at !== null && /^\d{4}-/u.test(at) ? at : null;
}

const POSTS: readonly string[] = ['post', 'reply', 'chatMessage'];

function sentAt(item: ItemVersion, mail: ParsedMail | undefined): string | null {
  if (POSTS.includes(item.kind)) return moment(item.createdAt);
  if (item.kind !== 'message') return null;
  const { sentDateTime } = item.properties;
  return moment(mail?.date) ?? moment(typeof sentDateTime === 'string' ? sentDateTime : item.createdAt);
}

/** Whether it was read where it was; an archived message that was in several places, in any of them. */
function isRead(item: ItemVersion, places: readonly Json[]): boolean | null {
  const states = [item.properties, ...places].flatMap((place) => {
    const state = (place as { readonly [key: string]: Json })['isRead'];
    return typeof state === 'boolean' ? [state] : [];
  });
  return states.length === 0 ? null : states.includes(true);
}

/** What the data of S/MIME begins with says what it is: RFC 5652 and, for what is encrypted and authenticated, RFC 5083. */
const CONTENT_TYPES = {
  signed: Buffer.from('2a864886f70d010702', 'hex'),
  enveloped: Buffer.from('2a864886f70d010703', 'hex'),
  authenticated: Buffer.from('2a864886f70d0109100117', 'hex'),
} as const;
const HEAD_BYTES = 64;
const SMIME = /^application\/(?:x-)?pkcs7-mime$/u;
/** A message protected by Microsoft Purview, which only its readers can open. */
const PROTECTED = 'application/x-microsoft-rpmsg-message';

function protectionOf(mail: ParsedMail): Pick<ItemFacts, 'isSigned' | 'isEncrypted'> {
  const type = mail.mediaType.toLowerCase();
  const head = SMIME.test(type) ? Buffer.from(mail.attachments[0]?.bytes.subarray(0, HEAD_BYTES) ?? []) : Buffer.alloc(0);
  const isProtected = mail.attachments.some(({ mediaType }) => mediaType.toLowerCase() === PROTECTED);
  return {
    isSigned: type === 'multipart/signed' || head.includes(CONTENT_TYPES.signed),
    isEncrypted:
      isProtected || type === 'multipart/encrypted' || head.includes(CONTENT_TYPES.enveloped) || head.includes(CONTENT_TYPES.authenticated),
  };
}

/** The IDs that a header line names, each between angle brackets; a line without any is one. */
function idsOf(line: string): readonly string[] {
  const found = [...line.matchAll(/<([^<>\s]+)>/gu)].map(([, id = '']) => id);
  return found.length > 0 ? found : [line.trim()];
}

/** The IDs that a message names in a header. */
export function headerIds(mail: ParsedMail | undefined, name: string): readonly string[] {
  return (mail?.headers ?? []).filter(([header]) => header.toLowerCase() === name).flatMap(([, value]) => idsOf(value));
}

function attachmentHashes(item: ItemVersion, mail: ParsedMail | undefined): readonly string[] {
  if (mail) return mail.attachments.map(({ bytes }) => sha256Hex(bytes));
  return item.contents.filter(({ role }) => role === 'attachment' || role === 'hosted').map(({ ref }) => ref.sha256);
}

/** The class that an item of Outlook was made with, where its file said so; `X-Reconstructed` is written by whoever read the file. */
function namedClass(mail: ParsedMail): string | undefined {
  const [, line = ''] = mail.headers.find(([name]) => name.toLowerCase() === 'x-reconstructed') ?? [];
  const [, named] = /\bclass=([\w.-]{1,200})/u.exec(line) ?? [];
  return named === 'unknown' ? undefined : named?.toLowerCase();
}

/** An invitation is in the message itself: a calendar file that somebody has attached has a name. */
const isInvitation = ({ attachments }: ParsedMail): boolean =>
  attachments.some(({ mediaType, name }) => mediaType.toLowerCase() === 'text/calendar' && name === 'attachment');

function classOfMail(mail: ParsedMail | undefined): string {
  if (!mail) return 'ipm.note';
  const type = mail.mediaType.toLowerCase();
  const named = namedClass(mail);
  if (named !== undefined) return named;
  if (type === 'multipart/signed') return 'ipm.note.smime.multipartsigned';
  if (SMIME.test(type)) return 'ipm.note.smime';
  if (type === 'multipart/report') return 'report.ipm.note';
  return isInvitation(mail) ? 'ipm.schedule.meeting' : 'ipm.note';
}

const CLASSES: Readonly<Partial<Record<ItemVersion['kind'], string>>> = {
  event: 'ipm.appointment',
  contact: 'ipm.contact',
  task: 'ipm.task',
  post: 'ipm.skypeteams.message',
  reply: 'ipm.skypeteams.message',
  chatMessage: 'ipm.skypeteams.message',
};

/** The class of an item with those that it belongs to, the widest last. */
function classesOf(item: ItemVersion, mail: ParsedMail | undefined): readonly string[] {
  const own = item.kind === 'message' ? classOfMail(mail) : CLASSES[item.kind];
  if (own === undefined) return [];
  const steps = own.split('.');
  return steps.slice(1).map((_, index) => steps.slice(0, steps.length - index).join('.'));
}

/** Whom a journal names: of blind copies those alone that the owner of this archive may know of. */
function envelopeOf(places: readonly Json[]): readonly string[] {
  const named = places.flatMap((place) => {
    const envelope = (
      place as { readonly envelope?: { readonly sender?: Json; readonly recipients?: readonly { readonly address?: Json }[] } }
    ).envelope;
    return [envelope?.sender, ...(envelope?.recipients ?? []).map(({ address }) => address)];
  });
  return [...new Set(named.filter((address) => typeof address === 'string' && address !== ''))] as readonly string[];
}

function identifiersOf(item: ItemVersion, mail: ParsedMail | undefined, places: readonly Json[]): readonly ItemIdentifier[] {
  const { internetMessageId, conversationId } = item.properties;
  const named = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? [value] : []);
  const values: Readonly<Record<Field, readonly string[]>> = {
    messageid: [...named(internetMessageId).flatMap(idsOf), ...headerIds(mail, 'message-id')],
    inreplyto: headerIds(mail, 'in-reply-to'),
    conversation: named(conversationId),
    attachmenthash: attachmentHashes(item, mail),
    // Its own, and that of its folder, the catalog has already.
    id: textsIn(places, 'providerId'),
    folderid: textsIn(places, 'folderId'),
    version: item.kind === 'file' ? fileVersions(item).map(({ label }) => label) : [],
    itemclass: classesOf(item, mail),
  };
  return Object.entries(values).flatMap(([field, found]) =>
    [...new Set(found)].filter((value) => value !== '').map((value) => ({ field: field as Field, value })),
  );
}

/** The labels of a mail are in its header, those of a file in its document: what is attached or inside has labels of its own. */
function labelsIn({ kind }: ItemVersion, mail: ParsedMail | undefined, documents: readonly DocumentWords[]): ItemFacts['labels'] {
  if (mail) return labelsOfHeaders(mail.headers);
  return (kind === 'file' ? documents.find(({ path }) => path.length === 1)?.labels : undefined) ?? null;
}

/** What else is known of an item: what the service said of it, and what its documents say. */
interface Known {
  readonly stored?: JsonObject | undefined;
  readonly documents?: readonly DocumentWords[];
}

/** What an item says of itself, with what only its bytes tell where they could be taken apart. */
export function factsOf(item: ItemVersion, mail: ParsedMail | undefined, { stored, documents = [] }: Known = {}): ItemFacts {
  const places = placementsOf(item);
  const { importance } = item.properties;
  const captured = textsIn(places, 'capturedAt').flatMap((at) => moment(at) ?? []);
  return {
    sentAt: sentAt(item, mail),
    archivedAt: captured.toSorted()[0] ?? null,
    importance: typeof importance === 'string' ? importance.toLowerCase() : null,
    isRead: isRead(item, places),
    isJournaled: textsIn(places, 'source').includes('journal'),
    ...(mail ? protectionOf(mail) : { isSigned: null, isEncrypted: null }),
    identifiers: identifiersOf(item, mail, places),
    envelope: envelopeOf(places),
    headers: mail?.headers ?? [],
    links: linksOf(mail, stored),
    addresses: addressesOf(item),
    labels: labelsIn(item, mail, documents),
  };
}
