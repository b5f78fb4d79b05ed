import type { ItemFacts, ItemWords } from '@holdfast/engine';
import { unmarked, type NaiveItem } from './naive.ts';

export const vocabulary = ['anna', 'offer', 'vertrag', 'mietvertrag', 'müller', 'mueller', 'change', 'of', 'control', 'the', 'cat', '社員'];
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, index) => vocabulary[(seed * 7 + index * index * 3 + index * seed) % vocabulary.length]).join(' ');
export const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
export const kinds = [
  ['message', 'email'],
  ['event', 'meetings'],
  ['task', 'tasks'],
  ['file', 'docs'],
] as const;
export const days = ['2023-12-31', '2024-01-01', '2024-02-29', '2024-05-17', '2025-05-01'];

/** Every so many items have what the others lack. */
function each<Value>(seed: number, step: number, some: Value, others: Value): Value {
  return seed % step === 0 ? some : others;
}

function someWords(seed: number): ItemWords {
  const person = (shift: number): string => `${words(seed + shift, 2)} <${vocabulary[(seed + shift) % 5]}@contoso.com>`;
  const texts = [words(seed + 5, 12), words(seed + 8, 6)].map((text) => ({ name: 'a.txt', text }));
  return {
    title: each(seed, 9, '', words(seed, 3)),
    from: [person(1)],
    to: each(seed, 2, [], [person(2), person(3)]),
    cc: each(seed, 3, [person(4)], []),
    bcc: each(seed, 5, ['control@fabrikam.com'], []),
    attachments: each(seed, 4, [`${words(seed, 2)}.pdf`], []),
    text: words(seed + 11, 5 + (seed % 40)),
    attachmentTexts: each(seed, 4, texts, []),
    at: `${days[seed % 5]}T10:00:00.000Z`,
    state: each<ItemWords['state']>(seed, 7, 'encrypted', 'indexed'),
  };
}

export const folders = [
  { key: 'inbox', name: 'Inbox', parent: 'mail' },
  { key: 'offers', name: 'Offers', parent: 'inbox' },
  { key: 'late', name: 'Inbox', parent: 'offers' },
  { key: 'sent', name: 'Sent', parent: 'mail' },
] as const;

/** A folder with those above it, from the top one down. */
function lineage(key: string): NaiveItem['folders'] {
  const folder = folders.find((one) => one.key === key);
  return folder ? [...lineage(folder.parent), { key, name: folder.name }] : [];
}

export const identifierFields = [
  'messageid',
  'inreplyto',
  'conversation',
  'attachmenthash',
  'id',
  'folderid',
  'version',
  'itemclass',
] as const;
export const identifierValue = (field: (typeof identifierFields)[number], seed: number): string =>
  field === 'attachmenthash' ? String(seed % 3).padStart(64, 'a') : `${field}-${seed % 5}@contoso.com`;

/** The GUID of one of a few labels. */
export const labelOf = (seed: number): string => `4342314e-0df4-4b58-84bf-00000000000${seed % 8}`;

/** What mail says of itself; nothing is known of every third item. */
function someFacts(seed: number): Pick<ItemWords, 'facts'> {
  if (seed % 3 === 0) return {};
  const identifiers = identifierFields.map((field, index) => ({ field, value: identifierValue(field, seed + index) }));
  const facts = {
    sentAt: each<string | null>(seed, 4, null, `${days[(seed + 1) % 5]}T23:59:59.000Z`),
    archivedAt: each<string | null>(seed, 5, `${days[(seed + 2) % 5]}T00:00:00.000Z`, null),
    importance: each<string | null>(seed, 7, null, ['low', 'normal', 'high', 'urgent'][seed % 4] ?? null),
    isJournaled: seed % 10 === 0,
    isRead: each<boolean | null>(seed, 4, null, seed % 8 > 3),
    isSigned: each<boolean | null>(seed, 5, null, seed % 2 === 0),
    isEncrypted: each<boolean | null>(seed, 7, true, false),
    identifiers: identifiers.slice(seed % 4),
    envelope: each(seed, 5, [`${words(seed + 6, 1)} <${vocabulary[seed % 5]}@contoso.com>`, 'cat@fabrikam.com'], []),
    headers: each<readonly (readonly [string, string])[]>(
      seed,
      2,
      [
        ['List-ID', `${words(seed, 2)} <offer.contoso.com>`],
        ['X-Mailer', words(seed + 2, 3)],
        ['X-Mailer', words(seed + 4, 1)],
        ['X-Nobody-Searches', 'control'],
      ],
      [],
    ),
    addresses: [],
    labels: each<ItemFacts['labels']>(
      seed,
      4,
      null,
      each(seed, 5, [{ labelId: labelOf(seed), name: each(seed, 2, 'General', 'GENERAL Use'), setAt: null }], []),
    ),
    links: each(seed, 4, [`https://contoso.com/${encodeURIComponent(words(seed + 1, 2))}/cat.docx`, 'https://fabrikam.com/offer'], []),
  };
  return { facts };
}

export function anItem(seed: number, more: Partial<ItemWords> = {}): NaiveItem {
  const kind = kinds[seed % 4]?.[1] ?? 'email';
  return {
    words: { ...someWords(seed), ...someFacts(seed), ...more },
    key: '',
    folders: lineage(['inbox', 'offers', 'late', 'sent', 'mail'][seed % 5] ?? ''),
    kind,
    sizeBytes: [10, 2_000, 50_000, 5_000_000][seed % 4] ?? 0,
    fileType: kind === 'docs' ? 'xlsx' : '',
    contentHash: each<string | null>(seed, 6, String(seed % 12).padStart(64, '0'), null),
    marks: unmarked,
    language: [null, 'de', 'en'][seed % 3] ?? null,
    sensitive: each<readonly string[]>(seed, 8, ['iban'], each<readonly string[]>(seed, 5, ['iban', 'taxid'], [])),
  };
}
