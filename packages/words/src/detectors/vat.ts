import { crossSum, isLuhn, isMod1110, remainder, weighted } from './checksums.ts';
import { compact, whole, type Detector } from './detector.ts';

function isAustrian(digits: string): boolean {
  const sum = [0, 1, 2, 3, 4, 5, 6].reduce(
    (total, place) => total + (place % 2 === 0 ? Number(digits[place]) : crossSum(2 * Number(digits[place]))),
    4,
  );
  return (10 - (sum % 10)) % 10 === Number(digits[7]);
}

function isPolish(digits: string): boolean {
  return weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9]);
}

function isFrench(digits: string): boolean {
  const company = digits.slice(2);
  return isLuhn(company) && (12 + 3 * remainder(company, 97)) % 97 === Number(digits.slice(0, 2));
}

/** By country: the digits behind its letters, and whether they can be a number. */
const countries: Readonly<Record<string, readonly [RegExp, (digits: string) => boolean]>> = {
  DE: [/^[1-9]\d{8}$/, isMod1110],
  ATU: [/^\d{8}$/, isAustrian],
  BE: [/^[01]\d{9}$/, (digits) => 97 - remainder(digits.slice(0, 8), 97) === Number(digits.slice(8))],
  DK: [/^\d{8}$/, (digits) => weighted(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  FR: [/^\d{11}$/, isFrench],
  IT: [/^\d{11}$/, isLuhn],
  LU: [/^\d{8}$/, (digits) => Number(digits.slice(0, 6)) % 89 === Number(digits.slice(6))],
  PL: [/^\d{10}$/, isPolish],
};

/** VAT identification numbers of companies and self-employed people. */
export const vat: Detector = {
  kind: 'vat',
  pattern: whole(/(?:DE|ATU|BE|DK|FR|IT|LU|PL)[ \u00A0]?\d{8,11}/, /DE[ \u00A0]?\d{3}[ \u00A0]\d{3}[ \u00A0]\d{3}/),
  read({ value }) {
    const number = compact(value);
    const [, country = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(number) ?? [];
    const [form, isOne] = countries[country] ?? [];
    return form?.test(digits) === true && isOne?.(digits) === true ? number : undefined;
  },
};
