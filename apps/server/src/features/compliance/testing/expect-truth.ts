import type { compliance } from '@holdfast/contract/compliance';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Simulator } from '@holdfast/m365-simulator';
import { expect } from 'vitest';
import type { SimulatedTenant } from '../../../testing/simulated-tenant.ts';
import { trueContents, type TrueContents, type TrueFile } from './true-files.ts';

type Answer<Name extends keyof typeof compliance> = ResponseOf<(typeof compliance)[Name]>;
type Read = <Name extends keyof typeof compliance>(name: Name, path: string) => Promise<Answer<Name>>;

const DAY_MS = 86_400_000;
const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number => items.reduce((total, item) => total + of(item), 0);

async function expectSites(read: Read, { files }: TrueContents): Promise<void> {
  const { items } = await read('sites', 'sites?limit=200');
  expect(sum(items, (site) => site.files)).toBe(files.length);
  expect(sum(items, (site) => site.bytes)).toBe(sum(files, (file) => file.sizeBytes));
  expect(sum(items, (site) => site.versions)).toBe(sum(files, (file) => file.earlier.length));
  expect(sum(items, (site) => site.versionBytes)).toBe(sum(files, (file) => sum(file.earlier, (version) => version.sizeBytes)));
}

async function expectWaste(read: Read, { files }: TrueContents): Promise<void> {
  const rules = [
    [1, 36_500],
    [2, 36_500],
    [50, 36_500],
    [50, 400],
  ] as const;
  for (const [newest, days] of rules) {
    const oldest = Date.now() - days * DAY_MS;
    const doomed = files.flatMap(({ earlier }) => earlier.filter((version, place) => place >= newest || version.modifiedMs < oldest));
    const { totals } = await read('waste', `version-waste?newest=${newest}&days=${days}`);
    expect([newest, days, totals.freedVersions]).toEqual([newest, days, doomed.length]);
    expect(totals.freedBytes).toBe(sum(doomed, (version) => version.sizeBytes));
  }
}

async function expectDuplicates(read: Read, { files }: TrueContents): Promise<void> {
  const contents = Map.groupBy(
    files.filter((file) => file.sizeBytes > 0),
    (file) => file.sha256,
  );
  const groups = [...contents.values()].filter((group) => group.length > 1);
  const { totals, total } = await read('duplicates', 'duplicates?limit=200');
  const wasted = (group: readonly TrueFile[]): number => (group.length - 1) * (group[0]?.sizeBytes ?? 0);
  expect([total, totals.copies, totals.wastedBytes]).toEqual([groups.length, sum(groups, (group) => group.length), sum(groups, wasted)]);
}

async function expectStale(read: Read, { files }: TrueContents): Promise<void> {
  const limits = [
    ['days30', Date.now() - 30 * DAY_MS],
    ['weeks8', Date.now() - 56 * DAY_MS],
    ['year1', new Date().setUTCFullYear(new Date().getUTCFullYear() - 1)],
  ] as const;
  for (const [unchanged, before] of limits) {
    const old = files.filter((file) => file.modifiedMs < before);
    const { totals } = await read('stale', `stale-files?unchanged=${unchanged}`);
    expect([unchanged, totals]).toEqual([unchanged, { files: old.length, bytes: sum(old, (file) => file.sizeBytes) }]);
  }
}

async function expectExposure(read: Read, { shares }: TrueContents): Promise<void> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer<'exposure'> = await read('exposure', `exposure?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`);
    found.push(...page.items.map((row) => [row.nodeId.slice(row.nodeId.lastIndexOf(':') + 1), row.audience, row.expiresAt].join(' ')));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(found.sort()).toEqual(shares.map((share) => [share.id, share.audience, share.expiresAt].join(' ')).sort());
}

/** Compares every report with what the simulator itself says, computed here from scratch. */
export async function expectTruth(tenant: SimulatedTenant, simulator: Simulator): Promise<TrueContents> {
  const read: Read = (_name, path) => tenant.call(`${tenant.tenantId}/data-management/${path}`);
  const truth = await trueContents(simulator);
  await expectSites(read, truth);
  await expectWaste(read, truth);
  await expectDuplicates(read, truth);
  await expectStale(read, truth);
  await expectExposure(read, truth);
  return truth;
}
