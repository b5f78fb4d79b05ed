/** Card numbers, French company numbers and others: each second digit is doubled. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The remainder of a long decimal number. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}

/** Letters as two digits, from A = 10 on. */
export function lettersAsNumbers(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => String((letter.codePointAt(0) ?? 0) - 55));
}

/** ISO 7064, MOD 11,10: German tax and VAT numbers. */
export function isMod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
}

/** Adds the digits of a number of at most two. */
export function crossSum(number: number): number {
  return Math.floor(number / 10) + (number % 10);
}
