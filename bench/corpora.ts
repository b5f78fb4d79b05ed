/**
 * Corpora for benchmarks: seeded, so that every machine measures the same bytes, made on the spot
 * and never checked in. Mail looks like that of an office on Exchange Online: threads with quoted
 * text, the same message delivered to several mailboxes under different headers, attachments that
 * come back. Files are documents, tables and pictures, some of them in several edited versions.
 */
import { createCipheriv, createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A generator of numbers and bytes that is fast and the same everywhere. */
function createDice(seed: string) {
  const key = createHash('sha256').update(seed).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  let pool = stream.update(Buffer.alloc(1 << 16));
  let at = 0;
  const word = (): number => {
    if (at + 4 > pool.byteLength) {
      pool = stream.update(Buffer.alloc(1 << 16));
      at = 0;
    }
    at += 4;
    return pool.readUInt32LE(at - 4);
  };
  const dice = {
    part: () => word() / 2 ** 32,
    below: (limit: number) => Math.floor((word() / 2 ** 32) * limit),
    between: (low: number, high: number) => low + Math.floor((word() / 2 ** 32) * (high - low + 1)),
    chance: (share: number) => word() / 2 ** 32 < share,
    pick: <Value>(from: readonly Value[]): Value => from[Math.floor((word() / 2 ** 32) * from.length)] as Value,
    bytes: (count: number) => stream.update(Buffer.alloc(count)),
    /** Log-normal: half of the values lie below `median`. */
    skewed(median: number, spread: number) {
      const normal = Math.sqrt(-2 * Math.log(dice.part() || 1e-9)) * Math.cos(2 * Math.PI * dice.part());
      return median * Math.exp(spread * normal);
    },
  };
  return dice;
}

type Dice = ReturnType<typeof createDice>;

const SYLLABLES =
  'an ber con der ein for ge ho in ka lan men nor or pre qui ren sta ter un ver wor zu al be che do en fi gra is ju ler mo ni os pla ra schi tun vor we xa ys'.split(
    ' ',
  );
const COMMON =
  'the to of and a in is for that you on with this be are as we have will at if or from by your can please our an all has but they would so there more me what any which der die und das nicht von sie ist des mit dem dass er es ein ich auf'.split(
    ' ',
  );

/** Words by Zipf's law, and sentences that repeat phrases now and then, as people do. */
function createLanguage(dice: Dice, size: number) {
  const words = [...COMMON];
  while (words.length < size) words.push(Array.from({ length: dice.between(2, 5) }, () => dice.pick(SYLLABLES)).join(''));
  const word = (): string => words[Math.min(size - 1, Math.floor(size ** dice.part() - 1))] as string;
  const phrases = Array.from({ length: 4000 }, () => Array.from({ length: dice.between(3, 7) }, word).join(' '));
  const sentence = (): string => {
    const parts: string[] = [];
    for (let left = dice.between(5, 22); left > 0; left -= 1)
      parts.push(dice.chance(0.1) ? (phrases[Math.floor(4000 * dice.part() ** 3)] as string) : word());
    const text = parts.join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  return { word, sentence, paragraph: () => Array.from({ length: dice.between(1, 6) }, sentence).join(' ') };
}

type Language = ReturnType<typeof createLanguage>;

const lines76 = (text: string): string => text.replaceAll(/.{76}/g, '$&\r\n');

function quotedPrintable(text: string): string {
  return text
    .split('\r\n')
    .map((line) => (line.replaceAll('=', '=3D').match(/.{1,74}/g) ?? ['']).join('=\r\n'))
    .join('\r\n');
}

const STYLE = Array.from(
  { length: 24 },
  (_, at) =>
    `p.Office${at}, li.Office${at}\r\n\t{margin:0cm;\r\n\tfont-size:${at}.0pt;\r\n\tfont-family:"Calibri",sans-serif;\r\n\tmso-priority:${at};}\r\n`,
).join('');
const NOTICE =
  'This message and what is attached to it are meant for the persons it is addressed to. Whoever has received it by mistake is asked to tell the sender and to delete it.';

function toHtml(paragraphs: readonly string[]): string {
  const body = paragraphs
    .map(
      (text) =>
        `<p class="Office1"><span lang="EN-US" style="font-size:11.0pt">${text}<o:p></o:p></span></p>\r\n<p class="Office1"><o:p>&nbsp;</o:p></p>\r\n`,
    )
    .join('');
  return `<html xmlns:o="urn:office">\r\n<head>\r\n<style><!--\r\n${STYLE}--></style>\r\n</head>\r\n<body lang="EN">\r\n<div class="Section1">\r\n${body}<p style="font-size:8pt">${NOTICE}</p></div>\r\n</body>\r\n</html>\r\n`;
}

interface Attachment {
  readonly name: string;
  readonly encoded: string;
}

function aDocument(dice: Dice, language: Language, size: number): { readonly kind: string; readonly data: Buffer } {
  const roll = dice.part();
  if (roll < 0.62) return { kind: dice.pick(['pdf', 'docx', 'jpg', 'zip', 'xlsx']), data: dice.bytes(size) };
  if (roll < 0.85) {
    const parts: string[] = [];
    for (let length = 0; length < size; length += (parts.at(-1) as string).length) {
      parts.push(
        dice.chance(0.5) ? `${language.paragraph()}\r\n` : `${Array.from({ length: 8 }, () => dice.below(100_000) / 100).join(';')}\r\n`,
      );
    }
    return { kind: dice.pick(['csv', 'txt', 'rtf']), data: Buffer.from(parts.join('')).subarray(0, size) };
  }
  const data = dice.bytes(size);
  for (let at = 0; at < size; at += 4096) if (dice.chance(0.5)) data.fill(dice.below(4), at, Math.min(size, at + dice.between(1000, 4096)));
  return { kind: dice.pick(['doc', 'xls', 'bmp']), data };
}

interface Sent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly body: string;
  readonly head: string;
}

/** What every mailbox gets a version of its own of: hops, signatures, and the filter's opaque data. */
function deliveryHeaders(dice: Dice, to: string): string {
  const host = (): string =>
    `${dice.pick(['AM', 'DB', 'FR', 'VI'])}${dice.below(9)}PR0${dice.below(9)}MB${dice.between(1000, 9999)}.prod.example.com`;
  const secret = (size: number): string => lines76(dice.bytes(size).toString('base64'));
  const hops = Array.from(
    { length: dice.between(3, 5) },
    () => `Received: from ${host()} by ${host()} with HTTPS; Mon, ${dice.between(1, 28)} Jan 2024 08:00:00 +0000`,
  );
  return [
    ...hops,
    `ARC-Seal: i=1; a=rsa-sha256; s=arc; d=example.com; cv=none;\r\n b=${secret(256)}`,
    `ARC-Message-Signature: i=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com;\r\n bh=${secret(32)};\r\n b=${secret(256)}`,
    `Delivered-To: ${to}`,
    `X-Network-Message-Id: ${dice.bytes(16).toString('hex')}`,
    `X-AntiSpam-MessageData-0: ${secret(dice.between(900, 1800))}`,
  ].join('\r\n');
}

// oxlint-disable-next-line complexity -- one message from top to bottom reads better than its parts
function compose(dice: Dice, language: Language, recent: readonly Sent[], pool: Attachment[]): Sent {
  const parent =
    recent.length > 0 && dice.chance(0.45) ? recent[Math.max(0, recent.length - 1 - Math.floor(400 * dice.part() ** 2))] : undefined;
  const own = Array.from({ length: Math.min(40, Math.max(1, Math.round(dice.skewed(4, 0.7)))) }, () => language.paragraph());
  const subject = parent ? `RE: ${parent.subject.replace(/^RE: /, '')}` : `${language.word()} ${language.word()} ${language.word()}`;
  const paragraphs = [...own, ...(parent?.paragraphs ?? [])].slice(0, 90);
  const boundary = `_000_${dice.bytes(16).toString('hex')}`;
  const plain = `${paragraphs.map((text) => text.replaceAll(/(.{60,75}) /g, '$1\r\n')).join('\r\n\r\n')}\r\n\r\n${NOTICE}\r\n`;
  const html = toHtml(paragraphs);
  const isEncoded = dice.chance(0.3);
  const rich = isEncoded ? lines76(Buffer.from(html).toString('base64')) : quotedPrintable(html);
  const alternative = `--${boundary}alt_\r\nContent-Type: text/plain; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(plain)}\r\n--${boundary}alt_\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${isEncoded ? 'base64' : 'quoted-printable'}\r\n\r\n${rich}\r\n--${boundary}alt_--\r\n`;
  const attached: Attachment[] = [];
  for (let left = dice.chance(0.24) ? (dice.chance(0.75) ? 1 : dice.between(2, 4)) : 0; left > 0; left -= 1) {
    if (pool.length > 20 && dice.chance(0.32)) attached.push(dice.pick(pool));
    else {
      const { kind, data } = aDocument(dice, language, Math.round(Math.min(18e6, Math.max(1500, dice.skewed(50_000, 1.35)))));
      const one = { name: `${language.word()}.${kind}`, encoded: lines76(data.toString('base64')) };
      attached.push(one);
      pool.push(one);
      if (pool.length > 600) pool.shift();
    }
  }
  const parts = attached.map(
    (one) =>
      `\r\n--${boundary}mix_\r\nContent-Type: application/octet-stream; name="${one.name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${one.encoded}\r\n`,
  );
  const body =
    attached.length === 0
      ? alternative
      : `--${boundary}mix_\r\nContent-Type: multipart/alternative; boundary="${boundary}alt_"\r\n\r\n${alternative}${parts.join('')}--${boundary}mix_--\r\n`;
  const kind = attached.length === 0 ? 'alternative' : 'mixed';
  const head = `From: ${dice.pick(SYLLABLES)}@contoso.example\r\nSubject: ${subject}\r\nMessage-ID: <${dice.bytes(20).toString('hex')}@example.com>\r\nDKIM-Signature: v=1; a=rsa-sha256;\r\n b=${lines76(dice.bytes(256).toString('base64'))}\r\nContent-Type: multipart/${kind};\r\n boundary="${boundary}${attached.length === 0 ? 'alt' : 'mix'}_"\r\nMIME-Version: 1.0`;
  return { subject, paragraphs, body, head };
}

function writeMail(folder: string, count: number): void {
  const dice = createDice('mail 1');
  const language = createLanguage(dice, 45_000);
  const recent: Sent[] = [];
  const pool: Attachment[] = [];
  for (let user = 0; user < 100; user += 1) mkdirSync(path.join(folder, `u${String(user).padStart(3, '0')}`), { recursive: true });
  for (let written = 0; written < count;) {
    const sent = compose(dice, language, recent, pool);
    recent.push(sent);
    if (recent.length > 500) recent.shift();
    const boxes = new Set(Array.from({ length: dice.chance(0.7) ? 1 : dice.between(2, 6) }, () => dice.below(100)));
    for (const box of boxes) {
      if (written >= count) break;
      const user = `u${String(box).padStart(3, '0')}`;
      const text = `${deliveryHeaders(dice, `${user}@contoso.example`)}\r\n${sent.head}\r\n\r\n${sent.body}`;
      writeFileSync(path.join(folder, user, `${String(written).padStart(6, '0')}.eml`), text, 'latin1');
      written += 1;
    }
  }
}

function edited(dice: Dice, data: Buffer): Buffer {
  let out = data;
  for (let left = dice.between(1, 4); left > 0; left -= 1) {
    const at = dice.below(out.byteLength);
    const gone = Math.max(16, Math.floor(out.byteLength * dice.part() * 0.02));
    out = Buffer.concat([
      out.subarray(0, at),
      dice.bytes(Math.max(10, Math.floor(gone * (0.5 + dice.part())))),
      out.subarray(Math.min(out.byteLength, at + gone)),
    ]);
  }
  return out;
}

function writeFiles(folder: string, count: number): void {
  const dice = createDice('files 2');
  const language = createLanguage(dice, 45_000);
  for (let written = 0; written < count;) {
    const user = path.join(folder, `u${written % 20}`);
    mkdirSync(user, { recursive: true });
    const { kind, data } = aDocument(dice, language, Math.round(Math.min(50e6, Math.max(1e5, dice.skewed(1.6e6, 1.3)))));
    let version = data;
    for (let versions = dice.chance(0.3) ? dice.between(2, 4) : 1; versions > 0 && written < count; versions -= 1) {
      writeFileSync(path.join(user, `file-${String(written).padStart(4, '0')}.${kind}`), version);
      version = edited(dice, version);
      written += 1;
    }
  }
}

/** The corpus in a folder below `base`, made when it is not there yet. */
export function obtainCorpus(base: string, kind: 'mail' | 'files', count: number): string {
  const folder = path.join(base, `${kind}-${count}`);
  const done = path.join(base, `${kind}-${count}.done`);
  if (existsSync(done) && readFileSync(done, 'utf8') === 'whole') return folder;
  mkdirSync(folder, { recursive: true });
  if (kind === 'mail') writeMail(folder, count);
  else writeFiles(folder, count);
  writeFileSync(done, 'whole');
  return folder;
}
