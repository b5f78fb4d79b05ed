import { crossSum, lettersAsNumbers, remainder, weighted } from './checksums.ts';
import { compact, whole, type Candidate, type Detector } from './detector.ts';

function isDay(day: number, month: number): boolean {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

/** German pension insurance: the letter counts as two digits, from A = 01 on. */
function isGerman(number: string): boolean {
  if (!isDay(Number(number.slice(2, 4)), Number(number.slice(4, 6)))) return false;
  const letter = String((number.codePointAt(8) ?? 0) - 64).padStart(2, '0');
  const digits = number.slice(0, 8) + letter + number.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, place) => total + crossSum(weight * Number(digits[place])), 0);
  return sum % 10 === Number(number[11]);
}

function isAustrian(number: string): boolean {
  const rest = number.slice(0, 3) + number.slice(4);
  return (
    isDay(Number(number.slice(4, 6)), Number(number.slice(6, 8))) && weighted(rest, [3, 7, 9, 5, 8, 4, 2, 1, 6]) % 11 === Number(number[3])
  );
}

function isSwiss(number: string): boolean {
  return weighted(number, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** French numbers end in 97 minus the remainder; Corsica has letters in its numbers. */
function isFrench(number: string): boolean {
  const digits = number.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - remainder(lettersAsNumbers(digits), 97) === Number(number.slice(13));
}

/** Numbers without check digits, or with short ones, need their name in the document. */
const named = {
  austrian: /sozialversicherung|\bsv-?n(?:umme)?r\b|\bsvnr\b|versicherungsnummer/,
  american: /\bssn\b|social security/,
  british: /national insurance|\bnino\b|\bni number\b/,
} as const;

const forms: readonly (readonly [RegExp, (number: string, candidate: Candidate) => boolean])[] = [
  [/^\d{8}[A-Z]\d{3}$/, isGerman],
  [/^756\d{10}$/, isSwiss],
  [/^[12]\d{2}(?:0[1-9]|1[0-2])(?:\d\d|2A|2B)\d{8}$/, isFrench],
  [/^\d{10}$/, (number, { mentions }) => mentions(named.austrian) && isAustrian(number)],
  [/^\d{9}$/, (number, { mentions }) => mentions(named.american) && /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(number)],
  [/^[A-Z]{2}\d{6}[A-D]$/, (number, { mentions }) => mentions(named.british) && !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(number)],
];

/** Social security numbers of Germany, Austria, Switzerland, France, the United Kingdom and the United States. */
export const socialSecurity: Detector = {
  kind: 'socialSecurity',
  pattern: whole(
    /\d{2}[ \u00A0]?\d{6}[ \u00A0]?[A-Z][ \u00A0]?\d{3}/,
    /756\.\d{4}\.\d{4}\.\d{2}|756\d{10}/,
    /[12]\d{5}[\dAB]\d{6}(?: ?\d{2})?/,
    /[12][ \u00A0]\d{2}[ \u00A0][01]\d[ \u00A0]\d[\dAB][ \u00A0]\d{3}[ \u00A0]\d{3}[ \u00A0]\d{2}/,
    /\d{4}[ \u00A0]?\d{6}/,
    /\d{3}-\d{2}-\d{4}/,
    /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ \u00A0]?\d{2}[ \u00A0]?\d{2}[ \u00A0]?\d{2}[ \u00A0]?[A-D]/,
  ),
  read(candidate) {
    const number = compact(candidate.value);
    return forms.some(([form, isOne]) => form.test(number) && isOne(number, candidate)) ? number : undefined;
  },
};
