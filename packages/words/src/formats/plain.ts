import { PartError } from '../document-part.ts';
import type { TextSink } from '../text-sink.ts';

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Text in UTF-8, in UTF-16 where its mark says so, and in the Western code page otherwise. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function readPlain(bytes: Uint8Array, sink: TextSink): void {
  const text = decodeText(bytes);
  if (text.includes('\u0000')) throw new PartError('unsupported', 'it is no text, whatever its name says');
  sink.text(text);
}

/** Calendars and contact cards fold long lines. */
export function readFolded(bytes: Uint8Array, sink: TextSink): void {
  sink.text(decodeText(bytes).replaceAll(/\r?\n[ \t]/gu, ''));
}
