import { isMod1110 } from './checksums.ts';
import { compact, isJustBefore, whole, type Detector } from './detector.ts';

/** Of the first ten digits exactly one comes twice or three times, and no other more than once. */
function isSpread(digits: string): boolean {
  const counts = [...Map.groupBy(digits, (digit) => digit).values()].map((same) => same.length);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3;
}

const phones = /tel|fon|phone|fax|mobil|handy|\+/g;

/** German tax identification numbers. */
export const taxId: Detector = {
  kind: 'taxId',
  pattern: whole(/[1-9]\d{10}/, /[1-9]\d[ \u00A0/]\d{3}[ \u00A0/]\d{3}[ \u00A0/]\d{3}/),
  read({ value, before }) {
    const number = compact(value);
    return isSpread(number.slice(0, 10)) && isMod1110(number) && !isJustBefore(phones, before, 12) ? number : undefined;
  },
};
