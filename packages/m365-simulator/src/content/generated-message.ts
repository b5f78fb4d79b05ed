import type { Random } from '@holdfast/foundation/random';
import type { AttachmentParts, Envelope, Mailbox, MessageParts } from './message-parts.ts';
import type { Tenant } from '../state/tenant.ts';
import { sketchFile } from './file-bytes.ts';
import { letterHtml, letterText, type Letter, type Quoted, type Writer, writeLetter } from './letter.ts';
import { base64Lines, headerAddress, headerText, type MimePart, quotedPrintable, writeMime } from './mime-writer.ts';
import { chance, hashText, randomOf } from '../values/seeded.ts';
import { envelopeOf, type Thread, type Turn } from './threads.ts';

/** A message that nobody has changed: who, when and where. */
export interface GeneratedMessage {
  readonly tenant: Tenant;
  readonly thread: Thread;
  readonly turn: Turn;
  /** The mailbox and folder it is in, for the headers of its delivery. */
  readonly owner: string;
  readonly index: number;
  readonly recipient: string;
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly oddity: Oddity;
}

/** Ways in which mail is not as it should be. */
export type Oddity = 'none' | 'latin1' | 'plainOnly' | 'brokenHeader' | 'nested' | 'signed' | 'tnef' | 'inlineImage' | 'instantMessage';

const CITIES = { en: 'London', de: 'Berlin' } as const;

function writerOf(message: GeneratedMessage, from: Mailbox): Writer {
  const { tenant, thread } = message;
  const person = tenant.directory.user(from.address);
  return {
    name: from.name,
    title: person?.jobTitle ?? '',
    company: person ? tenant.recipe.displayName : (from.address.split('@')[1] ?? ''),
    city: CITIES[thread.language],
  };
}

function letterOf(message: GeneratedMessage, turn: Turn, from: Mailbox): Letter {
  const { tenant, thread } = message;
  const place = { seed: tenant.seed, kind: 'letter', owner: `${turn.turn}/${turn.writerId}`, index: turn.thread };
  return writeLetter(place, thread.language, writerOf(message, from));
}

function quotesOf(message: GeneratedMessage): Quoted[] {
  const { tenant, thread, turn } = message;
  const quotes: Quoted[] = [];
  for (let back = turn.turn - 1; back >= 0; back -= 1) {
    const earlier: Turn = { thread: turn.thread, turn: back, writerId: '' };
    const envelope = envelopeOf(tenant, thread, earlier);
    const sentMs = message.sentMs - (turn.turn - back) * 5_400_000;
    quotes.push({
      from: `${envelope.from.name} <${envelope.from.address}>`,
      sent: new Date(sentMs).toUTCString(),
      to: envelope.to.map((mailbox) => mailbox.name).join('; '),
      subject: envelope.subject,
      letter: letterOf(message, earlier, envelope.from),
    });
  }
  return quotes;
}

function hex(random: Random, bytes: number): string {
  return random.bytes(bytes).toString('hex');
}

function serverName(random: Random): string {
  return `${['AM', 'DB', 'FR', 'VI'][random.below(4)]}${random.below(9)}PR0${random.below(9)}MB${1000 + random.below(9000)}.eurprd0${random.below(9)}.prod.outlook.com`;
}

function folded(text: string): string {
  return text.replaceAll(/.{72}/gu, '$&\r\n ');
}

/** What the servers on the way wrote above the message: different for every mailbox that got it. */
function deliveryHeaders(message: GeneratedMessage, random: Random): [string, string][] {
  const date = new Date(message.receivedMs).toUTCString().replace('GMT', '+0000');
  const headers: [string, string][] = [];
  for (let hop = 0; hop < 3; hop += 1) {
    headers.push([
      'Received',
      `from ${serverName(random)} (2603:10a6:${hex(random, 2)}:${hex(random, 2)}::${random.below(99)})\r\n by ${serverName(random)} with HTTPS; ${date}`,
    ]);
  }
  headers.push(
    ['ARC-Seal', `i=1; a=rsa-sha256; s=arcselector10001; d=microsoft.com; cv=none;\r\n b=${folded(random.bytes(192).toString('base64'))}`],
    [
      'Authentication-Results',
      `spf=pass smtp.mailfrom=${message.tenant.directory.domain}; dkim=pass header.d=${message.tenant.directory.domain}; dmarc=pass`,
    ],
    ['Delivered-To', message.recipient],
    [
      'X-MS-Exchange-Organization-Network-Message-Id',
      `${hex(random, 4)}-${hex(random, 2)}-${hex(random, 2)}-${hex(random, 2)}-${hex(random, 6)}`,
    ],
    ['X-MS-Exchange-Organization-SCL', random.next() < 0.9 ? '1' : '-1'],
    ['X-MS-Exchange-AntiSpam-MessageData-0', folded(random.bytes(450).toString('base64'))],
  );
  return headers;
}

