import { workloads } from '../shared/values.ts';

/** How a field's values are written and compared. */
export type FieldKind = 'text' | 'address' | 'time' | 'size' | 'number' | 'choice' | 'flag' | 'id' | 'place' | 'fact';

/** What `kind:` tells apart. */
export const searchKinds = ['email', 'meetings', 'contacts', 'tasks', 'im', 'docs'] as const;

/** Personal and payment numbers that `sensitive:` finds, each by its check digits. */
export const sensitiveChoices = ['iban', 'card', 'taxid', 'socialsecurity', 'passport', 'vat'] as const;

/** How important a sender says that something is: mail and tasks know the first three, posts the others. */
const importanceChoices = ['low', 'normal', 'high', 'urgent'] as const;

/** What mail is identified by. The index has each of them under the name of its field. */
export const identifiers = ['messageid', 'inreplyto', 'conversation', 'attachmenthash', 'id', 'folderid'] as const;
export type Identifier = (typeof identifiers)[number];

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
