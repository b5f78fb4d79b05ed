import { act, screen, waitFor } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import type { Candidate } from '@holdfast/contract/discovery';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import type { Workload } from '@holdfast/contract/values';
import { SourcePicker } from './source-picker.tsx';

const many = 50_000;

function person(number: number): Candidate {
  const digits = String(number).padStart(5, '0');
  return {
    id: `id-${digits}`,
    name: `Person ${digits}`,
    address: `p${digits}@contoso.example`,
    kind: 'user',
    protection: 'unprotected',
    lastPointAt: null,
  };
}

/** A directory that is never sent as a whole: pages and searches, as the server gives them. */
function aLargeDirectory(): FakeApi {
  return aSignedInApi().on(discovery.users, ({ query }) => {
    const search = query.get('search') ?? '';
    const from = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit'));
    const numbers =
      search === '' ? null : Array.from({ length: many }, (_, at) => at).filter((at) => person(at).address.includes(search.toLowerCase()));
    const total = numbers?.length ?? many;
    const count = Math.max(0, Math.min(limit, total - from));
    const items = Array.from({ length: count }, (_, at) => person(numbers?.[from + at] ?? from + at));
    return { items, total, nextCursor: from + count < total ? String(from + count) : null };
  });
}

function Chooser({ workload }: { readonly workload?: Workload }): ReactElement {
  const form = useForm<{ users: { readonly id: string }[] }>({ defaultValues: { users: [] } });
  const chosen = useWatch({ control: form.control, name: 'users' });
  return (
    <FormProvider {...form}>
      <SourcePicker
        name="users"
        kind="users"
        tenantId={sampleIds.tenant}
        locationId={sampleIds.location}
        label="Users"
        {...(workload ? { workload } : {})}
      />
      <output>{chosen.map(({ id }) => id).join(' ')}</output>
    </FormProvider>
  );
}

const open = async (api: FakeApi): Promise<RenderedPage> => await renderPage(<Chooser />, { api });
const asked = (api: FakeApi): string[] => api.calls.filter((call) => call.includes('/users'));
const chosenIds = (): string => document.querySelector('output')?.textContent ?? '';

test('of 50,000 people only those in sight are in the document, and more are fetched when the end of the loaded ones comes near', async () => {
  const api = aLargeDirectory();
  const page = await open(api);
  const list = await screen.findByRole('grid', { name: 'Users' });
  expect(list.getAttribute('aria-rowcount')).toBe('50000');
  expect(screen.getAllByRole('row').length).toBeLessThan(150);
  expect(asked(api).every((call) => !call.includes('cursor='))).toBe(true);
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('{End}');
  await waitFor(() => expect(asked(api).at(-1)).toContain('cursor=200'));
  expect(screen.getAllByRole('row').length).toBeLessThan(150);
  await page.checkAccessibility();
});

test.each(['exchange', 'onedrive'] as const)('guests, who have no mailbox or OneDrive here, are not offered for %s', async (workload) => {
  const api = aLargeDirectory();
  await renderPage(<Chooser workload={workload} />, { api });
  await screen.findByRole('grid', { name: 'Users' });
  expect(asked(api).every((call) => call.includes('guests=false'))).toBe(true);
});

test('guests are offered for Teams, where they take part', async () => {
  const api = aLargeDirectory();
  await renderPage(<Chooser workload="teams" />, { api });
  await screen.findByRole('grid', { name: 'Users' });
  expect(asked(api).some((call) => call.includes('guests'))).toBe(false);
});

test('the arrows move, Space chooses and takes back, and one row alone is reached by Tab', async () => {
  const page = await open(aLargeDirectory());
  await screen.findByRole('grid', { name: 'Users' });
  screen.getAllByRole('row')[0]?.focus();
  await page.user.keyboard('{ArrowDown}{ArrowDown} ');
  expect(chosenIds()).toBe('id-00002');
  expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('3');
  await page.user.keyboard('{ArrowUp}{Enter}{Home} ');
  expect(chosenIds()).toBe('id-00002 id-00001 id-00000');
  await page.user.keyboard(' ');
  expect(chosenIds()).toBe('id-00002 id-00001');
  const rows = screen.getAllByRole('row');
  expect(rows.filter((row) => row.tabIndex === 0)).toHaveLength(1);
  expect(screen.getAllByRole('checkbox').filter((box) => box.tabIndex === 0)).toHaveLength(1);
});

test('a search is made by the server over all of them, and finds the last one', async () => {
  const api = aLargeDirectory();
  const page = await open(api);
  await page.user.type(await screen.findByRole('searchbox', { name: 'Users' }), 'p49999');
  act(() => page.clock.advance(400));
  await page.user.click(await screen.findByRole('checkbox', { name: /Person 49999/ }));
  expect(chosenIds()).toBe('id-49999');
  expect(asked(api).at(-1)).toContain('search=p49999');
});

test('several are added by their addresses; who is chosen already is refused in the words of the specification', async () => {
  const page = await open(aLargeDirectory());
  const field = await screen.findByRole('textbox', { name: 'Add by address' });
  await page.user.type(field, 'p12345@contoso.example, P40000@Contoso.example{Enter}');
  await waitFor(() => expect(chosenIds()).toBe('id-12345 id-40000'));
  await page.user.type(field, 'p40000@contoso.example{Enter}');
  expect(await screen.findByText('Already selected.')).toBeTruthy();
  expect(chosenIds()).toBe('id-12345 id-40000');
  await page.user.type(field, 'nobody@contoso.example{Enter}');
  expect(await screen.findByText('Nothing in the directory has this address.')).toBeTruthy();
});
