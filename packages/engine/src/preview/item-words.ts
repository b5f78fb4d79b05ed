import { wholeOf } from '../download/item-file.ts';
import type { ItemVersion } from '../ports/item.ts';
import { isPlainText } from './file-preview.ts';
import type { ItemPreview } from './item-preview.ts';

/** The largest plain text file whose words are read. */
export const WORDS_LIMIT = 20 * 1024 * 1024;

/** How far the contents of an item can be searched. */
export type WordsState = 'indexed' | 'noText' | 'unsupported' | 'tooLarge';

/** What of an item can be searched. */
export interface ItemWords {
  readonly title: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly attachments: readonly string[];
  /** Everything else that can be read, in the order of the item. */
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at: string | null;
  readonly state: WordsState;
}

/** A file in another format than plain text is found by its name alone, and says so. */
function stateOf(item: ItemVersion, text: string): WordsState {
  if (item.kind === 'file' && text === '') {
    if (!isPlainText(item)) return 'unsupported';
    if ((wholeOf(item)?.ref.sizeBytes ?? 0) > WORDS_LIMIT) return 'tooLarge';
  }
  return text === '' ? 'noText' : 'indexed';
}

/** When a message came: the provider's word, never the sender's. */
function receivedAt(item: ItemVersion, preview: ItemPreview): string | null {
  const received = item.properties['receivedDateTime'];
  const time = typeof received === 'string' ? received : (preview.at ?? item.modifiedAt ?? item.createdAt);
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

export function wordsOf(item: ItemVersion, preview: ItemPreview, bcc: readonly string[]): ItemWords {
  const text = preview.text ?? '';
  const facts = [...preview.properties, ...preview.fields].map(({ value }) => value);
  return {
    title: preview.title,
    from: preview.from === null ? [] : [preview.from],
    to: preview.to,
    cc: preview.cc,
    bcc,
    attachments: preview.attachments.map(({ name }) => name),
    text: [text, ...facts].filter((part) => part !== '').join('\n'),
    at: receivedAt(item, preview),
    state: stateOf(item, text),
  };
}
