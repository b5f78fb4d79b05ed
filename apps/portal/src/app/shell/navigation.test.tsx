import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { RenderOptions } from '../../testing/render-page.tsx';
import { Navigation } from './navigation.tsx';
import type { NavigationProps } from './navigation.tsx';

const still: NavigationProps = {
  isCollapsed: false,
  turnedGroups: [],
  onToggleGroup: () => undefined,
  onToggle: () => undefined,
  onNavigate: () => undefined,
};

async function open(path: string, given: Partial<NavigationProps> = {}, options: RenderOptions = {}) {
  const page = await renderPage(<Navigation {...still} {...given} />, { path, ...options });
  return { page, navigation: await screen.findByRole('navigation', { name: 'Navigation' }) };
}

const namesOf = (place: HTMLElement): readonly (string | null)[] =>
  within(place)
    .getAllByRole('link')
    .map((link) => link.textContent);

test('each kind of work is one entry, and the pages of the current one are listed below it', async () => {
  const { page, navigation } = await open('/backup-and-restore/backup-jobs/new');
  expect(namesOf(navigation)).toEqual([
    'Overview',
    'Restore',
    'People & sites',
    'Search',
    'Jobs',
    'Backup jobs',
    'On-demand backup',
    'Teams jobs',
    'Activity',
    'Reports',
    'Archive',
    'Compliance',
    'Configuration',
    'Help',
  ]);
  expect(within(navigation).getByRole('link', { name: 'Backup jobs' }).getAttribute('aria-current')).toBe('page');
  expect(within(navigation).getByRole('link', { name: 'Jobs' }).getAttribute('aria-current')).not.toBe('page');
  await page.checkAccessibility();
});

test('an entry opens its first page, and its arrow lists the others without leaving', async () => {
  const onToggleGroup = vi.fn();
  const { page, navigation } = await open('/', { onToggleGroup });
  await page.user.click(within(navigation).getByRole('button', { name: 'Pages of Archive' }));
  expect(onToggleGroup).toHaveBeenCalledWith('archive');
  expect(page.address()).toBe('/');
  expect(within(navigation).getByRole('link', { name: 'Archive' }).getAttribute('href')).toBe('/archive/dashboard');
});

test('what the reader unfolded stays so, and the current group can be folded', async () => {
  const { navigation } = await open('/archive/mailboxes', { turnedGroups: ['archive', 'help'] });
  expect(within(navigation).getByRole('button', { name: 'Pages of Archive' }).getAttribute('aria-expanded')).toBe('false');
  expect(within(navigation).getByRole('button', { name: 'Pages of Help' }).getAttribute('aria-expanded')).toBe('true');
});

test('folded to icons each entry keeps its name', async () => {
  const { page, navigation } = await open('/archive/mailboxes', { isCollapsed: true }, { language: 'de' });
  expect(within(navigation).getByRole('link', { name: 'Archiv' })).toBeTruthy();
  expect(within(navigation).getByRole('button', { name: 'Ausklappen' })).toBeTruthy();
  expect(within(navigation).queryByRole('link', { name: 'Postfächer' })).toBeNull();
  await page.checkAccessibility();
});

test('no two pages have one name in the list that a reader sees', async () => {
  const { navigation } = await open('/', { turnedGroups: ['reports', 'archive', 'compliance'] });
  const dashboards = namesOf(navigation).filter((name) => name?.toLowerCase().includes('dashboard'));
  expect(new Set(dashboards).size).toBe(dashboards.length);
  expect(dashboards).toHaveLength(4);
});

test('pages that a role may not open are not offered', async () => {
  const { navigation } = await open('/', { turnedGroups: ['configuration'] }, { role: 'reader' });
  expect(namesOf(navigation)).not.toContain('Audit log');
});

test('the second tab of a page marks the entry that leads to both', async () => {
  const { navigation } = await open('/configuration/locations');
  expect(within(navigation).getByRole('link', { name: 'Tenants and locations' }).getAttribute('aria-current')).toBe('page');
  expect(within(navigation).getByRole('button', { name: 'Pages of Configuration' }).getAttribute('aria-expanded')).toBe('true');
});
