import { screen, waitFor, within } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../../../testing/render-page.tsx';
import { aJob, aLocation, onePage, sampleIds } from '../../../testing/samples.ts';
import BackupJobsPage from '../jobs-page.tsx';

const base = '/backup-and-restore/backup-jobs';

function theApi(): FakeApi {
  return aSignedInApi()
    .on(jobs.list, onePage([]))
    .on(locations.list, { items: [aLocation()] })
    .on(
      discovery.users,
      onePage([
        { id: 'adele', name: 'Adele Vance', address: 'adele@contoso.example', kind: 'user', protection: 'unprotected', lastPointAt: null },
      ]),
    )
    .on(jobs.preview, {
      resources: 25,
      estimatedBytes: 42_949_672_960,
      alreadyProtected: 3,
      pointsToDelete: null,
      pointsHeld: null,
      runs: ['2026-11-21T21:00:00.000Z', '2026-11-22T21:00:00.000Z', '2026-11-23T21:00:00.000Z', '2026-11-24T21:00:00.000Z'],
    })
    .on(jobs.create, aJob())
    .on(jobs.get, aJob());
}

const open = async (api: FakeApi, options: Partial<RenderOptions> = {}): Promise<RenderedPage> =>
  await renderPage(<BackupJobsPage />, { path: `${base}/new`, pattern: `${base}/*`, api, ...options });

const next = async ({ user }: RenderedPage): Promise<void> => await user.click(screen.getByRole('button', { name: 'Next' }));
const current = (): string => document.querySelector('[aria-current="step"]')?.textContent ?? '';

async function nameIt(page: RenderedPage, name = 'Mail of everyone'): Promise<void> {
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), name);
  await next(page);
}

