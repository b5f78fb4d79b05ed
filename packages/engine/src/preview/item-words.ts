import type { ItemVersion } from '../ports/item.ts';
import { wordsStates, type DocumentWords, type InvoiceWords, type WordsState } from './document-words.ts';
import type { ItemFacts } from './item-facts.ts';
import type { ItemPreview } from './item-preview.ts';

/** What an attachment says, or a document inside of it. */
export interface AttachmentText {
  /** Its names, from the attachment on: `Offers.zip/Offer.pdf`. */
  readonly name: string;
  readonly text: string;
}

/** What of an item can be searched. */
export interface ItemWords {
  readonly title: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly attachments: readonly string[];
  /** Everything else that can be read of the item itself, in its order. */
  readonly text: string;
  /** What is in its attachments, and in the documents inside of them. */
  readonly attachmentTexts: readonly AttachmentText[];
  /** Electronic invoices among its documents; absent where there is none. */
  readonly invoices?: readonly InvoiceWords[];
  /** SHA-256 of each of its documents that has no text and may show some; absent where there is none. */
  readonly scans?: readonly string[];
  /** ISO 8601, UTC. */
  readonly at: string | null;
  readonly state: WordsState;
  /** What is known of it besides; absent where nothing was asked of it. */
  readonly facts?: ItemFacts;
}

/** The worst that happened to a part: what could not be read is never hidden by what could. */
function stateOf(parts: readonly WordsState[]): WordsState {
  return wordsStates.find((state) => parts.includes(state)) ?? 'noText';
}

/** When a message came: the provider's word, never the sender's. */
function receivedAt(item: ItemVersion, preview: ItemPreview): string | null {
  const received = item.properties['receivedDateTime'];
  const time = typeof received === 'string' ? received : (preview.at ?? item.modifiedAt ?? item.createdAt);
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** What an item says itself, with what its documents say: a file is its document, everything else carries them. */
export function wordsOf(item: ItemVersion, preview: ItemPreview, bcc: readonly string[], documents: readonly DocumentWords[]): ItemWords {
  const texts = documents.filter(({ text }) => text !== '').map(({ path, text }) => ({ name: path.join('/'), text }));
  const own = item.kind === 'file' ? texts.map(({ text }) => text) : [preview.text ?? ''];
  const invoices = documents.flatMap(({ invoice }) => (invoice ? [invoice] : []));
  const scans = [...new Set(documents.flatMap(({ scan }) => scan ?? []))];
  const facts = [...preview.properties, ...preview.fields].map(({ value }) => value);
  return {
    title: preview.title,
    from: preview.from === null ? [] : [preview.from],
    to: preview.to,
    cc: preview.cc,
    bcc,
    attachments: preview.attachments.map(({ name }) => name),
    text: [...own, ...facts].filter((part) => part !== '').join('\n'),
    attachmentTexts: item.kind === 'file' ? [] : texts,
    ...(invoices.length > 0 ? { invoices } : {}),
    ...(scans.length > 0 ? { scans } : {}),
    at: receivedAt(item, preview),
    state: stateOf([...own.map((text) => (text === '' ? 'noText' : 'indexed')), ...documents.map(({ state }) => state)]),
  };
}
