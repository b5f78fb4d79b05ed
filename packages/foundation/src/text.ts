/** Text that every store can hold: no NUL, no half of a surrogate pair. What is in the place shows that something was there. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u2400');
}

/** A name as it is sorted and searched: without regard to case and to how accents are written. */
export function sortText(text: string): string {
  return storableText(text.normalize('NFKC').toLowerCase()).slice(0, 400);
}
