import { workloads } from '../shared/values.ts';

/** How a field's values are written and compared. */
export type FieldKind = 'text' | 'address' | 'time' | 'size' | 'number' | 'choice' | 'flag' | 'id' | 'place' | 'fact' | 'mark';

/** What `kind:` tells apart. */
export const searchKinds = ['email', 'meetings', 'contacts', 'tasks', 'im', 'docs'] as const;

/** Personal and payment numbers that `sensitive:` finds, each by its check digits. */
export const sensitiveChoices = ['iban', 'card', 'taxid', 'socialsecurity', 'passport', 'vat'] as const;

/** How important a sender says that something is: mail and tasks know the first three, posts the others. */
const importanceChoices = ['low', 'normal', 'high', 'urgent'] as const;

/** What items are identified by. The index has each of them under the name of its field. */
export const identifiers = ['messageid', 'inreplyto', 'conversation', 'attachmenthash', 'id', 'folderid', 'version', 'itemclass'] as const;
export type Identifier = (typeof identifiers)[number];

/** What Outlook calls kinds of items. One of them finds those below it as well: `ipm.note` also signed mail. */
export const itemClasses = [
  'ipm.note',
  'ipm.note.smime',
  'ipm.note.smime.multipartsigned',
  'report.ipm.note',
  'ipm.schedule.meeting',
  'ipm.appointment',
  'ipm.contact',
  'ipm.task',
  'ipm.skypeteams.message',
] as const;

/** Lines of a mail's header that can be searched. Nobody looks for the others, and each would make the index larger. */
export const headerNames = [
  'list-id',
  'reply-to',
  'return-path',
  'x-mailer',
  'user-agent',
  'x-originating-ip',
  'auto-submitted',
  'authentication-results',
] as const;
export type HeaderName = (typeof headerNames)[number];

/** The parts of an item that words can be in, as `matchedin:` names them: each is a field of its own. */
export const matchedParts = ['subject', 'body', 'attachment', 'attachmenttext', 'participants'] as const;

/** What people put on items, and what it is called by: it changes without the item. */
export const marks = ['hold', 'policy', 'case', 'tag', 'note'] as const;
export type MarkField = (typeof marks)[number];

/** ISO 639-1 codes of the languages that are told apart. */
export const languages = [
  'am',
  'ar',
  'az',
  'be',
  'bg',
  'bn',
  'ca',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'eu',
  'fa',
  'fi',
  'fr',
  'gu',
  'he',
  'hi',
  'hr',
  'hu',
  'hy',
  'is',
  'it',
  'ja',
  'ka',
  'kn',
  'ko',
  'ku',
  'lo',
  'lt',
  'lv',
  'ml',
  'mr',
  'ms',
  'nl',
  'no',
  'or',
  'pa',
  'pl',
  'pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'sq',
  'sr',
  'sv',
  'ta',
  'te',
  'th',
  'tl',
  'tr',
  'uk',
  'ur',
  'vi',
  'yo',
  'zh',
] as const;
export type LanguageCode = (typeof languages)[number];

interface Field {
  readonly kind: FieldKind;
  /** Other names that find the same field. */
  readonly also?: readonly string[];
  readonly choices?: readonly string[];
}

