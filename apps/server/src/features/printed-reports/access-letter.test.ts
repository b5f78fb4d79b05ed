import { expect, test } from 'vitest';
import { at, owner } from '../period-reports/testing/sample-report.ts';
import { accessLetter } from './access-letter.ts';
import { requested } from './testing/sample-papers.ts';

const said = (request = requested): string => JSON.stringify(accessLetter({ owner, at, request }, 'en'));

test('the letter counts what is enclosed, what is left out by reason, and what nobody could look at', () => {
  const letter = accessLetter({ owner, at, request: requested }, 'en');
  expect(letter.verdict).toMatchObject({ state: 'With omissions', ink: 'warning' });
  expect(letter.verdict.text).toBe('The enclosed package has 1,228 messages, files and other items about you. 5 items are left out.');
  const text = said();
  for (const part of [
    'Trade secrets of a customer',
    '3 items that others have marked',
    '4 items could not be searched',
    'c0ffee',
    'Very many items',
  ])
    expect(text, part).toContain(part);
  // Items of others are counted together, without what is left out.
  expect(text).toContain('"cells":["Messages and files of others that have you as sender or recipient, or mention your name","28"]');
  for (const name of ['Ben Vance', 'Sales']) expect(text, name).not.toContain(name);
});

test('a letter is not complete while something could not be searched', () => {
  const collected = { ...requested.collected, leftOut: 0, notReached: 0, notSearched: 60 };
  const unread = { ...requested, collected, leftOut: [] };
  const { verdict } = accessLetter({ owner, at, request: unread }, 'en');
  expect(verdict).toMatchObject({ state: 'With omissions', ink: 'warning' });
  expect(verdict.text).toMatch(/There may be more: not everything could be searched yet\.$/u);
});

test('a letter about everything has no omissions', () => {
  const collected = { ...requested.collected, leftOut: 0, notReached: 0, notSearched: 0 };
  const whole = { ...requested, collected, leftOut: [], places: requested.places.slice(0, 1) };
  expect(accessLetter({ owner, at, request: whole }, 'en').verdict).toMatchObject({ state: 'Complete', ink: 'success' });
  expect(said(whole)).not.toContain('What the package does not contain');
});
