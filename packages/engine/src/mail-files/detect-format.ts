import type { MailFileFault, MailFileFormat } from './mail-file.ts';
import { isCompoundFile } from './outlook/msg/compound-file.ts';
import { isPst } from './outlook/pst/pst-header.ts';

/** As much of a file is looked at to tell what it is. */
export const LOOKED_AT = 4 * 1024 * 1024;

const FIRST_HEADER = /^(?:\uFEFF|\xef\xbb\xbf)?[!-9;-~]+[ \t]*:/u;
const HTML = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b/iu;
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1');

/** Whether bytes begin as a message does: with the line of a header. */
export function beginsAsMessage(bytes: Buffer): boolean {
  return FIRST_HEADER.test(bytes.toString('latin1', 0, 1_000));
}

/** Where the text of the first message begins, and how long it says that it is. */
function statedLength(text: string): { readonly start: number; readonly length: number } | undefined {
  const first = text.indexOf('\n') + 1;
  const end = /\r?\n\r?\n/gu;
  end.lastIndex = first;
  const blank = end.exec(text);
  if (first === 0 || !blank) return undefined;
  const [, length] = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/imu.exec(text.slice(first, blank.index)) ?? [];
  return length === undefined ? undefined : { start: blank.index + blank[0].length, length: Number(length) };
}

/** Whether a message ends where its stated length says. */
function isTrue(text: string, { start, length }: { readonly start: number; readonly length: number }, isWhole: boolean): boolean {
  const rest = text.slice(start + length, start + length + 10);
  return /^(?:\r?\n){0,2}From /u.test(rest) || (isWhole && rest.trim() === '');
}

/**
 * Which mbox it is. With lengths that are right, `From ` within a message is either quoted (cl) or not (cl2). Without, lines
 * that are quoted twice tell the reversible dialect (rd) from the plain one; where none is, both read the same.
 */
function dialectOf(text: string, isWhole: boolean): MailFileFormat {
  const stated = statedLength(text);
  if (stated && isTrue(text, stated, isWhole)) {
    return /^>From /mu.test(text) && !/^From (?!.*\d{4})/mu.test(text) ? 'mboxcl' : 'mboxcl2';
  }
  return /^>From /mu.test(text) ? (/^>>+From /mu.test(text) ? 'mboxrd' : 'mboxo') : 'mboxrd';
}

/** What the first bytes of a file say that it is; a fault where it is no mail. */
export function detectFormat(head: Buffer, isWhole: boolean): { readonly format: MailFileFormat } | { readonly fault: MailFileFault } {
  if (head.subarray(0, 4).equals(ZIP) || head.subarray(0, 4).equals(EMPTY_ZIP)) return { format: 'zip' };
  if (isPst(head)) return { format: 'pst' };
  if (isCompoundFile(head)) return { format: 'msg' };
  const text = head.toString('latin1');
  if (text.startsWith('From ')) return { format: dialectOf(text, isWhole) };
  if (HTML.test(text.slice(0, 2_000))) return { fault: 'import.is-html' };
  return beginsAsMessage(head) ? { format: 'eml' } : { fault: 'import.not-mail' };
}
