import { Parser } from 'htmlparser2';
import type { TextSink } from '../part/text-sink.ts';
import { decodeText } from './plain.ts';

const UNSEEN = new Set(['script', 'style', 'template']);
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'big',
  'cite',
  'code',
  'em',
  'font',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'tt',
  'u',
  'wbr',
]);

/** What a browser would show, and the texts that stand for pictures. */
export function htmlText(html: string, sink: Pick<TextSink, 'text'>): void {
  let unseen = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) unseen += 1;
      if (!INLINE.has(name)) sink.text('\n');
      if (attributes['alt']) sink.text(` ${attributes['alt']} `);
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen -= 1;
      if (!INLINE.has(name)) sink.text('\n');
    },
    ontext(text) {
      if (unseen === 0) sink.text(text);
    },
  });
  parser.write(html);
  parser.end();
}

export function readHtml(bytes: Uint8Array, sink: TextSink): void {
  htmlText(decodeText(bytes), sink);
}
