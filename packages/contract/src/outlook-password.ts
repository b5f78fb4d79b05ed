const POLYNOMIAL = 0xed_b8_83_20;

function tableEntry(index: number): number {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value % 2 === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
  return value >>> 0;
}

const table = Array.from({ length: 256 }, (_, index) => tableEntry(index));

/**
 * What an Outlook data file keeps of its password: a checksum of [MS-PST] 5.3, by which a password is recognised. Nothing in the file is
 * encrypted with it. The checksum alone is sent and stored, never the password.
 */
export function outlookPasswordCheck(password: string): number {
  let check = 0;
  for (const letter of password) check = (table[(check ^ (letter.codePointAt(0) ?? 0)) & 0xff] ?? 0) ^ (check >>> 8);
  return check | 0;
}
