import { createSeededRandom } from '@holdfast/foundation/random';
import { hashText, pick } from '../content/seeded.ts';

const SUBJECTS = ['The team', 'Our supplier', 'The project', 'Das Team', 'Der Kunde', 'Die Abteilung', 'The budget', 'Das Angebot'];
const VERBS = ['confirms', 'has moved', 'will review', 'bestätigt', 'prüft', 'verschiebt', 'needs', 'liefert'];
const OBJECTS = [
  'the schedule',
  'the second draft',
  'all open points',
  'den Termin',
  'die Unterlagen',
  'the delivery',
  'die Rechnung',
  'the contract',
];
const ENDS = ['by Friday', 'in March', 'next quarter', 'bis Freitag', 'im Herbst', 'after the audit', 'nach Rücksprache', 'as agreed'];

/** `count` sentences that depend on `name` alone. */
export function sentencesOf(name: string, count: number): string[] {
  const random = createSeededRandom(hashText(name));
  return Array.from(
    { length: count },
    () => `${pick(random, SUBJECTS)} ${pick(random, VERBS)} ${pick(random, OBJECTS)} ${pick(random, ENDS)}.`,
  );
}

/** Text of exactly `sizeBytes`, cut at the end without splitting a letter: a remainder is filled with line feeds. */
export function textFile(name: string, sizeBytes: number): Buffer {
  const out = Buffer.alloc(sizeBytes, '\n');
  const random = createSeededRandom(hashText(name));
  for (let at = 0; at < sizeBytes;) {
    const line = Buffer.from(`${random.below(10_000)};${sentencesOf(`${name}/${at}`, 1).join('')}\n`);
    if (at + line.byteLength > sizeBytes) break;
    line.copy(out, at);
    at += line.byteLength;
  }
  return out;
}
