import { expect, test } from 'vitest';
import { marksIn, type TextPart } from './marks.ts';
import { parseQuery } from './parse.ts';

/** The marked words of a text, in its own spelling. */
function marked(asked: string, text: string, part: TextPart = 'text'): string[] {
  const { query } = parseQuery(asked);
  if (!query) throw new Error(`${asked} is no query`);
  return marksIn(query, part, text).map(({ from, to }) => text.slice(from, to));
}

test('words are marked as they are written, whatever their case and accents', () => {
  expect(marked('müller rechnung', 'Die Rechnung an MUELLER, Müller und Muller.')).toEqual(['Rechnung', 'MUELLER', 'Müller', 'Muller']);
  expect(marked('straße', 'In der Strasse.')).toEqual(['Strasse']);
});

test('a phrase is marked as a whole, and its words alone are not', () => {
  expect(marked('"change of control"', 'A change of plan, then a Change-of control clause.')).toEqual(['Change-of control']);
});

test('wildcards mark the whole word that they found', () => {
  expect(marked('*vertrag vertrag* *trag*', 'Mietvertrag, Vertragsende, Beitragssatz, Vertrag')).toEqual([
    'Mietvertrag',
    'Vertragsende',
    'Beitragssatz',
    'Vertrag',
  ]);
});

test('what an item must not have is not marked, and neither is a word of another field', () => {
  expect(marked('offer NOT price', 'The price of the offer')).toEqual(['offer']);
  expect(marked('subject:offer', 'The offer')).toEqual([]);
  expect(marked('subject:offer', 'The offer', 'subject')).toEqual(['offer']);
  expect(marked('attachmenttext:offer body:price', 'offer price', 'attachment')).toEqual(['offer']);
});

test('both sides of NEAR are marked, and pieces of a number as one', () => {
  expect(marked('invoice NEAR(5) overdue', 'This invoice is long overdue.')).toEqual(['invoice', 'overdue']);
  expect(marked('12-345/67', 'No. 12-345/67 of today')).toEqual(['12-345/67']);
});
