import { expect, test } from 'vitest';
import { completed, completionsAt } from './completions.ts';

test.each<[string, readonly string[] | undefined]>([
  ['fro', ['from:']],
  ['offer rec', ['recipients:', 'received:']],
  ['NOT (sub', ['subject:']],
  ['-inv', ['invoice.number:', 'invoice.seller:', 'invoice.vatid:', 'invoice.iban:', 'invoice.date:', 'invoice.total:']],
  ['kind:', ['email', 'meetings', 'contacts', 'tasks', 'im', 'docs']],
  ['offer kind:d', ['docs']],
  ['kind:docs', undefined],
  ['deleted:t', ['true']],
  ['header.x', ['header.x-mailer:', 'header.x-originating-ip:']],
  ['header.x-m', ['header.x-mailer:']],
  ['hold:', ['true', 'false']],
  ['hold:t', ['true']],
  ['lang', ['language:']],
  ['matchedin:b', ['body']],
  ['itemclass:ipm.t', ['ipm.task']],
  ['polic', ['policy:']],
  ['impo', ['importance:']],
  ['importance:', ['low', 'normal', 'high', 'urgent']],
  ['isread:f', ['false']],
  ['sent>=to', ['today']],
  ['NOT (arch', ['archived:']],
  ['received>=to', ['today']],
  ['received:"last', ['"last week"', '"last month"', '"last year"']],
  ['f', undefined],
  ['xyz', undefined],
  ['from:ann', undefined],
  ['form:a', undefined],
  ['"letter fro', undefined],
  ['', undefined],
])('what can follow in %s', (text, options) => {
  const found = completionsAt(text, text.length);
  expect(found?.options.toSorted()).toEqual(options?.toSorted());
});

test('an option takes the place of what was begun, in the middle of a query as well', () => {
  const text = 'offer fro rest';
  const found = completionsAt(text, 9);
  expect(found && completed(text, found, 'from:')).toBe('offer from: rest');
  const kind = completionsAt('kind:d', 6);
  expect(kind && completed('kind:d', kind, 'docs')).toBe('kind:docs ');
  const time = completionsAt('received:"last m', 16);
  expect(time).toBeUndefined();
});
