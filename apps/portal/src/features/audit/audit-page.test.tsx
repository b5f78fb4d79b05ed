import { screen, within } from '@testing-library/react';
import { audit } from '@holdfast/contract/audit';
import type { ResponseOf } from '@holdfast/contract/route';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, onePage } from '../../testing/samples.ts';
import AuditPage from './audit-page.tsx';

const base = '/configuration/audit-log';
const pattern = `${base}/*`;

type Event = ResponseOf<typeof audit.list>['items'][number];

const anEvent = (sequence: number): Event => ({
  sequence,
  at: now,
  event: 'identity.sign-in',
  outcome: 'succeeded',
  actor: `person${sequence}@contoso.example`,
  actorId: null,
  realm: null,
  address: null,
  requestId: null,
  subjectKind: null,
  subjectId: null,
  subjectName: null,
  reason: null,
  details: {},
  leafHash: 'abc',
});

/** Two events; the page is asked for one of them by its number, or for all. */
function theApi(asked: URLSearchParams[] = []): FakeApi {
  return aSignedInApi()
    .on(audit.verification, { last: null })
    .on(audit.list, ({ query }) => {
      asked.push(query);
      const wanted = query.get('sequence');
      return onePage([anEvent(1), anEvent(2)].filter(({ sequence }) => wanted === null || String(sequence) === wanted));
    });
}

test('an event has an address of its own', async () => {
  const page = await renderPage(<AuditPage />, { path: base, pattern, api: theApi() });
  const [first] = await screen.findAllByRole('button', { name: 'Sign-in' });
  if (first) await page.user.click(first);
  expect(page.address()).toBe(`${base}/1`);
  expect(within(await screen.findByRole('dialog')).getByText('person1@contoso.example')).toBeTruthy();
  await page.checkAccessibility();
});

test('an event that is not there, or no number, is said', async () => {
  for (const unknown of ['77', 'first']) {
    const page = await renderPage(<AuditPage />, { path: `${base}/${unknown}`, pattern, api: theApi() });
    expect(await screen.findByText('This does not exist, or not any more.')).toBeTruthy();
    page.unmount();
  }
});

test('the days stand in the address, and nonsense there is ignored', async () => {
  const asked: URLSearchParams[] = [];
  await renderPage(<AuditPage />, { path: `${base}?from=2026-11-01&to=tomorrow`, pattern, api: theApi(asked) });
  await screen.findAllByRole('button', { name: 'Sign-in' });
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2026-11-01');
  expect(asked[0]?.get('from')).toBe(new Date('2026-11-01T00:00').toISOString());
  expect(asked[0]?.get('to')).toBeNull();
});

test.each([
  [
    'en',
    [
      ['Role', 'Administrator'],
      ['Disabled', 'No'],
      ['Comes into force', '21 Nov 2026, 09:30'],
      ['Access to', 'Portal, Staging'],
    ],
  ],
  [
    'de',
    [
      ['Rolle', 'Administrator'],
      ['Deaktiviert', 'Nein'],
      ['Tritt in Kraft', '21.11.2026, 09:30'],
      ['Zugriff auf', 'Portal, Staging'],
    ],
  ],
] as const)(
  'what an event tells besides is in the words of the reader, and as it is where there are none: %s',
  async (language, wanted) => {
    const details = {
      role: 'administrator',
      disabled: false,
      effectiveAt: '2026-11-21T09:30:00.000',
      audiences: ['main', 'staging'],
      before: null,
      sequence: 12_345,
      route: '/api/:tenantId/jobs',
      colour: 'blue',
    };
    const api = aSignedInApi()
      .on(audit.verification, { last: null })
      .on(audit.list, onePage([{ ...anEvent(1), details }]));
    await renderPage(<AuditPage />, { path: `${base}/1`, pattern, api, language });
    await screen.findByText('colour');
    const drawer = screen.getByRole('dialog');
    const isGerman = language === 'de';
    const all = [
      ...wanted,
      [isGerman ? 'Vorher' : 'Before', '–'],
      [isGerman ? 'Wiederherstellungspunkt' : 'Restore point', isGerman ? '12.345' : '12,345'],
      [isGerman ? 'Pfad' : 'Path', '/api/:tenantId/jobs'],
      ['colour', 'blue'],
    ] as const;
    for (const [name, value] of all) expect(within(drawer).getByText(name).nextElementSibling?.textContent).toBe(value);
  },
);

test('a link to the events of one kind shows them alone, in its days, until that is lifted', async () => {
  const asked: URLSearchParams[] = [];
  const page = await renderPage(<AuditPage />, {
    path: `${base}?event=content.opened&from=2026-10-01&to=2026-10-31`,
    pattern,
    api: theApi(asked),
  });
  expect(await screen.findByText('Only events of this kind: Content opened.')).toBeTruthy();
  await expect
    .poll(() => asked.map((query) => [query.get('event'), query.has('from'), query.has('to')]))
    .toContainEqual(['content.opened', true, true]);
  await page.user.click(screen.getByRole('button', { name: 'Show all' }));
  await expect.poll(() => asked.some((query) => !query.has('event') && query.has('from'))).toBe(true);
});
