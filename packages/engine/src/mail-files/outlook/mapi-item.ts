import type { Bytes } from '@holdfast/foundation/streams';

/** Properties by their ids in [MS-OXPROPS]. */
export const MAPI = {
  importance: 0x0017,
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representingName: 0x0042,
  representingAddress: 0x0065,
  transportHeaders: 0x007d,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  recipientType: 0x0c15,
  deliveryTime: 0x0e06,
  flags: 0x0e07,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  displayName: 0x3001,
  address: 0x3003,
  createdTime: 0x3007,
  subtreeEntry: 0x35e0,
  attachmentData: 0x3701,
  attachmentShortName: 0x3704,
  attachmentMethod: 0x3705,
  attachmentName: 0x3707,
  attachmentMediaType: 0x370e,
  contentId: 0x3712,
  smtpAddress: 0x39fe,
  codepage: 0x3fde,
  messageCodepage: 0x3ffd,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
  passwordCheck: 0x67ff,
  isHiddenAttachment: 0x7ffe,
} as const;

export const TYPE = { text8: 0x001e, text: 0x001f, binary: 0x0102, int32: 0x0003, int16: 0x0002, boolean: 0x000b, time: 0x0040 } as const;

/** A property as its file has it. What is not loaded has its size alone. */
export interface MapiProperty {
  readonly id: number;
  readonly type: number;
  readonly bytes: Buffer;
  /** The value is larger than what is held: `bytes` is empty. */
  readonly unreadBytes?: number;
}

export type MapiProperties = ReadonlyMap<number, MapiProperty>;

export interface MapiAttachment {
  readonly properties: MapiProperties;
  /** The file, where there is one. */
  readonly content?: { readonly sizeBytes: number; bytes(): Bytes };
  /** The item, where one is attached. */
  readonly item?: MapiItem;
}

/** An item of Outlook: a message, an appointment, a contact or what else has properties. */
export interface MapiItem {
  readonly properties: MapiProperties;
  readonly recipients: readonly MapiProperties[];
  readonly attachments: readonly MapiAttachment[];
}

const ENCODINGS: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20127: 'windows-1252',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28591: 'windows-1252',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  28599: 'windows-1254',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** The name of a code page in messages. What is unknown is read as Western European, as Outlook does. */
export function encodingOf(codepage: number | undefined): string {
  if (codepage !== undefined && codepage >= 1250 && codepage <= 1258) return `windows-${codepage}`;
  return ENCODINGS[codepage ?? 0] ?? 'windows-1252';
}

export function numberOf(properties: MapiProperties, id: number): number | undefined {
  const property = properties.get(id);
  if (!property) return undefined;
  if (property.type === TYPE.int32 && property.bytes.byteLength >= 4) return property.bytes.readInt32LE(0);
  if (property.type === TYPE.int16 && property.bytes.byteLength >= 2) return property.bytes.readInt16LE(0);
  if (property.type === TYPE.boolean && property.bytes.byteLength >= 1) return property.bytes[0];
  return undefined;
}

/** The code page in which text that is not Unicode was written. */
export function codepageOf(properties: MapiProperties): string {
  return encodingOf(numberOf(properties, MAPI.messageCodepage) ?? numberOf(properties, MAPI.codepage));
}

export function decodeText({ type, bytes }: MapiProperty, encoding: string): string {
  const text = type === TYPE.text ? bytes.toString('utf16le') : new TextDecoder(encoding).decode(bytes);
  return text.replaceAll('\0', '');
}

export function textOf(properties: MapiProperties, id: number, encoding = codepageOf(properties)): string | undefined {
  const property = properties.get(id);
  if (!property || (property.type !== TYPE.text && property.type !== TYPE.text8) || property.unreadBytes !== undefined) return undefined;
  return decodeText(property, encoding);
}

/** Windows counts tenths of microseconds since 1601. */
const UNIX_START = 116_444_736_000_000_000n;

export function timeOf(properties: MapiProperties, id: number): Date | undefined {
  const property = properties.get(id);
  if (property?.type !== TYPE.time || property.bytes.byteLength < 8) return undefined;
  const ms = Number((property.bytes.readBigUInt64LE(0) - UNIX_START) / 10_000n);
  const time = new Date(ms);
  return ms > 0 && !Number.isNaN(time.getTime()) ? time : undefined;
}
