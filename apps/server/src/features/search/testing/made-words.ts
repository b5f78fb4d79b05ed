import { slicesOf } from '../lexemes.ts';
import type { Read, Unread } from '../search-index.store.ts';

/** What is read of an item that says its own key, in more words than one slice holds. */
export function readAs(of: Unread): Read {
  const at = '2024-05-17T10:00:00.000Z';
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  const text = `${of.itemKey} ${'again '.repeat(300)} shared ${of.itemKey}at${of.fromPoint}`;
  const words = { title: of.itemKey, ...nobody, text, at, state: 'indexed' } as const;
  const made = { slices: slicesOf(words), sensitive: [], language: null };
  return { of, kind: 'message', name: of.itemKey, contentHash: null, sizeBytes: 1, words, ...made, changedAt: at };
}
