import { expect, test } from 'vitest';
import { linksOf } from './links.ts';

test('links of a mail are those behind words and those that are written out, each once', () => {
  const html =
    '<p>See <a href="https://contoso.com/Offer%20May.docx?a=1&amp;b=2">this</a>, <A HREF=\'https://contoso.com/b\'>that</A> and https://contoso.com/c.</p>';
  const text = 'See (https://contoso.com/b), https://contoso.com/d!';
  expect(linksOf({ html, text }, undefined)).toEqual([
    'https://contoso.com/Offer%20May.docx?a=1&b=2',
    'https://contoso.com/b',
    'https://contoso.com/c',
    'https://contoso.com/d',
  ]);
});

test('a link that leads to a check first is where it was meant to lead, and what leads nowhere is none', () => {
  const meant = encodeURIComponent('https://contoso.sharepoint.com/sites/a/Offer.docx');
  const html = `<a href="https://eur01.safelinks.protection.outlook.com/?url=${meant}&amp;data=05">x</a> <a href="mailto:anna@contoso.com">y</a> <a href="#top">z</a>`;
  expect(linksOf({ html }, undefined)).toEqual(['https://contoso.sharepoint.com/sites/a/Offer.docx']);
  expect(linksOf({ html: '<a href="https://evilsafelinks.protection.outlook.com.example.org/?url=x">x</a>' }, undefined)).toEqual([
    'https://evilsafelinks.protection.outlook.com.example.org/?url=x',
  ]);
});

test('posts link to what is in their text and attached by its address, and not to what the service says of them', () => {
  const stored = {
    webUrl: 'https://teams.microsoft.com/l/message/1',
    body: { contentType: 'html', content: '<a href="https://contoso.com/a">a</a>' },
    attachments: [{ contentType: 'reference', contentUrl: 'https://contoso.sharepoint.com/b.docx' }],
  };
  expect(linksOf(undefined, stored)).toEqual(['https://contoso.com/a', 'https://contoso.sharepoint.com/b.docx']);
  const canvasLayout = { sections: [{ columns: [{ webparts: [{ innerHtml: '<a href="https://contoso.com/page">p</a>' }] }] }] };
  expect(linksOf(undefined, { canvasLayout })).toEqual(['https://contoso.com/page']);
  expect(linksOf(undefined, undefined)).toEqual([]);
});
