import type { Query } from '@holdfast/contract/query/tree';
import fc from 'fast-check';
import { days, identifierFields, identifierValue, labelOf, vocabulary } from './naive-items.ts';

const term = fc
  .record({
    text: fc.oneof(
      fc.constantFrom(...vocabulary),
      fc.tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary)).map((two) => two.join(' ')),
    ),
    field: fc.constantFrom(
      null,
      'subject',
      'body',
      'from',
      'to',
      'cc',
      'bcc',
      'recipients',
      'participants',
      'attachment',
      'attachmenttext',
      'envelope',
      'link',
      'header.list-id',
      'header.x-mailer',
    ),
    match: fc.constantFrom('contains' as const, 'contains' as const, 'exactly' as const),
    openStart: fc.boolean(),
    openEnd: fc.boolean(),
  })
  .map(({ field, match, openStart, openEnd, ...same }): Query => {
    const isOpen = match === 'contains' && !same.text.includes(' ') && same.text.length > 3;
    const isWhole = match === 'exactly' && field !== null && !['body', 'attachmenttext', 'recipients', 'participants'].includes(field);
    return {
      kind: 'text',
      ...same,
      field: field as 'subject' | null,
      match: isWhole ? 'exactly' : 'contains',
      openStart: isOpen && openStart,
      openEnd: isOpen && openEnd,
    };
  });
const simple = fc
  .constantFrom(...vocabulary, 'change of', 'of control')
  .map((text): Query => ({ kind: 'text', field: null, match: 'contains', text, openStart: false, openEnd: false }));
const near = fc
  .tuple(simple, simple, simple, fc.integer({ min: 1, max: 12 }), fc.boolean())
  .map(([a, b, c, distance, isOrdered]): Query => ({
    kind: 'near',
    operands: [a, { kind: 'or', of: [b, c] }],
    gaps: [{ distance, isOrdered }],
  }));
const empty = fc
  .constantFrom('to', 'cc', 'bcc', 'envelope', 'attachment', 'subject', 'from', 'recipients', 'participants')
  .map((field): Query => ({ kind: 'empty', field: field as 'to' }));
const value = fc
  .constantFrom(
    ['kind', 'email'],
    ['kind', 'docs'],
    ['kind', 'im'],
    ['filetype', 'xlsx'],
    ['hasattachment', 'true'],
    ['hasattachment', 'false'],
    ['partial', 'true'],
    ['sensitive', 'iban'],
    ['sensitive', 'taxid'],
    ['hash', '6'.padStart(64, '0')],
    ['language', 'de'],
    ['language', 'fr'],
    ['label', 'general'],
    ['label', labelOf(1)],
    ['label', labelOf(4).toUpperCase()],
    ['importance', 'low'],
    ['importance', 'urgent'],
    ...['journaled', 'isread', 'signed', 'encrypted'].flatMap((flag) => [[flag, 'true'] as const, [flag, 'false'] as const]),
    ['id', 'm7'],
    ['messageid', '<messageid-1@contoso.com>'],
    ['attachmenthash', '1'.padStart(64, 'A')],
    ...identifierFields.filter((one) => one !== 'folderid').map((one, index) => [one, identifierValue(one, index + 1)] as const),
  )
  .map(([field, one = '']): Query => ({ kind: 'value', field: field as 'kind', value: one }));
const placed = fc
  .record({
    of: fc.constantFrom(
      ['folder', 'inbox'],
      ['folder', 'Offers'],
      ['folder', 'ffer'],
      ['folderid', 'inbox'],
      ['folderid', 'offers'],
      ['folderid', 'late'],
      ['folderid', 'folderid-3@contoso.com'],
      ['path', 'Inbox'],
      ['path', 'inbox/offers'],
      ['path', 'Inbox/Offers/Inbox'],
      ['path', 'Offers'],
      ['path', 'Inbox/Sent'],
    ),
    match: fc.constantFrom('contains' as const, 'exactly' as const),
  })
  .map(({ of: [field, text = ''], match }): Query => ({
    kind: 'text',
    field: field as 'path',
    match,
    text,
    openStart: false,
    openEnd: false,
  }));
/** Marks by words of their names, by all of a name, and by what no mark that may be seen is called. */
const mark = fc
  .record({
    field: fc.constantFrom('hold' as const, 'policy' as const, 'case' as const, 'tag' as const, 'note' as const),
    text: fc.constantFrom(
      'true',
      'false',
      'control',
      'offer',
      'the offer',
      'cat',
      'falcon',
      'f 2024 7',
      'eagle',
      'urgent',
      'urgent control',
      'vertrag',
      'anna',
      'müller',
      'secret offer',
    ),
    match: fc.constantFrom('contains' as const, 'contains' as const, 'exactly' as const),
    openStart: fc.boolean(),
    openEnd: fc.boolean(),
  })
  .map(({ openStart, openEnd, ...same }): Query => {
    const isOpen = same.match === 'contains' && same.text.length > 3 && !same.text.includes(' ');
    return { kind: 'text', ...same, openStart: isOpen && openStart, openEnd: isOpen && openEnd };
  });
const times = [...days, '2024', '2024-02', '2023', '2024-05'];
const bounds = {
  received: times,
  sent: times,
  archived: times,
  size: ['10', '2000', '4999.5', '50000'],
  attachments: ['0', '0.5', '1'],
};
const range = fc
  .constantFrom('received' as const, 'sent' as const, 'archived' as const, 'size' as const, 'attachments' as const)
  .chain((field) =>
    fc.record({
      kind: fc.constant('range' as const),
      field: fc.constant(field),
      low: fc.option(fc.constantFrom(...bounds[field])),
      high: fc.option(fc.constantFrom(...bounds[field])),
      withLow: fc.boolean(),
      withHigh: fc.boolean(),
    }),
  );
/** Any query over the items of `naive-items.ts`: each kind of field is among them. */
export const anySearch = fc.letrec<{ node: Query; group: Query }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: term },
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: empty },
    { weight: 2, arbitrary: value },
    { weight: 1, arbitrary: placed },
    { weight: 2, arbitrary: mark },
    { weight: 1, arbitrary: range },
    { weight: 2, arbitrary: tie('group') },
  ),
  group: fc.oneof(
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
  ),
})).node;
