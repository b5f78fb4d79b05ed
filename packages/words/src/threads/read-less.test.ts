import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLess, type ThreadPlace } from './read-less.ts';
import { asThreadMail, quotings, written, type WrittenMail } from './testing/office-threads.ts';

const sentence = fc
  .array(fc.constantFrom('invoice', 'contract', 'we', 'pay', 'never', 'Falcon', 'tomorrow', 'agree', '1,000', 'straße'), {
    minLength: 1,
    maxLength: 9,
  })
  .map((words) => `${words.join(' ')}.`);
const letter = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((sentences) => sentences.join('\n'));

/** Threads with forks, answers that repeat all, some, something else or nothing, and attachments. */
const thread = fc
  .array(
    fc.record({
      own: letter,
      answers: fc.nat(),
      quoting: fc.constantFrom(...quotings),
      attachments: fc.subarray(['a'.repeat(64), 'b'.repeat(64)]),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .map((steps) => {
    const mails: WrittenMail[] = [];
    for (const [place, { own, answers, ...how }] of steps.entries()) {
      mails.push(written(place, place === 0 ? null : (mails[answers % place] ?? null), own, how));
    }
    return mails;
  });

/** A text without its quote marks, white space told apart by nothing: this shares no line with what it judges. */
const flat = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^(?:>\s?)+/u, ''))
    .join(' ')
    .split(/\s+/u)
    .join(' ');

const rolesOf = (mails: readonly WrittenMail[]): ThreadPlace['role'][] => readLess(mails.map(asThreadMail)).map(({ role }) => role);

test('A32: the mail shown instead of a hidden one contains all of its sentences and attachments, and is never hidden itself', () => {
  let hidden = 0;
  fc.assert(
    fc.property(thread, (mails) => {
      const places = readLess(mails.map(asThreadMail));
      for (const [at, place] of places.entries()) {
        const [mail, shown] = [mails[at], mails[place.shownBy]];
        if (!mail || !shown || place.shownBy === at) continue;
        hidden += 1;
        expect(places[place.shownBy]?.role).toMatch(/^inclusive/u);
        for (const line of mail.text.split('\n').filter((one) => /\p{L}/u.test(one))) expect(flat(shown.text)).toContain(flat(line).trim());
        expect(shown.attachments).toEqual(expect.arrayContaining([...mail.attachments]));
      }
    }),
    { numRuns: 500 },
  );
  expect(hidden).toBeGreaterThan(250);
});

test('A32: of answers that repeat everything the last is read alone', () => {
  const first = written(0, null, 'Can we have an offer?', { quoting: 'none' });
  const second = written(1, first, 'Here it is.', { quoting: 'outlook' });
  const third = written(2, second, 'We take it.', { quoting: 'rewrapped' });
  expect(rolesOf([first, second, third])).toEqual(['none', 'none', 'inclusive']);
});

test('A32: where a thread forks, the last of each branch is read', () => {
  const first = written(0, null, 'Can we have an offer?', { quoting: 'none' });
  const branches = [written(1, first, 'From me, yes.', { quoting: 'marks' }), written(2, first, 'From me, no.', { quoting: 'gmail' })];
  expect(rolesOf([first, ...branches])).toEqual(['none', 'inclusive', 'inclusive']);
});

test('A32: a mail that was changed when it was quoted is read, and so is one that was shortened', () => {
  const first = written(0, null, 'We shall pay.\nOn Monday.', { quoting: 'none' });
  for (const quoting of ['edited', 'trimmed'] as const) {
    expect(rolesOf([first, written(1, first, 'Fine.', { quoting })])).toEqual(['inclusive', 'inclusive']);
  }
});

test('A32: a mail that says the same in its own words hides nobody who said it before', () => {
  const first = written(0, null, 'Do we sign?', { quoting: 'none' });
  const yes = [written(1, first, 'Yes.', { quoting: 'none' }), written(2, first, 'Yes.', { quoting: 'none' })];
  expect(rolesOf([first, ...yes])).toEqual(['inclusive', 'inclusive', 'inclusive']);
});

test('A32: a mail of which one sentence is quoted and another only said again by somebody else is read', () => {
  const first = written(0, null, 'We sign.\nYes.\nWe pay.', { quoting: 'none' });
  const answer = { ...written(1, first, '', { quoting: 'none' }), text: '> We sign.\n\nYes.\n\n> We pay.' };
  expect(rolesOf([first, answer])).toEqual(['inclusive', 'inclusive']);
});

test('A32: what is quoted whole but had an attachment of its own is read for its attachment', () => {
  const first = written(0, null, 'The contract.', { quoting: 'none', attachments: ['c'.repeat(64)] });
  const answer = written(1, first, 'Signed.', { quoting: 'marks' });
  expect(rolesOf([first, answer])).toEqual(['inclusiveMinus', 'inclusive']);
  expect(rolesOf([first, { ...answer, attachments: first.attachments }])).toEqual(['none', 'inclusive']);
});

test('the same mail from two mailboxes is read once; one that was changed on its way is no copy', () => {
  const first = written(0, null, 'We shall pay.', { quoting: 'none' });
  expect(rolesOf([first, first])).toEqual(['inclusive', 'copy']);
  expect(rolesOf([first, { ...first, text: 'We shall not pay.' }])).toEqual(['inclusive', 'inclusive']);
});

test('two mails that only forward each other’s text do not hide both', () => {
  const first = written(0, null, 'We shall pay.', { quoting: 'none' });
  const forward = written(1, first, '', { quoting: 'marks' });
  const again = { ...forward, id: 'mail-2@contoso.com' };
  expect(rolesOf([forward, again]).filter((role) => role.startsWith('inclusive')).length).toBeGreaterThan(0);
});

test('a mail without any text is read', () => {
  const first = written(0, null, '', { quoting: 'none', attachments: ['c'.repeat(64)] });
  expect(rolesOf([first, written(1, first, 'Thanks.', { quoting: 'marks', attachments: ['c'.repeat(64)] })])[0]).toBe('inclusive');
});
