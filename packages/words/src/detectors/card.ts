import { isLuhn } from './checksums.ts';
import { compact, whole, type Detector } from './detector.ts';

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

const otherThings =
  /(?:order|bestell|auftrag|invoice|rechnung|sendung|tracking|shipment|paket|ticket|serial|serien|imei|isbn|gtin|\bean\b|artikel|\bsku\b|kunde|customer|vertrag|contract|referenz|reference|hash|chargen?\b|batch)[^\n\d]{0,24}$/;
const cards = /(?:card|karte|visa|master|amex|kredit|credit|diners|discover)[^\n\d]{0,24}$/;

/** Numbers of payment cards. */
export const card: Detector = {
  kind: 'card',
  pattern: whole(
    /\d{14,16}|\d{19}/,
    /\d{4}(?<s>[ \u00A0-])\d{4}\k<s>\d{4}\k<s>\d{4}(?:\k<s>\d{3})?/,
    /3\d{3}(?<t>[ \u00A0-])\d{6}\k<t>\d{4,5}/,
  ),
  read({ value, before }) {
    const number = compact(value);
    if (!networks.some((network) => network.test(number)) || !isLuhn(number)) return undefined;
    if (/^(\d)\1*$/.test(number)) return undefined;
    return otherThings.test(before) && !cards.test(before) ? undefined : number;
  },
};
