import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { ItemVersion } from '../ports/item.ts';
import { PAGE_END, pageMessage, pageNote, pageStart } from './conversation-page.ts';

/** The elements that a page is made of; nothing that was said may add another one, or an attribute. */
const OWN =
  /<(?:!doctype html|html|head|meta [^<>]*|title|style|body|h1|h2|article(?: class="(?:reply|hit|reply hit)")?|p|b|time datetime="[^"<>]*"|em|div|ul|li|br|\/(?:html|head|title|style|body|h1|h2|article|p|b|time|em|div|ul|li))>/gu;

function message(properties: object, kind: ItemVersion['kind'] = 'post'): string {
  return pageMessage(anItem('m', { kind, createdAt: '2026-01-01T10:00:00Z', properties: properties as ItemVersion['properties'] }));
}

const AWKWARD = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '<<script>script>alert(1)<</script>/script>',
  '<scr<script></script>ipt>alert(1)</script>',
  '&lt;b&gt; & "quoted"',
  '<a href="javascript:alert(1)">x</a>',
  '<!--><img src=x>-->',
];

it.each(AWKWARD)('shows %j as words, wherever it was said', (text) => {
  for (const contentType of ['html', 'text']) {
    const page =
      pageStart(text) +
      message({
        subject: text,
        from: { user: { displayName: text } },
        body: { contentType, content: text },
        attachments: [{ name: text }],
        deletedDateTime: '2026-01-02T00:00:00Z',
      }) +
      PAGE_END;
    expect(page.replaceAll(OWN, '')).not.toMatch(/[<>]/u);
  }
});

it('lets nothing that was said become an element', () => {
  const part = fc.constantFrom('<', '>', '</', 'script', 'img src=x onerror=y', '"', "'", '&lt;', '!--', '-->', ' ', 'x');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const content = parts.join('');
      const page = message({ subject: content, body: { contentType: 'html', content }, from: { user: { displayName: content } } });
      expect(page.replaceAll(OWN, '')).not.toMatch(/[<>]/u);
    }),
    { numRuns: 500 },
  );
});

it('keeps words, lines and characters of other scripts, and tells answers and deleted messages apart', () => {
  const html = message({ body: { contentType: 'html', content: '<div>Grüße &amp; 🎉</div><div>second</div>' } });
  expect(html).toContain('Grüße &amp; 🎉<br>second');
  expect(message({ body: { contentType: 'text', content: 'a < b\nc' } })).toContain('a &lt; b<br>c');
  expect(message({}, 'reply')).toContain('<article class="reply">');
  expect(message({ deletedDateTime: '2026-01-02T00:00:00Z' })).toContain('(deleted)');
});

it('names the files that a message refers to, and its subject', () => {
  const page = message({ subject: 'Budget', attachments: [{ name: 'Plan.xlsx' }, { name: null, contentUrl: 'https://example.org/x' }] });
  expect(page).toContain('<h2>Budget</h2>');
  expect(page).toContain('<li>Plan.xlsx</li><li>https://example.org/x</li>');
});

it('marks the message that a page was made for, and those that are no longer there', () => {
  const item = anItem('m', { kind: 'reply', createdAt: '2026-01-01T10:00:00Z', properties: {} });
  expect(pageMessage(item, { isHit: true })).toMatch(/^<article class="reply hit">.*<em>\(hit\)<\/em>/u);
  expect(pageMessage(item, { isRemoved: true })).toMatch(/^<article class="reply">.*<em>\(deleted\)<\/em>/u);
  expect(pageMessage(item)).not.toMatch(/hit|deleted/u);
  expect(pageNote('<b>"x"')).toBe('<p><em>&lt;b&gt;&quot;x&quot;</em></p>\n');
});

it('says when a message was written in words, that it was edited, and that its sender or text is not known', () => {
  const edited = message({
    from: { user: { displayName: 'Ann' } },
    body: { content: 'We shall.' },
    lastEditedDateTime: '2026-01-02T00:00:00Z',
  });
  expect(edited).toContain(
    '<b>Ann</b><time datetime="2026-01-01T10:00:00Z">2026-01-01 10:00:00 UTC</time> <em>(edited)</em><div>We shall.</div>',
  );
  expect(message({ lastEditedDateTime: null })).toContain(
    '<b>Unknown sender</b><time datetime="2026-01-01T10:00:00Z">2026-01-01 10:00:00 UTC</time><div><em>(no text)</em></div>',
  );
});
