import { createSeededRandom } from '@holdfast/foundation/random';
import { hashText, pick } from '../values/seeded.ts';

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

interface Line {
  readonly text: string;
  readonly sizeBytes: number;
}

const LINES = 512;
let lines: readonly Line[] | undefined;

/** Lines that all text files are put together from: to write each anew would take longer than to send it. */
function someLines(): readonly Line[] {
  lines ??= sentencesOf('lines', LINES).map((text) => ({ text, sizeBytes: Buffer.byteLength(text) }));
  return lines;
}

/** Text of exactly `sizeBytes`; what is left when the next line does not fit is filled with line feeds. */
export function textFile(name: string, sizeBytes: number): Buffer {
  const random = createSeededRandom(hashText(name));
  const pool = someLines();
  const parts: string[] = [];
  let taken = 0;
  for (;;) {
    const line = pick(random, pool);
    const number = String(random.below(1_000_000));
    const next = taken + number.length + 1 + line.sizeBytes + 1;
    if (next > sizeBytes) break;
    parts.push(number, ';', line.text, '\n');
    taken = next;
  }
  const out = Buffer.alloc(sizeBytes, '\n');
  out.write(parts.join(''));
  return out;
}
