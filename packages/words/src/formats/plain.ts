import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Text in UTF-8, or in UTF-16 where its mark says so; null for bytes that are neither. */
function unicodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Text in Unicode, and in the Western code page where it is none. */
export function decodeText(bytes: Uint8Array): string {
  return unicodeText(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

export function readPlain(bytes: Uint8Array, sink: TextSink): void {
  const text = decodeText(bytes);
  if (text.includes('\u0000')) throw new PartError('unsupported', 'it is no text, whatever its name says');
  sink.text(text);
}

/** A file of which nothing says what it is: text when its bytes can be nothing else. */
export function readUnknown(bytes: Uint8Array, sink: TextSink): void {
  const text = unicodeText(bytes);
  if (text === null || text.includes('\u0000')) throw new PartError('unsupported', 'nothing here reads such files');
  sink.text(text);
}

/** Calendars and contact cards fold long lines. */
export function readFolded(bytes: Uint8Array, sink: TextSink): void {
  sink.text(decodeText(bytes).replaceAll(/\r?\n[ \t]/gu, ''));
}