function addressList(list: readonly Mailbox[]): string {
  return list.map((mailbox) => headerAddress(mailbox.name, mailbox.address)).join(',\r\n ');
}

function ownHeaders(message: GeneratedMessage, envelope: Envelope): [string, string][] {
  const { thread, turn } = message;
  const headers: [string, string][] = [
    ['From', headerAddress(envelope.from.name, envelope.from.address)],
    ['To', addressList(envelope.to)],
  ];
  if (envelope.cc.length > 0) headers.push(['CC', addressList(envelope.cc)]);
  headers.push(['Subject', headerText(envelope.subject)], ['Thread-Topic', headerText(thread.subject)]);
  headers.push(['Date', new Date(message.sentMs).toUTCString().replace('GMT', '+0000')], ['Message-ID', envelope.messageId]);
  if (turn.turn > 0) {
    const parent = envelopeOf(message.tenant, thread, { thread: turn.thread, turn: turn.turn - 1, writerId: '' }).messageId;
    headers.push(['In-Reply-To', parent], ['References', parent]);
  }
  if (message.oddity === 'brokenHeader') headers.push(['X-Broken', '=?iso-8859-1?Q?caf=E9_=?utf-8?B?w6Q?=']);
  headers.push(
    ['Accept-Language', thread.language === 'de' ? 'de-DE, en-US' : 'en-GB, en-US'],
    ['X-MS-Has-Attach', envelope.hasAttachments ? 'yes' : ''],
  );
  return headers;
}

/** Attachments come from one pool of the tenant, some of them often: the same file is in many mails. */
function filesOf({ tenant, turn, thread }: GeneratedMessage): AttachmentParts[] {
  if (!envelopeOf(tenant, thread, turn).hasAttachments) return [];
  const random = randomOf({ seed: tenant.seed, kind: 'attachments', owner: '', index: turn.thread });
  const total = tenant.recipe.mail.total ?? tenant.recipe.people.members * tenant.recipe.mail.messagesPerUser;
  const pool = Math.max(12, Math.floor(total / 12));
  const count = chance(random, 0.75) ? 1 : 2 + random.below(3);
  return Array.from({ length: count }, (): AttachmentParts => {
    const index = Math.floor(pool * random.next() ** 1.7);
    const sketch = sketchFile(
      { seed: tenant.seed, kind: 'attachment', owner: '', index },
      { language: thread.language, medianBytes: 32_000, largestBytes: 2_500_000, hasDocuments: tenant.recipe.hasOddities },
    );
    return {
      kind: 'file',
      name: sketch.name,
      contentType: sketch.contentType,
      sizeBytes: sketch.sizeBytes,
      isInline: false,
      contentId: null,
      bytes: sketch.bytes,
    };
  });
}

const PIXELS = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII=',
  'base64',
);

function oddAttachments(message: GeneratedMessage): AttachmentParts[] {
  if (message.oddity === 'inlineImage') {
    return [
      {
        kind: 'file',
        name: 'image001.png',
        contentType: 'image/png',
        sizeBytes: PIXELS.byteLength,
        isInline: true,
        contentId: 'image001.png@01D00000.00000000',
        bytes: () => PIXELS,
      },
    ];
  }
  if (message.oddity === 'tnef') {
    const bytes = Buffer.concat([
      Buffer.from('789f3e22', 'hex'),
      randomOf({ seed: message.tenant.seed, kind: 'tnef', owner: message.owner, index: message.index }).bytes(600),
    ]);
    return [
      {
        kind: 'file',
        name: 'winmail.dat',
        contentType: 'application/ms-tnef',
        sizeBytes: bytes.byteLength,
        isInline: false,
        contentId: null,
        bytes: () => bytes,
      },
    ];
  }
  if (message.oddity !== 'nested') return [];
  const inner = generateMessage({ ...message, oddity: 'none', turn: { thread: message.turn.thread + 1, turn: 0, writerId: '' } });
  const mime = inner.mime();
  return [
    {
      kind: 'item',
      name: inner.subject,
      contentType: 'message/rfc822',
      sizeBytes: mime.byteLength,
      isInline: false,
      contentId: null,
      bytes: () => mime,
    },
  ];
}

function attachmentPart(attachment: AttachmentParts): MimePart {
  const name = headerText(attachment.name).replaceAll('\r\n ', ' ');
  if (attachment.kind === 'item')
    return {
      headers: [
        ['Content-Type', 'message/rfc822'],
        ['Content-Disposition', 'attachment'],
      ],
      body: attachment.bytes(),
    };
  const headers: [string, string][] = [
    ['Content-Type', `${attachment.contentType}; name="${name}"`],
    ['Content-Description', name],
    ['Content-Disposition', `${attachment.isInline ? 'inline' : 'attachment'}; filename="${name}"; size=${attachment.sizeBytes}`],
  ];
  if (attachment.contentId !== null) headers.push(['Content-ID', `<${attachment.contentId}>`]);
  headers.push(['Content-Transfer-Encoding', 'base64']);
  return { headers, body: base64Lines(attachment.bytes()) };
}

