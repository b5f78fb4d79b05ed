const LONGEST_BYTES = 75;
// eslint-disable-next-line no-control-regex -- what no line of these formats may hold
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F]/gu;

/** A content line as calendars and cards have it (RFC 5545 3.1, RFC 6350 3.2): 75 octets at most, cut between characters. */
export function foldLine(line: string): string {
  const out: string[] = [];
  let current = '';
  let bytes = 0;
  for (const sign of line.toWellFormed()) {
    const size = Buffer.byteLength(sign);
    if (bytes + size > LONGEST_BYTES) {
      out.push(current);
      current = ' ';
      bytes = 1;
    }
    current += sign;
    bytes += size;
  }
  return [...out, current].join('\r\n');
}

/** A text as a value: what separates values is escaped, lines are kept, and nothing can begin a line of its own. */
export function textValue(text: string | null | undefined): string {
  return (text ?? '')
    .replaceAll(/\r\n?/gu, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll('\n', '\\n');
}

/** An address or a link as a value: no space or line can be in it. */
export function plainValue(text: string): string {
  return text.replaceAll(CONTROLS, '').replaceAll(/\s/gu, '');
}

/** A name as the parameter of a line, in quotes that it can't end. */
export function quoted(text: string): string {
  return `"${text.replaceAll(CONTROLS, '').replaceAll(/\s+/gu, ' ').replaceAll('"', "'")}"`;
}
