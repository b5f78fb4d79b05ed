import { expect, test } from 'vitest';
import { groupThreads, plainSubject, type ThreadMail } from './group-threads.ts';
import { hashSentences } from './sentences.ts';

function mail(messageId: string | null, text: string, more: Partial<ThreadMail> = {}): ThreadMail {
  return { ...hashSentences(text), messageId, references: [], subject: 'Offer', sentMs: 0, attachments: [], ...more };
}

test('answers belong to what they name, also through a mail that is not there', () => {
  const mails = [
    mail('a', 'One.'),
    mail('b', 'Two.', { references: ['gone'] }),
    mail('c', 'Three.', { references: ['gone', 'a'] }),
    mail('d', 'Four.'),
  ];
  expect(groupThreads(mails)).toEqual([0, 0, 0, 3]);
});

test('an answer without references belongs to the mail that it quotes whole, under its subject', () => {
  const first = mail('a', 'Can we have an offer? By Monday.');
  const answer = mail('b', 'Yes.\n\n> Can we have an offer?\n> By Monday.', { subject: 'AW: Offer' });
  expect(groupThreads([first, answer])).toEqual([0, 0]);
  expect(groupThreads([first, { ...answer, subject: 'AW: Invoice' }])).toEqual([0, 1]);
});

test('a subject alone joins nothing', () => {
  expect(
    groupThreads([mail('a', 'Report of May.', { subject: 'Report' }), mail('b', 'Report of June.', { subject: 'Re: Report' })]),
  ).toEqual([0, 1]);
});

test('an answer that quotes only a part of a mail without naming it does not belong to it', () => {
  const first = mail('a', 'Can we have an offer? By Monday.');
  expect(groupThreads([first, mail('b', 'Yes.\n\n> Can we have an offer?', { subject: 'Re: Offer' })])).toEqual([0, 1]);
});

test('a subject is the same before and after any number of answers', () => {
  for (const subject of ['Re: Fwd: Offer', 'AW: WG: Offer', 'RE[2]: offer', '  Offer ']) expect(plainSubject(subject)).toBe('offer');
  expect(plainSubject('Rental: Offer')).toBe('rental: offer');
});
