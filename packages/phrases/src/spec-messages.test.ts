import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

/** What the specification lets users read, letter for letter: sections 2, 4, 5, 8 and 9. */
const messages = [
  'Something went wrong. Try clicking the refresh page button to reload the application.',
  'Go To Homepage',
  'No Tenant was found in the Configuration. Please configure one.',
  'There was a network error. HTTP response status code indicating that a server is temporarily unable to handle the request.',
  'Invalid request',
  'Unauthorized',
  'Access denied',
  'Resource not found',
  'Internal server error',
  'An error occurred. Please try again later!',
  'Unknown error',
  'Failed to retrieve data.',
  'Invalid Credentials.',
  'Invalid User Verification Code. Attempts: {{count}}',
  'Login verification failed!',
  'Requested URL is not valid.',
  'This service is not available right now.',
  'Failed to retrieve Teams',
  'Failed to retrieve Channels',
  'Failed to retrieve folder content',
  'Failed to retrieve Site content',
  'Failed to create a job',
  'Failed to update a job',
  'Failed to delete a job',
  'Failed to start a job',
  'Failed to stop a job',
  'Failed to synchronize Users',
  'Failed to switch a Tenant',
  'Failed to delete a Tenant',
  'Failed to deprovision a Tenant',
  'Failed to update a Tenant',
  'Failed to create a Tenant',
  'Failed to update a Location',
  'Failed to create a Location',
  'Failed to delete a Tenant Location',
  'Failed to send verification link',
  'Failed to reset password!',
  'Could not update Configuration',
  'Teams is not configured yet',
  'Your password is invalid. Requires special characters and 6 lengths.',
  'Minimum 6 characters',
  'A Site with the same URL already exists!',
  'The job will start in a few moments.',
  'You have been inactive for 14 minutes and 30 seconds. You will be logged off in 30 seconds if there is no activity.',
] as const;

function textsOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  return new Map(Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => [...textsOf(inner, `${path}/${key}`)]));
}

const english = textsOf(en);
const german = textsOf(de);

test.each(messages)('the specification says "%s", and so do the phrases, in German too', (message) => {
  const places = [...english].filter(([, text]) => text === message).map(([place]) => place);
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(german.get(place), place).toMatch(/\S/);
});

test("the message about the configuration is the specification's sentence", () => {
  expect(en.failures.retrieveConfiguration).toContain("Couldn't retrieve configuration");
});

test('German adds the temporary server error that asks to retry in 30 seconds', () => {
  expect(de.failures.temporary).toContain('in 30 Sekunden');
});

test('a translation keeps the gaps of its original', () => {
  const gaps = (text: string): string =>
    [...text.matchAll(/\{\{(\w+)\}\}/g)]
      .map((match) => match[1])
      .sort((one, other) => (one ?? '').localeCompare(other ?? ''))
      .join();
  for (const [place, text] of english) expect(gaps(german.get(place) ?? ''), place).toBe(gaps(text));
});

test('German is formal and uses its own quotation marks', () => {
  for (const [place, text] of german) {
    expect(text, place).not.toMatch(/\b[Dd](?:u|ein|eine|einen|ir|ich)\b/);
    expect(text, place).not.toMatch(/(?:^|\s)"/);
  }
});
