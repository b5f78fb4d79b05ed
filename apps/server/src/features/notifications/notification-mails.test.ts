import { expect, test } from 'vitest';
import { runMail } from './notification-mails.ts';

const run = { runId: 'r', jobName: 'Mail', tenantName: 'Contoso', status: 'failed', errors: 0, processed: 0 } as const;
const to = (language: 'en' | 'de') => ({ email: 'a@example.com', language });
const address = 'https://backup.example';

test('the reason is a sentence of the run, else of the API, else the code itself', () => {
  expect(runMail(to('en'), { ...run, code: 'vault.storage-full' }, address).text).toContain('- The location is full.');
  const refused = runMail(to('de'), { ...run, code: 'locations.path-refused' }, address).text;
  expect(refused).not.toContain('locations.path-refused');
  expect(runMail(to('en'), { ...run, code: 'other.thing' }, address).text).toContain('- other.thing');
  expect(runMail(to('en'), { ...run, code: null }, address).text).not.toContain('- ');
});
