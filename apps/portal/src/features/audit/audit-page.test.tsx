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
    .on(audit.verification, { last: null, timestamps: null })
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
    expect(await screen.findByText('This no longer exists.')).toBeTruthy();
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
      .on(audit.verification, { last: null, timestamps: null })
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

test.each([
  [
    'en',
    'Time-stamped by Time of Proseware on 21 Nov 2026, 09:30: the first 1,200 events existed by then.',
    'Since 22 Nov 2026 there has been no time stamp. Last attempt on 23 Nov 2026, 10:00: The authority answered with status 503. Check HOLDFAST_TIMESTAMP_URL. The next follows an hour later.',
  ],
  [
    'de',
    'Zeitstempel von Time of Proseware am 21.11.2026, 09:30: Die ersten 1.200 Ereignisse gab es zu dieser Zeit.',
    'Seit dem 22.11.2026 gibt es keinen Zeitstempel. Letzter Versuch am 23.11.2026, 10:00: Die Stelle antwortete mit dem Status 503. Prüfen Sie HOLDFAST_TIMESTAMP_URL. Der nächste folgt nach einer Stunde.',
  ],
] as const)('what an authority attests is shown, and since when it attests nothing: %s', async (language, stamped, missing) => {
  const timestamps = {
    last: { at: '2026-11-21T09:30:00.000', authority: 'Time of Proseware', events: 1_200 },
    missing: { day: '2026-11-22', triedAt: '2026-11-23T10:00:00.000', reason: 'status', detail: '503' },
  } as const;
  const api = aSignedInApi().on(audit.verification, { last: null, timestamps }).on(audit.list, onePage([]));
  const page = await renderPage(<AuditPage />, { path: base, pattern, api, language });
  expect(await screen.findByText(stamped)).toBeTruthy();
  expect(screen.getByText(missing)).toBeTruthy();
  await page.checkAccessibility();
});

test('a log that is not stamped says nothing of stamps', async () => {
  await renderPage(<AuditPage />, { path: base, pattern, api: theApi() });
  await screen.findAllByRole('button', { name: 'Sign-in' });
  expect(screen.queryByText(/stamp/iu)).toBeNull();
});

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
