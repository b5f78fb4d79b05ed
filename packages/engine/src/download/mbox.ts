const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Thu Jan  1 09:05:00 2026`, in UTC: the only form of a date that every reader of mailboxes knows. */
function asctime(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  const day = String(at.getUTCDate()).padStart(2, ' ');
  return `${DAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${day} ${time} ${at.getUTCFullYear()}`;
}

function separator(receivedAt: string | undefined): Buffer {
  const at = new Date(receivedAt ?? 0);
  return Buffer.from(`From - ${asctime(Number.isNaN(at.getTime()) ? new Date(0) : at)}\r\n`);
}

/** What people did with a message: none of it is in the message itself. */
export interface MessageState {
  readonly isRead: boolean;
  readonly isFlagged: boolean;
  readonly isDraft: boolean;
  readonly categories: readonly string[];
}

/** A category as a header can carry it: RFC 2047 for everything that is not plain. */
function keyword(category: string): string {
  const isPlain = /^[A-Za-z0-9 ._-]+$/u.test(category);
  return isPlain ? category : `=?UTF-8?B?${Buffer.from(category).toString('base64')}?=`;
}

/** Header lines in which mail programs keep the state of a message in a mailbox file. */
function stateLines({ isRead, isFlagged, isDraft, categories }: MessageState): string {
  const marks = `${isFlagged ? 'F' : ''}${isDraft ? 'T' : ''}`;
  const lines = [
    `Status: ${isRead ? 'RO' : 'O'}`,
    ...(marks === '' ? [] : [`X-Status: ${marks}`]),
    ...(categories.length === 0 ? [] : [`X-Keywords: ${categories.map(keyword).join(',\r\n ')}`]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * A message as a mailbox file has it, its state first. Lines that begin with `From ` are quoted (mboxrd), so that a message
 * can't end early.
 */
export function* mboxMessage(raw: Buffer, receivedAt: string | undefined, state?: MessageState): Generator<Uint8Array, void, undefined> {
  const quoted = raw.toString('latin1').replaceAll(/^(>*From )/gmu, '>$1');
  yield separator(receivedAt);
  if (state) yield Buffer.from(stateLines(state));
  yield Buffer.from(quoted, 'latin1');
  yield Buffer.from(quoted.endsWith('\n') ? '\r\n' : '\r\n\r\n');
}

/** The last message of a mailbox file that is not whole: it names what is missing, for the file has no other place to say so. */
export function* mboxOfMissing(
  missing: readonly { readonly path: string; readonly code: string }[],
): Generator<Uint8Array, void, undefined> {
  const lines = missing.map(({ path, code }) => `${code}\t${path.replaceAll(/[\r\n]+/gu, ' ')}`);
  const head = [
    'From: Holdfast <holdfast@localhost>',
    `Subject: ${missing.length} messages of this file could not be read`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const encoded = Buffer.from(`${lines.join('\r\n')}\r\n`).toString('base64');
  const body = (encoded.match(/.{1,76}/gu) ?? []).join('\r\n');
  yield* mboxMessage(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}\r\n`), undefined);
}
