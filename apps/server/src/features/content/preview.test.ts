import { anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { previewOfItem, textOfHtml } from './preview.ts';

test('markup, styles and scripts never become text', () => {
  const html =
    '<head><title>t</title></head><style>p{}</style><p>Hello&nbsp;&amp; welcome</p><script>alert(1)</script><img src=x onerror=alert(2)>bye';
  expect(textOfHtml(html)).toBe('Hello & welcome\n bye');
});

test('an item without a message shows its plain properties and the text of its body', () => {
  const item = anItem('a', {
    kind: 'post',
    name: 'Plan',
    properties: { body: { content: '<b>Now</b>' }, importance: 'high', nested: { a: 1 } },
  });
  expect(previewOfItem(item)).toMatchObject({ title: 'Plan', text: 'Now', properties: [{ name: 'importance', value: 'high' }] });
});
