import { SaxesParser } from 'saxes';
import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import { createInvoiceReading } from './invoice.ts';
import { decodeText } from './plain.ts';

/** What becomes of an element, by its name without prefix. */
export interface XmlReading {
  /** Only text inside of these; all text where it is absent. */
  readonly texts?: ReadonlySet<string>;
  /** Stand for white space: what is written at their end. */
  readonly spaces?: ReadonlyMap<string, string>;
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  /** Takes text instead of the sink. */
  readonly text?: (piece: string) => void;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Walks an XML document and gives its text. Entities of its own are never resolved. */
export function walkXml(bytes: Uint8Array, sink: Pick<TextSink, 'text'>, reading: XmlReading = {}): void {
  const parser = new SaxesParser();
  let wanted = 0;
  const take = reading.text ?? ((piece: string) => sink.text(piece));
  parser.on('error', (error) => {
    throw new PartError('failed', `its XML is broken: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const local = localName(name);
    if (reading.texts?.has(local)) wanted += 1;
    reading.open?.(local, attributes);
  });
  parser.on('closetag', ({ name }) => {
    const local = localName(name);
    if (reading.texts?.has(local)) wanted -= 1;
    reading.close?.(local);
    const space = reading.spaces?.get(local);
    if (space !== undefined) take(space);
  });
  parser.on('text', (text) => {
    if (!reading.texts || wanted > 0) take(text);
  });
  parser.on('cdata', (text) => {
    if (!reading.texts || wanted > 0) take(text);
  });
  parser.write(decodeText(bytes)).close();
}

/** Any XML file: the text of its elements, each on a line of its own, and what it says as an electronic invoice. */
export function readXml(bytes: Uint8Array, sink: TextSink): void {
  const invoice = createInvoiceReading();
  walkXml(bytes, sink, {
    open: (name, attributes) => invoice.open(name, attributes),
    text(piece) {
      sink.text(piece);
      invoice.text(piece);
    },
    close() {
      sink.text('\n');
      invoice.close();
    },
  });
  sink.invoice(invoice.found());
}
