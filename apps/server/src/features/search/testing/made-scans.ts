import { slicesOf } from '../lexemes.ts';
import type { SettledScans } from '../recognition.store.ts';

const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [] };

/** What a document is made to say: one word that no other document has, and one that all have. */
export const wordOf = (hash: string): string => `scan${hash.slice(-8)}`;

/** Documents as they are written once they were recognised. */
export function recognised(hashes: readonly string[]): SettledScans {
  const outcomes = hashes.map((hash) => {
    const text = `${wordOf(hash)} recognised`;
    return {
      hash,
      text,
      made: slicesOf({ title: '', ...nobody, text: '', attachmentTexts: [{ name: '', text }], at: null, state: 'indexed' }),
    };
  });
  return { outcomes, state: 'indexed', sensitive: [] };
}
