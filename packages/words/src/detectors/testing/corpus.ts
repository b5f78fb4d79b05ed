import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import type { SensitiveKind } from '../detector.ts';

/** A text with numbers of which it is known what they are. */
export interface CorpusDocument {
  readonly text: string;
  readonly truth: readonly { readonly kind: SensitiveKind; readonly at: number }[];
}

type Make = (random: Random) => string;

const digits = (random: Random, count: number): string => Array.from({ length: count }, () => random.below(10)).join('');
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)] as Item;
const day = (random: Random): string => String(1 + random.below(28)).padStart(2, '0') + String(1 + random.below(12)).padStart(2, '0');
const grouped = (text: string, size: number): string => text.replaceAll(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1 ');
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Tries each ending until a rule holds, so that no check digit is computed as the detectors do. */
function ended(stem: string, holds: (whole: string) => boolean): string {
  for (let digit = 0; digit < 10; digit += 1) if (holds(`${stem}${digit}`)) return `${stem}${digit}`;
  return '';
}

/** Doubles each second digit from the right and adds all digits of what comes out. */
function luhnHolds(text: string): boolean {
  const doubled = Array.from(text)
    .toReversed()
    .map((digit, place) => String(place % 2 === 1 ? Number(digit) * 2 : Number(digit)));
  return sum(Array.from(doubled.join('')).map(Number)) % 10 === 0;
}

function makeIban(random: Random): string {
  const country = pick(random, ['DE', 'AT', 'ES', 'FR', 'PL']);
  const length = { DE: 18, AT: 16, ES: 20, FR: 23, PL: 24 }[country] ?? 18;
  const account = digits(random, length);
  const letters = Array.from(country)
    .map((letter) => String('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(letter) + 10))
    .join('');
  const check = 98n - (BigInt(`${account}${letters}00`) % 97n);
  const whole = `${country}${String(check).padStart(2, '0')}${account}`;
  return random.below(2) === 0 ? whole : grouped(whole, 4);
}

function makeCard(random: Random): string {
  const [beginning, length] = pick(random, [
    ['4', 16],
    ['52', 16],
    ['2340', 16],
    ['37', 15],
    ['6011', 16],
  ] as const);
  const whole = ended(beginning + digits(random, length - 1 - beginning.length), luhnHolds);
  return length === 15 || random.below(2) === 0 ? whole : grouped(whole, 4).replaceAll(' ', random.below(3) === 0 ? '-' : ' ');
}

/** Nine digits of which one comes twice, in any order; the tenth is the double. */
function makeTaxId(random: Random): string {
  for (;;) {
    const order = Array.from('0123456789');
    for (let place = 9; place > 0; place -= 1) {
      const other = random.below(place + 1);
      [order[place], order[other]] = [order[other] ?? '', order[place] ?? ''];
    }
    const nine = order.slice(0, 9);
    nine.splice(random.below(10), 0, pick(random, nine));
    const stem = nine.join('');
    if (stem.startsWith('0')) continue;
    let product = 10;
    for (const digit of stem) product = (2 * (((Number(digit) + product - 1) % 10) + 1)) % 11;
    const whole = `${stem}${(11 - product) % 10}`;
    return random.below(3) === 0 ? whole.replace(/(..)(...)(...)(...)/, '$1 $2 $3 $4') : whole;
  }
}

const pensionWeights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
function makeSocialSecurity(random: Random): string {
  if (random.below(3) === 0) {
    const stem = `756${digits(random, 9)}`;
    const whole = ended(stem, (all) => sum(Array.from(all).map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 3))) % 10 === 0);
    return whole.replace(/(...)(....)(....)(..)/, '$1.$2.$3.$4');
  }
  const letter = pick(random, Array.from('ABCDEFGHJKLMNPRSTUVWXYZ'));
  const place = String('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(letter) + 1).padStart(2, '0');
  const front = `${pick(random, ['12', '15', '38', '65'])}${day(random)}${digits(random, 2)}`;
  const serial = digits(random, 2);
  const products = Array.from(`${front}${place}${serial}`).map((digit, at) => String(Number(digit) * (pensionWeights[at] ?? 0)));
  const check = sum(Array.from(products.join('')).map(Number)) % 10;
  return pick(random, [`${front}${letter}${serial}${check}`, `${front.slice(0, 2)} ${front.slice(2)} ${letter} ${serial}${check}`]);
}

function makePassport(random: Random): string {
  const sign = (): string => pick(random, Array.from('CFGHJKLMNPRTVWXYZ0123456789'));
  const number = `${pick(random, Array.from('CFGHJK'))}${Array.from({ length: 7 }, sign).join('')}${random.below(10)}`;
  return `${pick(random, ['Reisepass', 'Passport no.', 'Personalausweis Nr.', 'Ausweisnummer:'])} ${number}`;
}

function makeVat(random: Random): string {
  if (random.below(3) === 0) {
    return `IT${ended(digits(random, 10), luhnHolds)}`;
  }
  const stem = `${1 + random.below(9)}${digits(random, 7)}`;
  let product = 10;
  for (const digit of stem) product = (2 * (((Number(digit) + product - 1) % 10) + 1)) % 11;
  return `DE${stem}${(11 - product) % 10}`;
}

const makers: Readonly<Record<SensitiveKind, Make>> = {
  iban: makeIban,
  card: makeCard,
  taxId: makeTaxId,
  socialSecurity: makeSocialSecurity,
  passport: makePassport,
  vat: makeVat,
};

const hex = (random: Random, count: number): string => Array.from({ length: count }, () => random.below(16).toString(16)).join('');

/** Numbers that look like personal ones and are not. */
const lookAlikes: readonly Make[] = [
  (random) => `Order no. ${digits(random, 16)}`,
  (random) => `Bestellung ${digits(random, 11)}`,
  (random) => `Sendungsnummer ${digits(random, 12)}`,
  (random) => `tracking ${digits(random, 14)}`,
  (random) => `ISBN 978-3-${digits(random, 2)}-${digits(random, 6)}-${digits(random, 1)}`,
  (random) => `ISBN ${digits(random, 13)}`,
  (random) => `EAN 40${digits(random, 11)}`,
  (random) => `IMEI 35${digits(random, 13)}`,
  (random) => `+49 171 ${digits(random, 8)}`,
  (random) => `Tel. 0${digits(random, 10)}`,
  (random) => `sha256 ${hex(random, 64)}`,
  (random) => `${hex(random, 8)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 12)}`,
  (random) => `commit ${hex(random, 40)}`,
  (random) => `10.${digits(random, 2)}.${digits(random, 2)}.1`,
  (random) => `2026-01-${day(random).slice(0, 2)}T08:00:00.${digits(random, 9)}Z`,
  (random) => `${digits(random, 1)}.${digits(random, 15)}`,
  (random) => `EUR ${digits(random, 3)},${digits(random, 2)}`,
  (random) => `part ${digits(random, 3)}-${digits(random, 2)}-${digits(random, 4)}`,
  (random) => `room ${pick(random, Array.from('CFGHJK'))}${digits(random, 8)}`,
];

const between = [', ', '\n', '; ', '\t', '. Then '];

/** Documents with numbers of every kind among look-alikes, half and half. */
export function* generateCorpus({ seed, documents }: { readonly seed: number; readonly documents: number }): Generator<CorpusDocument> {
  const random = createSeededRandom(seed);
  const kinds = Object.keys(makers) as SensitiveKind[];
  for (let document = 0; document < documents; document += 1) {
    const truth: { kind: SensitiveKind; at: number }[] = [];
    let text = 'Notes of the day: ';
    for (let part = 0; part < 6; part += 1) {
      if (random.below(2) === 0) {
        const kind = pick(random, kinds);
        const made = makers[kind](random);
        truth.push({ kind, at: text.length + (kind === 'passport' ? made.lastIndexOf(' ') + 1 : 0) });
        text += made;
      } else text += pick(random, lookAlikes)(random);
      text += pick(random, between);
    }
    yield { text, truth };
  }
}