/** Everything that can stand before a colon in a query. */
const table = {
  subject: { kind: 'text', also: ['title'] },
  body: { kind: 'text' },
  attachment: { kind: 'text', also: ['attachmentnames', 'filename'] },
  attachmenttext: { kind: 'text' },
  from: { kind: 'address', also: ['sender', 'author'] },
  to: { kind: 'address' },
  cc: { kind: 'address' },
  bcc: { kind: 'address' },
  recipients: { kind: 'address' },
  participants: { kind: 'address' },
  /** Whom the server of the sender delivered a journaled message to, and for whom. */
  envelope: { kind: 'address' },
  received: { kind: 'time', also: ['lastmodifiedtime'] },
  /** When its sender says it was sent. */
  sent: { kind: 'time' },
  /** When the archive took it in. */
  archived: { kind: 'time' },
  at: { kind: 'time' },
  size: { kind: 'size' },
  attachments: { kind: 'number' },
  deleted: { kind: 'flag' },
  hasattachment: { kind: 'flag' },
  isread: { kind: 'flag' },
  /** Came to the archive as its sender's server reported it. */
  journaled: { kind: 'flag' },
  signed: { kind: 'flag' },
  encrypted: { kind: 'flag' },
  partial: { kind: 'flag' },
  /** The owner of the mailbox has marked it as private. */
  private: { kind: 'flag' },
  kind: { kind: 'choice', choices: searchKinds },
  workload: { kind: 'choice', choices: workloads },
  importance: { kind: 'choice', choices: importanceChoices },
  /** SHA-256 of the bytes of a message or a file. */
  hash: { kind: 'id' },
  /** SHA-256 of the bytes of an attachment, whatever its name is. */
  attachmenthash: { kind: 'id' },
  messageid: { kind: 'id' },
  inreplyto: { kind: 'id' },
  conversation: { kind: 'id' },
  /** What Microsoft 365 calls an item, and a folder. */
  id: { kind: 'id' },
  folderid: { kind: 'place' },
  /** Folders from the top: `Inbox/Offers`. */
  path: { kind: 'place' },
  /** An address or a file that the text links to. */
  link: { kind: 'text' },
  'header.list-id': { kind: 'text' },
  'header.reply-to': { kind: 'text' },
  'header.return-path': { kind: 'text' },
  'header.x-mailer': { kind: 'text' },
  'header.user-agent': { kind: 'text' },
  'header.x-originating-ip': { kind: 'text' },
  'header.auto-submitted': { kind: 'text' },
  'header.authentication-results': { kind: 'text' },
  /** A version of a file, by the number that it has in SharePoint: `3.0`. */
  version: { kind: 'id' },
  itemclass: { kind: 'choice', choices: itemClasses },
  /** Guessed from the words; what is too short for a guess has none. */
  language: { kind: 'choice', choices: languages },
  /** Where the words beside it have to be: see `matched-in.ts`. */
  matchedin: { kind: 'choice', choices: matchedParts },
  /** A legal hold by its name, or whether there is any. */
  hold: { kind: 'mark' },
  /** A retention policy in force. */
  policy: { kind: 'mark' },
  /** A case, and what reviewers have written on items of its review sets. */
  case: { kind: 'mark' },
  tag: { kind: 'mark' },
  note: { kind: 'mark' },
  /** A sensitivity label of Microsoft Purview, by its name or its GUID. */
  label: { kind: 'id' },
  sensitive: { kind: 'choice', choices: sensitiveChoices },
  filetype: { kind: 'id', also: ['fileextension'] },
  mailbox: { kind: 'place', also: ['source'] },
  folder: { kind: 'place' },
  /** What electronic invoices say in their fields. */
  'invoice.number': { kind: 'fact' },
  'invoice.seller': { kind: 'fact' },
  'invoice.vatid': { kind: 'id' },
  'invoice.iban': { kind: 'id' },
  'invoice.date': { kind: 'time' },
  'invoice.total': { kind: 'number' },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof table;

const named = new Map<string, FieldName>();
const kinds = new Map<FieldName, Field>();
for (const [name, field] of Object.entries(table) as [FieldName, Field][]) {
  kinds.set(name, field);
  for (const one of [name, ...(field.also ?? [])]) named.set(one, name);
}

/** The field that a name stands for, whatever its case; undefined where there is none. */
export function fieldOf(name: string): FieldName | undefined {
  return named.get(name.toLowerCase());
}

export function kindOf(field: FieldName): FieldKind {
  return kinds.get(field)?.kind ?? 'text';
}

/** Whether a field is a mark that people put on items. */
export function isMark(field: FieldName | null): field is MarkField {
  return marks.some((one) => one === field);
}

export function choicesOf(field: FieldName): readonly string[] {
  return kinds.get(field)?.choices ?? [];
}

export function isOrdered(field: FieldName): boolean {
  const kind = kindOf(field);
  return kind === 'time' || kind === 'size' || kind === 'number';
}

/** The number of single-character changes that turn one word into the other, swaps of neighbours counted once. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const row = rows[i];
      if (!row) continue;
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.length, b.length);
}

/** The nearest of the known words, for "did you mean"; undefined where nothing is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: { word: string; far: number } | undefined;
  for (const one of known) {
    const far = distance(word.toLowerCase(), one);
    if (far <= Math.max(1, Math.floor(one.length / 3)) && (!best || far < best.far)) best = { word: one, far };
  }
  return best?.word;
}

export function nearestField(name: string): string | undefined {
  return nearest(name, named.keys());
}

/** Every name of a field, for completion. */
export const fieldNames: readonly FieldName[] = [...kinds.keys()];
