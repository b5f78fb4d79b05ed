import { lettersAsNumbers, remainder } from './checksums.ts';
import { compact, type Detector } from './detector.ts';

/** What follows the check digits, by country: n digits, a letters, c either. */
const structures: Readonly<Record<string, string>> = {
  AD: '8n12c',
  AE: '19n',
  AL: '8n16c',
  AT: '16n',
  BA: '16n',
  BE: '12n',
  BG: '4a6n8c',
  CH: '5n12c',
  CY: '8n16c',
  CZ: '20n',
  DE: '18n',
  DK: '14n',
  EE: '16n',
  ES: '20n',
  FI: '14n',
  FR: '10n11c2n',
  GB: '4a14n',
  GI: '4a15c',
  GR: '7n16c',
  HR: '17n',
  HU: '24n',
  IE: '4a14n',
  IL: '19n',
  IS: '22n',
  IT: '1a10n12c',
  LI: '5n12c',
  LT: '16n',
  LU: '3n13c',
  LV: '4a13c',
  MC: '10n11c2n',
  ME: '18n',
  MK: '3n10c2n',
  MT: '4a5n18c',
  NL: '4a10n',
  NO: '11n',
  PL: '24n',
  PT: '21n',
  RO: '4a16c',
  RS: '18n',
  SA: '2n18c',
  SE: '20n',
  SI: '15n',
  SK: '20n',
  SM: '1a10n12c',
  TR: '6n16c',
  UA: '6n19c',
  XK: '16n',
};
const classes: Readonly<Record<string, string>> = { n: String.raw`\d`, a: '[A-Z]', c: '[A-Z0-9]' };

/** Characters may be grouped in any way: one space at most between two of them. */
function spaced(structure: string): string {
  const parts = [...structure.matchAll(/(\d{1,2})([nac])/g)];
  return parts.map(([, count, kind = '']) => `(?:[ \u00A0\u202F]?${classes[kind]}){${count}}`).join('');
}

const countries = Object.entries(structures).map(([country, structure]) => String.raw`${country}[ \u00A0]?\d{2}${spaced(structure)}`);

/** International bank account numbers. */
export const iban: Detector = {
  kind: 'iban',
  pattern: new RegExp(String.raw`(?<![\p{L}\p{N}_]|[\p{L}\p{N}]-)(?:${countries.join('|')})(?![\p{L}\p{N}_])`, 'gu'),
  read({ value }) {
    const number = compact(value);
    return remainder(lettersAsNumbers(number.slice(4) + number.slice(0, 4)), 97) === 1 ? number : undefined;
  },
};
