import { en } from '@holdfast/phrases/en';
import { expect, test } from 'vitest';
import type { Translate } from '../i18n/phrase-key.ts';
import type { Toasts } from '../toasts/toast.ts';
import { ApiError } from './api-error.ts';
import type { Failure } from './api-error.ts';
import { announceFailure, messageOf, shownFor } from './failures.ts';

const text: Translate = (key, values = {}) => {
  const [section = '', ...rest] = key.split('.');
  const words = (en as unknown as Record<string, Record<string, string>>)[section]?.[rest.join('.')] ?? key;
  return Object.entries(values).reduce((sentence, [name, value]) => sentence.replaceAll(`{{${name}}}`, String(value)), words);
};
const words = { text, language: 'en' };
const loud = { quiet: false, background: false, download: false };
const failed = (given: Partial<Failure>): ApiError => new ApiError({ kind: 'answer', status: 500, legacy: false, path: '/x', ...given });

test.each([
  [failed({ status: 404 }), 'warning', 'No Tenant was found in the Configuration. Please configure one.'],
  [
    failed({ status: 404, problem: { code: 'restore.point-unknown', message: 'No such point', errors: { 'restore.sequence': ['x'] } } }),
    'error',
    'No such point',
  ],
  [failed({ kind: 'network', status: 0 }), 'warning', en.failures.network],
  [failed({ status: 400, problem: { message: 'Bad name' } }), 'error', 'Bad name'],
  [failed({ status: 400, problem: { title: 'Only a title' } }), 'error', 'Only a title'],
  [failed({ status: 409, problem: { message: 'The job has already been started.' } }), 'error', 'The job has already been started.'],
  [failed({ status: 403, problem: { code: 'access-denied', message: 'x' } }), 'error', 'Access denied'],
  [failed({ status: 429, retryAfterSeconds: 7 }), 'warning', 'Too many requests. Please try again in 7 seconds.'],
  [failed({ status: 503 }), 'error', 'Temporary server error. Please try again in 30 seconds.'],
  [
    failed({ status: 503, problem: { code: 'service.unavailable', message: 'This service is not available right now.' } }),
    'error',
    'This service is not available right now.',
  ],
  [failed({ status: 502, problem: { title: 'Only a title' } }), 'error', 'Only a title'],
  [
    failed({ status: 500, problem: { message: 'Could not update Configuration', requestId: 'r2' } }),
    'error',
    'Could not update Configuration (request id r2)',
  ],
  [failed({ status: 500, problem: { requestId: 'r1' } }), 'error', 'Internal server error (request id r1)'],
  [failed({ status: 401, legacy: true, problem: { message: 'Invalid Credentials.' } }), 'error', 'Invalid Credentials.'],
] as const)('%o is shown as a %s', (error, kind, sentence) => {
  expect(shownFor(error, loud, words)).toMatchObject({ kind, text: sentence });
});

test('what was not reached is said in words, not by the number of an answer that there is not', () => {
  expect(messageOf(failed({ kind: 'network', status: 0 }), text, 'en')).toBe(en.failures.network);
});

test('the disable-toast flag suppresses what belongs to the page, not the network', () => {
  const quiet = { ...loud, quiet: true };
  expect(shownFor(failed({ status: 404 }), quiet, words)).toBeNull();
  expect(shownFor(failed({ status: 400 }), quiet, words)).toBeNull();
  expect(shownFor(failed({ kind: 'network', status: 0 }), quiet, words)).toMatchObject({ kind: 'warning' });
});

test('background reads never raise a toast', () => {
  expect(shownFor(failed({ kind: 'network', status: 0 }), { ...loud, background: true }, words)).toBeNull();
});

test('a 401 of main is left to the sign-in page, a 412 to the dialog of two states', () => {
  expect(shownFor(failed({ status: 401 }), loud, words)).toBeNull();
  expect(shownFor(failed({ status: 412 }), loud, words)).toBeNull();
});

test('a failed download says so', () => {
  expect(shownFor(failed({ status: 500 }), { ...loud, download: true }, words)?.text).toBe(
    'The download failed. Please contact your administrator.',
  );
});

test('on any failure all toasts are dismissed first; the network is announced once at a time', () => {
  const done: string[] = [];
  const shown = new Set<string>();
  const toasts: Toasts = {
    show: (_kind, sentence, options) => {
      done.push(`show ${sentence}`);
      if (options?.once !== undefined) shown.add(options.once);
    },
    dismissAll: () => void done.push('dismiss'),
    isShown: (once) => shown.has(once),
  };
  announceFailure({ kind: 'error', text: 'a' }, toasts);
  announceFailure({ kind: 'warning', text: 'n', once: 'network' }, toasts);
  announceFailure({ kind: 'warning', text: 'n', once: 'network' }, toasts);
  expect(done).toEqual(['dismiss', 'show a', 'dismiss', 'show n']);
});