/** Chooses the only location. */
async function chooseTarget(page: RenderedPage): Promise<void> {
  await page.user.click(await screen.findByRole('combobox', { name: /Location/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Vault on this machine' }));
  await next(page);
}

const bodyOf = (api: FakeApi): unknown => api.bodies.findLast((body) => (body as { type?: string }).type === 'backup');

test('five steps lead to a job for everyone, every night, with what it covers and its next three runs', async () => {
  const api = theApi();
  const page = await open(api);
  await nameIt(page);
  expect(current()).toContain('Sources');
  await page.checkAccessibility();
  await next(page);
  await chooseTarget(page);
  expect(current()).toContain('Schedule');
  await page.checkAccessibility();
  await next(page);
  expect(await screen.findByText('Protects 25 users, about 40 GB.')).toBeTruthy();
  expect(screen.getAllByText(/2026, \d\d:00$/)).toHaveLength(3);
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Create job' }));
  expect(await screen.findByText('Job created.')).toBeTruthy();
  expect(bodyOf(api)).toMatchObject({
    name: 'Mail of everyone',
    locationId: sampleIds.location,
    schedule: { mode: 'daily', time: '22:00' },
  });
  expect(page.address()).toBe(base);
});

test('a backup is offered the locations for backups alone, a verification all of them', async () => {
  const api = theApi().on(locations.list, {
    items: [aLocation(), aLocation({ locationId: sampleIds.run, name: 'Only for archives', use: 'archive' })],
  });
  const offered = async (kind: string): Promise<readonly (string | null)[]> => {
    const page = await open(api);
    await page.user.click(await screen.findByRole('radio', { name: kind }));
    await nameIt(page);
    if (current().includes('Sources')) await next(page);
    await page.user.click(await screen.findByRole('combobox', { name: /Location/ }));
    const names = screen.getAllByRole('option').map((option) => option.textContent);
    page.unmount();
    return names;
  };
  expect(await offered('Backup')).toEqual(['Vault on this machine']);
  expect(await offered('Verification')).toEqual(['Vault on this machine', 'Only for archives']);
});

test.each([
  ['', 'Please enter a name.'],
  ['abc', 'Minimum 4 characters'],
  ['Mail & more', 'Special characters are not allowed.'],
])('the name "%s" is refused in the words of the specification, and Next does not go on', async (name, words) => {
  const page = await open(theApi());
  const field = await screen.findByRole('textbox', { name: /Job name/ });
  if (name !== '') await page.user.type(field, name);
  await next(page);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(current()).toContain('Job');
  expect(document.activeElement).toBe(field);
});

test('who is chosen becomes a tag, is chosen once, and without anybody the step does not end', async () => {
  const api = theApi();
  const page = await open(api);
  await nameIt(page);
  await page.user.click(await screen.findByRole('radio', { name: 'Only those chosen here' }));
  await next(page);
  expect(await screen.findByText('Please select users.')).toBeTruthy();
  await page.user.click(await screen.findByRole('checkbox', { name: 'Adele Vance (adele@contoso.example)' }));
  expect(screen.getByText('1 chosen')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: /Remove Adele Vance|Adele Vance/ }));
  expect(screen.queryByText('1 chosen')).toBeNull();
});

test('a site is added by its address, once; a double is refused in the words of the specification', async () => {
  const sales = {
    id: 'sales',
    name: 'Sales',
    address: 'https://contoso.example/sites/sales',
    kind: 'site' as const,
    protection: 'unprotected' as const,
    lastPointAt: null,
  };
  const api = theApi().on(discovery.sites, onePage([sales, { ...sales, id: 'other', name: 'Sales 2', address: `${sales.address}-2` }]));
  const page = await open(api);
  await page.user.click(await screen.findByRole('radio', { name: 'SharePoint' }));
  await nameIt(page, 'Sites of some');
  await page.user.click(await screen.findByRole('radio', { name: 'Only those chosen here' }));
  const address = await screen.findByRole('textbox', { name: 'Add a site by its address' });
  await page.user.type(address, 'https://contoso.example/sites/Sales/{Enter}');
  expect(await screen.findByText('1 chosen')).toBeTruthy();
  await page.user.type(address, 'https://contoso.example/sites/sales{Enter}');
  expect(await screen.findByText('A Site with the same URL already exists!')).toBeTruthy();
  await page.user.type(address, 'https://contoso.example/sites/nowhere, not an address{Enter}');
  expect(await screen.findByText('Nothing in the directory has this address. Requested URL is not valid.')).toBeTruthy();
  expect(screen.getByText('1 chosen')).toBeTruthy();
  await page.checkAccessibility();
});

test('a time that is none, and an interval out of its bounds, are refused in place', async () => {
  const page = await open(theApi());
  await nameIt(page);
  await next(page);
  await chooseTarget(page);
  const time = await screen.findByRole('textbox', { name: /Time/ });
  await page.user.clear(time);
  await next(page);
  expect(await screen.findByText('Please enter a time.')).toBeTruthy();
  await page.user.type(time, '25:99');
  await next(page);
  expect(await screen.findByText('The time must be HH:MM.')).toBeTruthy();
  await page.user.click(screen.getByRole('radio', { name: 'Every N minutes' }));
  const minutes = await screen.findByRole('spinbutton', { name: /Minutes/ });
  await page.user.clear(minutes);
  await page.user.type(minutes, '10');
  expect(await screen.findByText('Below 15 minutes Microsoft may slow the requests down.')).toBeTruthy();
});

test('a fault that Next has found goes while its field is mended, not when it is left', async () => {
  const page = await open(theApi());
  await screen.findByRole('textbox', { name: /Job name/ });
  await next(page);
  expect(await screen.findByText('Please enter a name.')).toBeTruthy();
  await page.user.type(screen.getByRole('textbox', { name: /Job name/ }), 'Mail');
  await waitFor(() => expect(screen.queryByText(/Please enter a name|Minimum/)).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Job name/ }));
});

test('going back loses nothing, and a reload of the tab neither', async () => {
  const page = await open(theApi());
  await nameIt(page, 'Mail of some');
  await page.user.click(await screen.findByRole('radio', { name: 'Only those chosen here' }));
  await page.user.click(screen.getByRole('button', { name: 'Back' }));
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /Job name/ })).value).toBe('Mail of some');
  const kept = sessionStorage.getItem(Object.keys(sessionStorage).find((key) => key.startsWith('holdfast.draft.')) ?? '');
  expect(JSON.parse(kept ?? '{}')).toMatchObject({ name: 'Mail of some', coverage: 'chosen' });
});

test('leaving asks before entries are lost', async () => {
  const page = await open(theApi());
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), 'Mail');
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Discard changes?')).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(page.address()).toBe(`${base}/new`);
});

test('a change is asked for with the date from which it applies', async () => {
  const api = theApi().on(jobs.update, aJob());
  const page = await open(api, { path: `${base}/${sampleIds.job}/edit` });
  const name = await screen.findByRole('textbox', { name: /Job name/ });
  await page.user.type(name, ' too');
  for (let step = 0; step < 4; step += 1) await next(page);
  await page.user.click(await screen.findByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/They apply from the next run \(21 Nov 2026/)).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Job updated.')).toBeTruthy();
});

test('a job whose only date has passed can be given another name', async () => {
  const saved = aJob({ schedule: { mode: 'date', date: '2020-01-02', time: '22:00', timeZone: 'UTC' }, nextRun: null });
  const api = theApi().on(jobs.get, saved).on(jobs.update, saved);
  const page = await open(api, { path: `${base}/${sampleIds.job}/edit` });
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), ' again');
  for (let step = 0; step < 4; step += 1) await next(page);
  await page.user.click(await screen.findByRole('button', { name: 'Save' }));
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Job updated.')).toBeTruthy();
  expect(bodyOf(api)).toMatchObject({ name: 'Mail every night again', schedule: { mode: 'date', date: '2020-01-02' } });
});