function textPart(type: string, text: string, oddity: Oddity): MimePart {
  const isLatin = oddity === 'latin1';
  const charset = isLatin ? 'iso-8859-1' : 'utf-8';
  const content = isLatin ? Array.from(text, (sign) => ((sign.codePointAt(0) ?? 0) > 0xff ? '?' : sign)).join('') : text;
  return {
    headers: [
      ['Content-Type', `${type}; charset="${charset}"`],
      ['Content-Transfer-Encoding', 'quoted-printable'],
    ],
    body: quotedPrintable(content, isLatin ? 'latin1' : 'utf8'),
  };
}

export interface Composition {
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly AttachmentParts[];
  /** Anything that is the same for the same message, for the boundaries. */
  readonly mark: string;
  readonly oddity: Oddity;
}

/** A message in bytes from its parts, as Exchange would write it. */
export function composeMime(composition: Composition): Buffer {
  const { text, html, oddity } = composition;
  const mark = hashText(composition.mark).toString(16).toUpperCase().padStart(8, '0');
  const texts = [
    ...(text === undefined ? [] : [textPart('text/plain', text, oddity)]),
    ...(html === undefined ? [] : [textPart('text/html', html, oddity)]),
  ];
  const alternative: MimePart =
    texts.length === 1 && texts[0]
      ? texts[0]
      : {
          headers: [['Content-Type', `multipart/alternative;\r\n boundary="_000_${mark}alt_"`]],
          body: texts,
          boundary: `_000_${mark}alt_`,
        };
  const files = composition.attachments.filter((attachment) => attachment.kind !== 'reference');
  const isRelated = files.some((attachment) => attachment.isInline);
  const kind =
    oddity === 'signed'
      ? 'signed; protocol="application/pkcs7-signature"; micalg=sha-256'
      : isRelated
        ? 'related; type="multipart/alternative"'
        : 'mixed';
  const boundary = `_004_${mark}mix_`;
  const content: MimePart =
    files.length === 0 && oddity !== 'signed'
      ? alternative
      : {
          headers: [['Content-Type', `multipart/${kind};\r\n boundary="${boundary}"`]],
          body: [alternative, ...files.map(attachmentPart), ...signature(oddity, mark)],
          boundary,
        };
  return writeMime({ ...content, headers: [...composition.headers, ...content.headers, ['MIME-Version', '1.0']] });
}

function signature(oddity: Oddity, mark: string): MimePart[] {
  if (oddity !== 'signed') return [];
  const data = randomOf({ seed: 7, kind: 'signature', owner: mark, index: 0 }).bytes(1900);
  const headers: [string, string][] = [
    ['Content-Type', 'application/pkcs7-signature; name="smime.p7s"'],
    ['Content-Disposition', 'attachment; filename="smime.p7s"'],
    ['Content-Transfer-Encoding', 'base64'],
  ];
  return [{ headers, body: base64Lines(data) }];
}

/** What a list shows of the message. Costs little: no word of it is written for this. */
export function generateEnvelope({ tenant, thread, turn, oddity }: GeneratedMessage): Envelope {
  const envelope = envelopeOf(tenant, thread, turn);
  if (oddity === 'instantMessage') return { ...envelope, subject: 'IM' };
  return oddity === 'tnef' || oddity === 'nested' ? { ...envelope, hasAttachments: true } : envelope;
}

/** The whole message: a pure function of its place. */
export function generateMessage(message: GeneratedMessage): MessageParts {
  const { tenant, thread, oddity, turn } = message;
  const envelope = generateEnvelope(message);
  const random = randomOf({ seed: tenant.seed, kind: 'delivery', owner: message.owner, index: message.index });
  const letter = letterOf(message, turn, envelope.from);
  const quotes = quotesOf(message);
  const text = letterText(letter, thread.language, quotes);
  const isPlain = oddity === 'plainOnly' || oddity === 'instantMessage';
  const image = oddity === 'inlineImage' ? '<img src="cid:image001.png@01D00000.00000000" alt="logo">' : '';
  const html = isPlain ? undefined : letterHtml(letter, thread.language, quotes).replace('</div>\r\n</body>', `${image}</div>\r\n</body>`);
  const attachments = [...filesOf(message), ...oddAttachments(message)];
  const headers: [string, string][] = [...deliveryHeaders(message, random), ...ownHeaders(message, envelope)];
  return {
    ...envelope,
    body: html === undefined ? { contentType: 'text', content: text } : { contentType: 'html', content: html },
    preview: letter.paragraphs.join(' ').replaceAll(/\s+/gu, ' ').slice(0, 255),
    headers,
    attachments,
    mime: () => composeMime({ headers, text, html, attachments, mark: envelope.messageId, oddity }),
  };
}
