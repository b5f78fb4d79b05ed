import { createSeededRandom } from '@holdfast/foundation/random';
import type { ItemWords } from '@holdfast/engine';

/** A mail of a mailing list, of 3 to 5 KB, as its parts are before it is written as MIME. */
export interface ListMail {
  readonly number: number;
  readonly at: Date;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
}

const YEARS = 10;
const LAST = Date.UTC(2026, 10, 1);
const PEOPLE = 400;
const WORDS = 60_000;
const SYLLABLES = 'an ber con der ein for ge ho in ka lan men nor or pre qui ren sta ter un ver wor zu al be che do en fi gra'.split(' ');

/** Words by Zipf's law: `w0` is in nearly every mail, the last ones in one or two. */
export function createListMail(
  seed: number,
  count: number,
): { readonly mail: (number: number) => ListMail; readonly word: (rank: number) => string } {
  const word = (rank: number): string => {
    let left = rank * 7 + 3;
    let text = '';
    for (let syllable = 0; syllable < 4 || left > 0; syllable += 1) {
      text += SYLLABLES[left % SYLLABLES.length] ?? '';
      left = Math.floor(left / SYLLABLES.length);
      if (left === 0 && syllable >= 1) break;
    }
    return `${text}${rank % 10 === 0 ? '' : 's'}`;
  };
  const known = Array.from({ length: WORDS }, (_, rank) => word(rank));
  const mail = (number: number): ListMail => {
    const random = createSeededRandom(seed * 1_000_003 + number);
    const one = (): string => known[Math.min(WORDS - 1, Math.floor(WORDS ** random.next() - 1))] ?? '';
    const words = (size: number): string => Array.from({ length: size }, one).join(' ');
    const person = random.below(PEOPLE);
    const lines = Array.from({ length: 30 + random.below(22) }, () => words(12));
    return {
      number,
      at: new Date(LAST - Math.floor(((count - number) / count) * YEARS * 365.25 * 86_400_000)),
      from: `Person ${known[person + 50] ?? ''} <person${person}@list.example>`,
      subject: words(3 + random.below(5)),
      text: lines.join('\n'),
    };
  };
  return { mail, word: (rank) => known[rank] ?? '' };
}

export function mimeOf({ number, at, from, subject, text }: ListMail): Buffer {
  const date = at.toUTCString().replace('GMT', '+0000');
  const head = `From: ${from}\r\nTo: list@list.example\r\nSubject: ${subject}\r\nDate: ${date}\r\nMessage-ID: <${number}@list.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n`;
  return Buffer.from(head + text.replaceAll('\n', '\r\n'));
}

/** What reading the mail gives, for those that fill the index without being stored. */
export function wordsOf({ at, from, subject, text }: ListMail): ItemWords {
  const none = { cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  return { title: subject, from: [from], to: ['list@list.example'], ...none, text, at: at.toISOString(), state: 'indexed' };
}
