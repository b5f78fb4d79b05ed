/** What XML 1.0 can't say at all is left out. */
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSPEAKABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

export function xmlText(value: string | number | null): string {
  return String(value ?? '')
    .toWellFormed()
    .replaceAll(UNSPEAKABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
