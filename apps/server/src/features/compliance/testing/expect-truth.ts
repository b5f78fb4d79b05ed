import type { compliance } from '@holdfast/contract/compliance';
import type { Page } from '@holdfast/contract/paging';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Simulator } from '@holdfast/m365-simulator';
import { expect } from 'vitest';
import type { SimulatedTenant } from '../../../testing/simulated-tenant.ts';
import { trueSiteOwners } from './true-owners.ts';
import { trueContents, type TrueContents, type TrueFile } from './true-files.ts';

type Answer<Name extends keyof typeof compliance> = ResponseOf<(typeof compliance)[Name]>;
type Row<Name extends keyof typeof compliance> = Answer<Name> extends Page<infer Found> ? Found : never;

/** What a report is asked for: everything, or what lies in one site or belongs to one person. */
interface Narrowed {
  readonly words: string;
  readonly files: readonly TrueFile[];
  readonly shares: TrueContents['shares'];
}

/** What has become of the tenant since the first backup. */
export interface TruthSoFar {
  /** Addresses of sites under hold. */
  readonly held?: ReadonlySet<string>;
  /** Every file that a backup has seen. */
  readonly seen?: ReadonlySet<string>;
}

const DAY_MS = 86_400_000;
const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number => items.reduce((total, item) => total + of(item), 0);
const bytesOf = (items: readonly { readonly sizeBytes: number }[]): number => sum(items, (item) => item.sizeBytes);
const idOf = (nodeId: string): string => nodeId.slice(nodeId.lastIndexOf(':') + 1);

