import { isLuhn } from './checksums.ts';
import { compact, isJustBefore, whole, type Detector } from './detector.ts';

/** The beginnings that card networks have been given, and the lengths of their numbers. */
const networks: readonly RegExp[] = [
  /^4\d{15}(?:\d{3})?$/,
  /^5[1-5]\d{14}$/,
  /^(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^(?:6011|65\d\d|64[4-9]\d)\d{12}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
];

/** How far before a number the word may be that says what it is. */
const REACH = 24;
/** What else has numbers as long as a card's. */
const otherThings: readonly RegExp[] = [
  /order|bestell|auftrag|invoice|rechnung|sendung|tracking|shipment|paket|ticket|kunde|customer|vertrag|contract/g,
  /serial|serien|imei|isbn|gtin|artikel|referenz|reference|hash|batch/g,
  /\b(?:ean|sku|charge|chargen)\b/g,
];
const cards = /card|karte|visa|master|amex|kredit|credit|diners|discover/g;

/** Numbers of payment cards. */
export const card: Detector = {
  kind: 'card',
  pattern: whole(
    /\d{14,16}|\d{19}/,
    // One separator throughout, each written out: a pattern that refers back to what it has read cannot be proved linear.
    /\d{4} \d{4} \d{4} \d{4}(?: \d{3})?/,
    /\d{4}\u00A0\d{4}\u00A0\d{4}\u00A0\d{4}(?:\u00A0\d{3})?/,
    /\d{4}-\d{4}-\d{4}-\d{4}(?:-\d{3})?/,
    /3\d{3} \d{6} \d{4,5}/,
    /3\d{3}\u00A0\d{6}\u00A0\d{4,5}/,
    /3\d{3}-\d{6}-\d{4,5}/,
  ),
  read({ value, before }) {
    const number = compact(value);
    if (!networks.some((network) => network.test(number)) || !isLuhn(number)) return undefined;
    if (/^(\d)\1*$/.test(number)) return undefined;
    const isOther = otherThings.some((things) => isJustBefore(things, before, REACH));
    return isOther && !isJustBefore(cards, before, REACH) ? undefined : number;
  },
};
