import { expect, test } from 'vitest';
import { at, owner } from '../period-reports/testing/sample-report.ts';
import { erasureLetter } from './erasure-letter.ts';
import { erasedPerson } from './testing/sample-papers.ts';

test('the letter says whether mentions in what others have were erased, and how many', () => {
  const said = (erasure = erasedPerson): string => JSON.stringify(erasureLetter({ owner, at, erasure }, 'en'));
  const unchanged = 'This erasure does not change the mailboxes and files of others.';
  expect(said()).toContain(unchanged);
  const mailboxes = erasedPerson.mailboxes.map((place, index) => ({ ...place, isMention: index > 0 }));
  const both = said({ ...erasedPerson, mailboxes });
  expect(both).toContain('We also erased 21 messages and files of others that mention you.');
  expect(both).not.toContain(unchanged);
});