/** Reads reports as the portal does. */
class Reports {
  readonly tenant: SimulatedTenant;
  constructor(tenant: SimulatedTenant) {
    this.tenant = tenant;
  }
  one<Name extends keyof typeof compliance>(_name: Name, path: string): Promise<Answer<Name>> {
    return this.tenant.call(`${this.tenant.tenantId}/data-management/${path}`);
  }
  async all<Name extends keyof typeof compliance>(name: Name, path: string): Promise<Row<Name>[]> {
    const found: Row<Name>[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = (await this.one(name, `${path}${path.includes('?') ? '&' : '?'}limit=200${after}`)) as Page<Row<Name>>;
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }
}

async function expectSites(reports: Reports, { files }: TrueContents, { held, seen }: TruthSoFar): Promise<void> {
  const sites = await reports.all('sites', 'sites');
  const bySite = Map.groupBy(files, (file) => file.site);
  for (const site of sites) {
    const here = bySite.get(site.url) ?? [];
    const earlier = here.flatMap((file) => file.earlier);
    expect([site.url, site.files, site.bytes, site.versions, site.versionBytes, site.isHeld]).toEqual([
      site.url,
      here.length,
      bytesOf(here),
      earlier.length,
      bytesOf(earlier),
      held?.has(site.url) === true,
    ]);
  }
  expect(sum(sites, (site) => site.files)).toBe(files.length);
  const live = new Set(files.map((file) => file.id));
  expect(sum(sites, (site) => site.deleted)).toBe([...(seen ?? [])].filter((id) => !live.has(id)).length);
}

async function expectWaste(reports: Reports, { words, files }: Narrowed, held: ReadonlySet<string>): Promise<void> {
  const rules = [
    [1, 36_500],
    [2, 36_500],
    [50, 36_500],
    [50, 400],
  ] as const;
  for (const [newest, days] of rules) {
    const oldest = Date.now() - days * DAY_MS;
    const doomed = files.flatMap(({ site, earlier }) =>
      earlier.filter((version, place) => place >= newest || version.modifiedMs < oldest).map((version) => ({ site, ...version })),
    );
    const [kept, freed] = [doomed.filter(({ site }) => held.has(site)), doomed.filter(({ site }) => !held.has(site))];
    const { totals } = await reports.one('waste', `version-waste?newest=${newest}&days=${days}${words}`);
    const { freedVersions, freedBytes, heldBytes } = totals;
    expect([words, newest, days, freedVersions, freedBytes, heldBytes]).toEqual([
      words,
      newest,
      days,
      freed.length,
      bytesOf(freed),
      bytesOf(kept),
    ]);
  }
}

async function expectDuplicates(reports: Reports, everything: readonly TrueFile[], { words, files }: Narrowed): Promise<void> {
  const wanted = new Set(files.map((file) => file.sha256));
  const contents = Map.groupBy(
    everything.filter((file) => file.sizeBytes > 0 && wanted.has(file.sha256)),
    (file) => file.sha256,
  );
  const groups = [...contents.values()].filter((group) => group.length > 1);
  const rows = await reports.all('duplicates', `duplicates?sort=-copies${words}`);
  const found = rows.map((row) => [row.content, row.copies, row.wastedBytes, row.sites, row.isSharedUnevenly].join(' '));
  const expected = groups.map((group) => {
    const sites = new Set(group.map((file) => file.site)).size;
    const isUneven = new Set(group.map((file) => `${file.site} ${file.rights}`)).size > 1;
    return [group[0]?.sha256, group.length, (group.length - 1) * (group[0]?.sizeBytes ?? 0), sites, isUneven].join(' ');
  });
  expect(found.sort()).toEqual(expected.sort());
}

async function expectStale(reports: Reports, { words, files }: Narrowed): Promise<void> {
  const limits = [
    ['days30', Date.now() - 30 * DAY_MS],
    ['weeks8', Date.now() - 56 * DAY_MS],
    ['year1', new Date().setUTCFullYear(new Date().getUTCFullYear() - 1)],
  ] as const;
  for (const [unchanged, before] of limits) {
    const old = files.filter((file) => file.modifiedMs < before);
    const { totals } = await reports.one('stale', `stale-files?unchanged=${unchanged}${words}`);
    expect([words, unchanged, totals]).toEqual([words, unchanged, { files: old.length, bytes: bytesOf(old) }]);
  }
}

async function expectExposure(reports: Reports, { words, shares }: Narrowed): Promise<void> {
  const rows = await reports.all('exposure', `exposure?sort=name${words}`);
  expect(rows.map((row) => [idOf(row.nodeId), row.audience, row.expiresAt].join(' ')).sort()).toEqual(
    shares.map((share) => [share.id, share.audience, share.expiresAt].join(' ')).sort(),
  );
  const of = (audience: string): number => shares.filter((share) => share.audience === audience).length;
  const { totals } = await reports.one('exposure', `exposure?limit=1${words}`);
  expect(totals).toEqual({
    items: new Set(shares.map((share) => share.id)).size,
    anyone: of('anyone'),
    guest: of('guest'),
    organisation: of('organisation'),
    endless: shares.filter((share) => share.expiresAt === null).length,
  });
}

async function expectOwners(reports: Reports, { files }: TrueContents): Promise<void> {
  const owned = Map.groupBy(
    files.filter((file) => file.owner !== null),
    (file) => file.owner ?? '',
  );
  const rows = await reports.all('owners', 'owners');
  expect(rows.map((row) => [row.ownerId, row.files, row.bytes, row.sites].join(' ')).sort()).toEqual(
    [...owned].map(([id, theirs]) => [id, theirs.length, bytesOf(theirs), new Set(theirs.map((file) => file.site)).size].join(' ')).sort(),
  );
}

/** Compares the owners of each site; sites without a group of their own stay unknown. */
async function expectSiteOwners(reports: Reports, simulator: Simulator): Promise<void> {
  const truth = await trueSiteOwners(simulator);
  const rows = await reports.all('siteOwners', 'site-owners');
  const kept = (await reports.all('sites', 'sites?kind=site')).filter(({ deletedAt }) => deletedAt === null);
  expect(rows.map(({ url }) => url).sort()).toEqual(kept.map(({ url }) => url).sort());
  for (const { url, state, owners } of rows) {
    const known = truth.get(url);
    expect([url, state, owners.map((one) => `${one.ownerId} ${one.address} ${one.isBlocked}`).sort()]).toEqual([
      url,
      known?.state ?? 'unknown',
      (known?.owners ?? []).map((one) => `${one.id} ${one.address} ${one.isBlocked}`).sort(),
    ]);
  }
  const without = rows.filter(({ state }) => state === 'none' || state === 'blocked').map(({ url }) => url);
  expect((await reports.all('siteOwners', 'site-owners?ownerless=true')).map(({ url }) => url).sort()).toEqual(without.sort());
  const { totals } = await reports.one('siteOwners', 'site-owners?limit=1');
  const of = (wanted: string): number => rows.filter(({ state }) => state === wanted).length;
  expect(totals).toEqual({ none: of('none'), blocked: of('blocked'), owned: of('owned'), unknown: of('unknown') });
}

const kindsHere: Readonly<Record<string, string>> = {
  docx: 'document',
  txt: 'document',
  md: 'document',
  xlsx: 'spreadsheet',
  csv: 'spreadsheet',
  pptx: 'presentation',
  pdf: 'pdf',
  png: 'picture',
  jpg: 'picture',
  svg: 'picture',
  mp4: 'video',
  mp3: 'audio',
  eml: 'mail',
  msg: 'mail',
  zip: 'archive',
};
const kindOfFile = ({ name }: TrueFile): string => kindsHere[/\.([^.]+)$/u.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'other';

/** Space by site, by kind and by age, and when it was written. */
async function expectStorage(reports: Reports, { words, files }: Narrowed): Promise<void> {
  const earlier = files.flatMap((file) => file.earlier);
  const rowsOf = (groups: Map<string, TrueFile[]>) =>
    [...groups].map(([key, here]) => [key, here.length, bytesOf(here), sum(here, (file) => bytesOf(file.earlier))].join(' ')).sort();
  const sites = await reports.all('sites', 'sites');
  const idOfSite = new Map(sites.map((site) => [site.url, site.siteId]));
  for (const [by, keyOf] of [
    ['site', (file: TrueFile) => idOfSite.get(file.site) ?? ''],
    ['kind', kindOfFile],
  ] as const) {
    const rows = await reports.all('storage', `storage?by=${by}${words}`);
    const found = rows.map((row) => [row.key, row.files, row.bytes, row.versionBytes].join(' ')).sort();
    expect([words, by, found]).toEqual([words, by, rowsOf(Map.groupBy(files, keyOf))]);
  }
  const old = files.filter((file) => file.modifiedMs < new Date().setUTCFullYear(new Date().getUTCFullYear() - 5));
  const ages = await reports.all('storage', `storage?by=age${words}`);
  expect([words, ages.find(({ key }) => key === 'older')?.bytes ?? 0]).toEqual([words, bytesOf(old)]);
  const documents = files.filter((file) => kindOfFile(file) === 'document');
  const { totals } = await reports.one('storage', `storage?by=age&kind=document${words}`);
  expect([words, totals]).toEqual([
    words,
    { files: documents.length, bytes: bytesOf(documents), versionBytes: sum(documents, (file) => bytesOf(file.earlier)) },
  ]);
  await expectGrowth(reports, words, files, earlier);
}

async function expectGrowth(reports: Reports, words: string, files: readonly TrueFile[], earlier: TrueFile['earlier']): Promise<void> {
  const { before, months } = await reports.one('growth', `growth?${words.slice(1)}`);
  const monthOf = ({ modifiedMs }: { readonly modifiedMs: number }): string => new Date(modifiedMs).toISOString().slice(0, 7);
  const first = months[0]?.month ?? '';
  const of = (
    items: readonly { readonly sizeBytes: number; readonly modifiedMs: number }[],
    isWanted: (month: string) => boolean,
  ): number => bytesOf(items.filter((item) => isWanted(monthOf(item))));
  expect(months).toHaveLength(24);
  expect([words, before]).toEqual([
    words,
    { bytes: of(files, (month) => month < first), versionBytes: of(earlier, (month) => month < first) },
  ]);
  for (const { month, ...found } of months) {
    const expected = { bytes: of(files, (other) => other === month), versionBytes: of(earlier, (other) => other === month) };
    expect([words, month, found]).toEqual([words, month, expected]);
  }
}

/** The dashboard has what the newest scan has found. */
async function expectDashboard(reports: Reports, { files, shares }: TrueContents): Promise<void> {
  const { tenant } = reports;
  const figures = await tenant.call<Answer<'dashboard'>>(`${tenant.tenantId}/dashboard/sharepoint-data-management`);
  const contents = Map.groupBy(
    files.filter((file) => file.sizeBytes > 0),
    (file) => file.sha256,
  );
  const copies = [...contents.values()].filter((group) => group.length > 1);
  expect(figures).toMatchObject({
    files: files.length,
    bytes: bytesOf(files),
    versions: sum(files, (file) => file.earlier.length),
    versionBytes: sum(files, (file) => bytesOf(file.earlier)),
    exposed: new Set(shares.map((share) => share.id)).size,
    duplicates: sum(copies, (group) => group.length),
    duplicateBytes: sum(copies, (group) => (group.length - 1) * (group[0]?.sizeBytes ?? 0)),
  });
  const young = files.filter((file) => file.modifiedMs >= Date.now() - 30 * DAY_MS);
  expect(figures.ageBuckets[0]).toEqual({ age: 'days30', files: young.length, bytes: bytesOf(young) });
  expect(sum(figures.ageBuckets, (bucket) => bucket.bytes)).toBe(bytesOf(files));
}

/** Everything, one site, one person, and what that person has in that site. */
async function narrowed(reports: Reports, { files, shares }: TrueContents): Promise<readonly Narrowed[]> {
  const [site] = await reports.all('sites', 'sites?sort=-versionBytes');
  const [owner] = await reports.all('owners', 'owners?sort=-files');
  const of = (words: string, url?: string, person?: string): Narrowed => ({
    words,
    files: files.filter((file) => (url === undefined || file.site === url) && (person === undefined || file.owner === person)),
    shares: shares.filter((share) => (url === undefined || share.site === url) && (person === undefined || share.owner === person)),
  });
  if (!site || !owner) throw new Error('There is neither a site nor an owner.');
  const [bySite, byOwner] = [`&siteId=${site.siteId}`, `&ownerId=${owner.ownerId}`];
  return [of(''), of(bySite, site.url), of(byOwner, undefined, owner.ownerId), of(`${bySite}${byOwner}`, site.url, owner.ownerId)];
}

/** Compares every report with what the simulator itself says, computed here from scratch. */
export async function expectTruth(tenant: SimulatedTenant, simulator: Simulator, soFar: TruthSoFar = {}): Promise<TrueContents> {
  const reports = new Reports(tenant);
  const truth = await trueContents(simulator);
  await expectSites(reports, truth, soFar);
  await expectOwners(reports, truth);
  await expectSiteOwners(reports, simulator);
  await expectDashboard(reports, truth);
  for (const part of await narrowed(reports, truth)) {
    await expectWaste(reports, part, soFar.held ?? new Set());
    await expectStale(reports, part);
    await expectExposure(reports, part);
    await expectStorage(reports, part);
    // A filter of both looks for contents of which one copy is in the site and one is the person's.
    if (!part.words.includes('siteId') || !part.words.includes('ownerId')) await expectDuplicates(reports, truth.files, part);
  }
  return truth;
}
