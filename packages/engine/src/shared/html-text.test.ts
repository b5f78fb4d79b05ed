import fc from 'fast-check';
import { expect, it } from 'vitest';
import { htmlText } from './html-text.ts';

it('keeps the words and the lines of a document', () => {
  const html =
    '<html><head><title>No</title></head><body><p>Dear <b>Ada</b>,</p><div>2 &lt; 3 &amp; 4&nbsp;&#8364;</div>bye<br/>Bo</body></html>';
  expect(htmlText(html)).toBe('Dear Ada,\n\n2 < 3 & 4 €\nbye\nBo');
});

it('leaves out what runs, styles or hides', () => {
  expect(htmlText('a<script>alert(1)</script>b<style>p{}</style><!-- c -->d')).toBe('abd');
  expect(htmlText('a<script>never closed')).toBe('a');
});

it('ends with any text, and never says a tag of a whole document', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof htmlText(text) === 'string'));
  const many = '<script>'.repeat(50_000);
  expect(htmlText(many)).toBe('');
});

it('keeps what is no markup, and says nothing of what is broken', () => {
  expect(htmlText('&#x41;&#66;&euro;&#0;&#x110000;&shy;c')).toBe('AB&euro;c');
  expect(htmlText('a<!-- never closed')).toBe('a');
  expect(htmlText('a<b never closed')).toBe('a');
  expect(htmlText('a<style>x</style never closed')).toBe('a');
  expect(htmlText('a<script/>b<1>c')).toBe('abc');
  expect(htmlText('<table><tr><td>1</td><th>2</th></tr></table>')).toBe('1\t2');
});