test('a fault is told when its field is left, and goes when it is mended', async () => {
  const page = await open(theApi());
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), 'abc');
  await page.user.tab();
  expect(await screen.findByText('Minimum 4 characters')).toBeTruthy();
  await page.user.type(screen.getByRole('textbox', { name: /Job name/ }), 'd');
  await waitFor(() => expect(screen.queryByText('Minimum 4 characters')).toBeNull());
});

test('a job of sites without one says so where sites are chosen', async () => {
  const page = await open(theApi().on(discovery.sites, onePage([])));
  await page.user.click(await screen.findByRole('radio', { name: 'SharePoint' }));
  await nameIt(page, 'Sites of some');
  await page.user.click(await screen.findByRole('radio', { name: 'Only those chosen here' }));
  await next(page);
  expect(await screen.findByText('Please select sites.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Sites' }));
});

test('a name that the server refuses leads back to its field', async () => {
  const taken = 'A job with this name already exists.';
  const api = theApi().fail(jobs.create, 409, { code: 'jobs.name-taken', message: taken, errors: { name: [taken] } });
  const page = await open(api);
  await nameIt(page);
  await next(page);
  await chooseTarget(page);
  await next(page);
  await page.user.click(await screen.findByRole('button', { name: 'Create job' }));
  const field = await screen.findByRole('textbox', { name: /Job name/ });
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('the summary says every choice, and who is left out', async () => {
  const page = await open(theApi());
  await nameIt(page);
  await page.user.click(await screen.findByRole('button', { name: 'Included content' }));
  await page.user.click(await screen.findByRole('checkbox', { name: 'Junk e-mail' }));
  await page.user.type(screen.getByRole('textbox', { name: 'Not these folders' }), 'Inbox/Old{Enter}');
  await page.user.click(await screen.findByRole('checkbox', { name: 'Adele Vance (adele@contoso.example)' }));
  await page.checkAccessibility();
  await next(page);
  await chooseTarget(page);
  await next(page);
  expect(await screen.findByText('Deleted items, Calendars, Contacts, Tasks')).toBeTruthy();
  expect(screen.getByText('Inbox/Old')).toBeTruthy();
  expect(screen.getByText('Adele Vance')).toBeTruthy();
});

test('groups are left out like users, each once, and the summary names both', async () => {
  const guests = { id: 'guests', name: 'Guests', address: 'guests@contoso.example', protection: 'unprotected', lastPointAt: null } as const;
  const api = theApi().on(discovery.groups, onePage([{ ...guests, kind: 'group' as const }]));
  const page = await open(api);
  await nameIt(page);
  await page.user.click(await screen.findByRole('button', { name: 'Included content' }));
  const left = within(await screen.findByRole('group', { name: 'Excluded' }));
  await page.user.click(await left.findByRole('checkbox', { name: 'Adele Vance (adele@contoso.example)' }));
  await page.user.click(left.getByRole('tab', { name: 'Groups' }));
  await page.user.click(await left.findByRole('checkbox', { name: 'Guests (guests@contoso.example)' }));
  expect(left.getByText('2 chosen')).toBeTruthy();
  await page.user.type(left.getByRole('textbox', { name: 'Add by address' }), 'guests@contoso.example{Enter}');
  expect(await left.findByText('Already selected.')).toBeTruthy();
  await page.checkAccessibility();
  await next(page);
  await chooseTarget(page);
  await next(page);
  expect(await screen.findByText('Adele Vance, Guests')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Create job' }));
  await screen.findByText('Job created.');
  expect(bodyOf(api)).toMatchObject({ source: { everyone: true, excluded: [{ id: 'adele' }, { id: 'guests' }] } });
});

test('entries that were given up do not come back', async () => {
  const page = await open(theApi());
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), 'Mail');
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(page.address()).toBe(base));
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('holdfast.draft.'))).toEqual([]);
});

test('a change of a job without a next run says so without a date', async () => {
  const api = theApi().on(jobs.get, aJob({ schedule: { mode: 'disabled' }, nextRun: null }));
  const page = await open(api, { path: `${base}/${sampleIds.job}/edit` });
  await page.user.type(await screen.findByRole('textbox', { name: /Job name/ }), ' too');
  for (let step = 0; step < 4; step += 1) await next(page);
  await page.user.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('They apply from the next run.')).toBeTruthy();
});
