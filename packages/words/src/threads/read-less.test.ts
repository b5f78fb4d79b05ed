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

const SIGNATURE = '-- \nContoso Berlin\n+49 30 123';
const FOOTER = '_______________________________________________\nOffers mailing list';

test('A32: nobody quotes a signature: a mail is not read whose signature stands below the answer that repeats all else', () => {
  const first = written(0, null, `The offer stands.\nUntil Monday.\n\n${SIGNATURE}`, { quoting: 'none' });
  const quoted = '> The offer stands.\n> Until Monday.\n\nSold.';
  const answer = { ...written(1, first, '', { quoting: 'none' }), text: `${quoted}\n\n${SIGNATURE}` };
  expect(rolesOf([first, answer])).toEqual(['none', 'inclusive']);
  expect(rolesOf([first, { ...answer, text: quoted }])).toEqual(['inclusive', 'inclusive']);
  expect(rolesOf([first, { ...answer, text: `${quoted}\n\n${SIGNATURE.replace('123', '124')}` }])).toEqual(['inclusive', 'inclusive']);
});

test('A32: a mail that says nothing above its signature is read', () => {
  const first = written(0, null, SIGNATURE, { quoting: 'none' });
  expect(rolesOf([first, written(1, first, `Who?\n\n${SIGNATURE}`, { quoting: 'none' })])[0]).toBe('inclusive');
});

test('A32: the same mail with the footer of its list is read alone; without the ID it is another mail', () => {
  const direct = written(0, null, 'The offer stands.', { quoting: 'none' });
  const listed = { ...direct, text: `${direct.text}\n\n${FOOTER}` };
  expect(rolesOf([direct, listed])).toEqual(['copy', 'inclusive']);
  expect(rolesOf([listed, direct])).toEqual(['inclusive', 'copy']);
  expect(rolesOf([{ ...direct, attachments: ['c'.repeat(64)] }, listed])).toEqual(['inclusive', 'inclusive']);
  expect(rolesOf([direct, { ...listed, id: 'other@contoso.com', answers: direct }])).toEqual(['inclusive', 'inclusive']);
});

test('A32: whichever sentence is taken from the mail that is read, the one that it hid is read again', () => {
  const words = fc.uniqueArray(fc.constantFrom('We', 'pay', 'sign', 'Falcon', 'never', 'sell', 'ask', 'Berlin'), {
    minLength: 2,
    maxLength: 6,
  });
  const given = fc.record({ words, at: fc.nat(), quoting: fc.constantFrom('marks', 'outlook', 'gmail'), isSigned: fc.boolean() });
  let kinds = 0;
  fc.assert(
    fc.property(given, ({ words: own, at, quoting, isSigned }) => {
      const lines = own.map((word) => `${word} it is.`);
      const first = written(0, null, `${lines.join('\n')}${isSigned ? `\n\n${SIGNATURE}` : ''}`, { quoting: 'none' });
      const answer = written(1, first, 'Fine.', { quoting });
      expect(rolesOf([first, answer])).toEqual(['none', 'inclusive']);
      const gone = [...lines, ...(isSigned ? ['Contoso Berlin', '+49 30 123'] : [])].at(at % (lines.length + (isSigned ? 2 : 0))) ?? '';
      const without = answer.text.replace(gone, '');
      expect(without).not.toBe(answer.text);
      expect(rolesOf([first, { ...answer, text: without }])[0]).toBe('inclusive');
      kinds += 1;
    }),
    { numRuns: 300 },
  );
  expect(kinds).toBe(300);
});
