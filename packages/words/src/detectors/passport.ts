import { compact, isJustBefore, whole, type Detector } from './detector.ts';

/** Check digits of travel documents: weights 7, 3, 1, letters from A = 10 on, fillers nothing. */
function checkDigit(text: string): number {
  const weights = [7, 3, 1];
  let sum = 0;
  for (const [place, sign] of Array.from(text).entries()) {
    const value = sign === '<' ? 0 : Number.parseInt(sign, 36);
    sum += value * (weights[place % 3] ?? 0);
  }
  return sum % 10;
}

function isChecked(text: string, digit: string | undefined): boolean {
  return checkDigit(text) === Number(digit);
}

/** The second line of the machine-readable zone of a passport. */
function isMachineLine(line: string): boolean {
  const composite = line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43);
  return (
    isChecked(line.slice(0, 9), line[9]) &&
    isChecked(line.slice(13, 19), line[19]) &&
    isChecked(line.slice(21, 27), line[27]) &&
    isChecked(composite, line[43])
  );
}

const named = /reisepass|passport|pass-?n(?:umme)?r|passnummer|personalausweis|ausweis-?n(?:umme)?r|ausweisnummer|id card/g;

/** Numbers of passports and German identity cards. */
export const passport: Detector = {
  kind: 'passport',
  pattern: whole(/[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[0-9<]\d/, /[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\d?/),
  read({ value, before }) {
    const number = compact(value);
    if (number.length === 44) return isMachineLine(number) ? number.slice(0, 9) : undefined;
    // Letters alone are a word.
    if (!/\d/.test(number) || !isJustBefore(named, before, 30)) return undefined;
    return number.length === 10 && !isChecked(number.slice(0, 9), number[9]) ? undefined : number.slice(0, 9);
  },
};
