import { guidOf, hashText } from '../values/seeded.ts';
import type { Group, Person } from '../state/directory.ts';
import type { SiteRecipe } from '../state/recipe.ts';
import type { Tenant } from '../state/tenant.ts';
import { type ChannelRecord, type TeamsState, channelsEver, teamsState } from './team-records.ts';

export type SiteKind = 'communication' | 'team' | 'channel' | 'personal' | 'root';

/** A site: where it is, whose it is, and how much the seed puts into it. */
export interface SitePlace {
  /** `host,site collection,web`: what Graph calls the id. */
  readonly id: string;
  readonly kind: SiteKind;
  readonly hostName: string;
  /** Server-relative: `/sites/hr`, `/personal/adele_contoso_com`; empty for the root. */
  readonly path: string;
  readonly collectionGuid: string;
  readonly webGuid: string;
  readonly displayName: string;
  readonly createdMs: number;
  readonly parentId?: string;
  readonly ownerId?: string;
  readonly lists: number;
  readonly itemsPerList: number;
  readonly pages: number;
}

/** A document library: a drive, and a list of its site. */
export interface LibraryPlace {
  readonly driveId: string;
  readonly siteId: string;
  readonly listGuid: string;
  readonly displayName: string;
  /** Last part of its address: `Shared Documents`. */
  readonly urlName: string;
  readonly driveType: 'business' | 'documentLibrary';
  readonly owner: { readonly userId: string } | { readonly groupId: string } | undefined;
  readonly language: 'en' | 'de';
  readonly files: number;
  readonly folders: number;
  readonly medianBytes: number;
  readonly largestBytes: number;
  readonly createdMs: number;
  /** Names of channels whose folder stands at the root. */
  readonly channelFolders: readonly string[];
}

/** All sites and libraries of a tenant, by every name they have. */
export interface Places {
  readonly sites: readonly SitePlace[];
  readonly libraries: readonly LibraryPlace[];
  /** By full id, or by `host:/path`, without case; the host alone is the root site. */
  site(idOrPath: string): SitePlace | undefined;
  drive(driveId: string): LibraryPlace | undefined;
  librariesOf(siteId: string): readonly LibraryPlace[];
  driveOfUser(userId: string): LibraryPlace | undefined;
  siteOfGroup(groupId: string): SitePlace | undefined;
  siteOfChannel(channelId: string): SitePlace | undefined;
}

const DAY_MS = 86_400_000;

function driveIdOf(site: SitePlace, listGuid: string): string {
  const hex = [site.collectionGuid, site.webGuid, listGuid].join('').replaceAll('-', '');
  return `b!${Buffer.from(hex, 'hex').toString('base64url')}`;
}

interface SiteSeed extends Omit<SitePlace, 'id' | 'collectionGuid' | 'webGuid'> {
  readonly collectionPath?: string;
}

function makeSite(tenant: Tenant, { collectionPath, ...seed }: SiteSeed): SitePlace {
  const collectionGuid = guidOf(tenant.seed, 'collection', seed.hostName, collectionPath ?? seed.path);
  const webGuid = guidOf(tenant.seed, 'web', seed.hostName, seed.path);
  return { ...seed, id: `${seed.hostName},${collectionGuid},${webGuid}`, collectionGuid, webGuid };
}

interface LibrarySeed {
  readonly displayName: string;
  readonly urlName: string;
  readonly files: number;
  readonly folders?: number;
  readonly language?: 'en' | 'de';
  readonly owner?: LibraryPlace['owner'];
  readonly channelFolders?: readonly string[];
}

function makeLibrary(tenant: Tenant, site: SitePlace, seed: LibrarySeed): LibraryPlace {
  const listGuid = guidOf(tenant.seed, 'library', site.id, seed.urlName);
  const { medianBytes, largestBytes } = tenant.recipe.drives;
  return {
    driveId: driveIdOf(site, listGuid),
    siteId: site.id,
    listGuid,
    displayName: seed.displayName,
    urlName: seed.urlName,
    driveType: site.kind === 'personal' ? 'business' : 'documentLibrary',
    owner: seed.owner,
    language: seed.language ?? 'en',
    files: seed.files,
    folders: seed.folders ?? Math.ceil(seed.files / 12),
    medianBytes,
    largestBytes,
    createdMs: site.createdMs,
    channelFolders: seed.channelFolders ?? [],
  };
}

interface Collected {
  readonly sites: SitePlace[];
  readonly libraries: LibraryPlace[];
  readonly byGroup: Map<string, SitePlace>;
  readonly byChannel: Map<string, SitePlace>;
  readonly byUser: Map<string, LibraryPlace>;
}

const DOCUMENTS = { displayName: 'Documents', urlName: 'Shared Documents' };
const NOTHING_SEEDED = { lists: 0, itemsPerList: 0, pages: 0 };

function addRecipeSite(tenant: Tenant, into: Collected, recipe: SiteRecipe, parent?: SitePlace): void {
  const hostName = `${tenant.directory.label}.sharepoint.com`;
  const path = `/sites/${recipe.path}`;
  const site = makeSite(tenant, {
    kind: 'communication',
    hostName,
    path,
    displayName: recipe.displayName,
    createdMs: tenant.epochMs - (900 + (hashText(path) % 900)) * DAY_MS,
    lists: recipe.lists,
    itemsPerList: recipe.itemsPerList,
    pages: recipe.pages,
    ...(parent ? { parentId: parent.id, collectionPath: parent.path } : {}),
  });
  into.sites.push(site);
  const archived = Math.floor(recipe.files / 4);
  into.libraries.push(
    makeLibrary(tenant, site, { ...DOCUMENTS, files: recipe.files - archived }),
    makeLibrary(tenant, site, { displayName: 'Archiv', urlName: 'Archiv', files: archived, language: 'de' }),
  );
  for (const subsite of recipe.subsites ?? []) addRecipeSite(tenant, into, subsite, site);
}

function urlNameOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/[^A-Za-z0-9]+/g, '');
}

/** The site of a private or shared channel. The name of one that was deleted is taken for good. */
function addChannelSite(tenant: Tenant, into: Collected, channel: ChannelRecord, team: SitePlace): void {
  const wanted = `${team.path}-${urlNameOf(channel.folderName)}`;
  const namesakes = into.sites.filter(({ path }) => path === wanted || path.startsWith(`${wanted}~`)).length;
  const place = makeSite(tenant, {
    kind: 'channel',
    hostName: team.hostName,
    path: namesakes === 0 ? wanted : `${wanted}~${namesakes}`,
    displayName: `${team.displayName}-${channel.folderName}`,
    createdMs: channel.createdMs,
    ...(team.ownerId === undefined ? {} : { ownerId: team.ownerId }),
    ...NOTHING_SEEDED,
  });
  const isSeeded = channel.seededMessages > 0;
  into.sites.push(place);
  into.byChannel.set(channel.id, place);
  into.libraries.push(
    makeLibrary(tenant, place, {
      ...DOCUMENTS,
      files: isSeeded ? 4 : 0,
      owner: { groupId: channel.teamId },
      channelFolders: isSeeded ? [channel.folderName] : [],
    }),
  );
}

/** A site that was there first keeps its address: the group's gets one of its own. */
function teamSitePath({ sites }: Collected, { id, mailNickname }: Group): string {
  const wanted = `/sites/${mailNickname}`;
  const isTaken = sites.some(({ kind, path }) => kind === 'communication' && path.toLowerCase() === wanted.toLowerCase());
  return isTaken ? `${wanted}-${id.slice(0, 4)}` : wanted;
}

function addTeamSites(tenant: Tenant, into: Collected): void {
  const channels = channelsEver(tenant);
  const files = new Map(tenant.recipe.teams.map((team) => [team.displayName, team.files]));
  for (const group of tenant.directory.groups()) {
    if (group.kind !== 'unified') continue;
    const own = channels.filter((channel) => channel.teamId === group.id);
    const site = makeSite(tenant, {
      kind: 'team',
      hostName: `${tenant.directory.label}.sharepoint.com`,
      path: teamSitePath(into, group),
      displayName: group.displayName,
      createdMs: group.createdMs,
      ownerId: group.id,
      ...NOTHING_SEEDED,
    });
    const isSeeded = group.createdMs < tenant.epochMs;
    const channelFolders = own
      .filter((channel) => channel.membershipType === 'standard' && channel.seededMessages > 0)
      .map((channel) => channel.folderName);
    into.sites.push(site);
    into.byGroup.set(group.id, site);
    into.libraries.push(
      makeLibrary(tenant, site, {
        ...DOCUMENTS,
        files: isSeeded ? (files.get(group.displayName) ?? 0) : 0,
        owner: { groupId: group.id },
        channelFolders,
      }),
    );
    for (const channel of own) if (channel.membershipType !== 'standard') addChannelSite(tenant, into, channel, site);
  }
}

function addPersonalSite(tenant: Tenant, into: Collected, person: Person): void {
  const path = `/personal/${person.userPrincipalName.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`;
  const site = makeSite(tenant, {
    kind: 'personal',
    hostName: `${tenant.directory.label}-my.sharepoint.com`,
    path,
    displayName: person.displayName,
    createdMs: person.createdMs + DAY_MS,
    ownerId: person.id,
    ...NOTHING_SEEDED,
  });
  const { filesPerUser, foldersPerUser } = tenant.recipe.drives;
  const isSeeded = person.createdMs < tenant.epochMs;
  const library = makeLibrary(tenant, site, {
    displayName: 'OneDrive',
    urlName: 'Documents',
    files: isSeeded ? filesPerUser : 0,
    folders: isSeeded ? foldersPerUser : 0,
    language: person.language,
    owner: { userId: person.id },
  });
  into.sites.push(site);
  into.libraries.push(library);
  into.byUser.set(person.id, library);
}

function collect(tenant: Tenant): Collected {
  const into: Collected = { sites: [], libraries: [], byGroup: new Map(), byChannel: new Map(), byUser: new Map() };
  const hostName = `${tenant.directory.label}.sharepoint.com`;
  const createdMs = tenant.epochMs - 2000 * DAY_MS;
  into.sites.push(makeSite(tenant, { kind: 'root', hostName, path: '', displayName: 'Communication site', createdMs, ...NOTHING_SEEDED }));
  for (const recipe of tenant.recipe.sites) addRecipeSite(tenant, into, recipe);
  addTeamSites(tenant, into);
  for (const person of tenant.directory.users()) if (person.hasDrive) addPersonalSite(tenant, into, person);
  return into;
}

function createPlaces(tenant: Tenant): Places {
  const collected = collect(tenant);
  const { sites, byGroup, byChannel, byUser } = collected;
  const libraries = librariesNow(tenant, collected);
  const byName = new Map<string, SitePlace>();
  const ofSite = new Map<string, LibraryPlace[]>();
  for (const site of sites) {
    byName.set(site.id.toLowerCase(), site);
    byName.set(`${site.hostName}:${site.path}`.toLowerCase(), site);
    byName.set(`${site.hostName},${site.collectionGuid}`.toLowerCase(), byName.get(`${site.hostName},${site.collectionGuid}`) ?? site);
    if (site.kind === 'root') for (const name of [site.hostName, 'root']) byName.set(name, site);
    ofSite.set(site.id, []);
  }
  for (const library of libraries) ofSite.get(library.siteId)?.push(library);
  const byDrive = new Map(libraries.map((library) => [library.driveId, library]));
  return Object.freeze({
    sites,
    libraries,
    site: (idOrPath: string) => byName.get(idOrPath.toLowerCase().replace(/[:/]+$/, '')),
    drive: (driveId: string) => byDrive.get(driveId),
    librariesOf: (siteId: string) => ofSite.get(siteId) ?? [],
    driveOfUser: (userId: string) => byUser.get(userId),
    siteOfGroup: (groupId: string) => byGroup.get(groupId),
    siteOfChannel: (channelId: string) => byChannel.get(channelId),
  });
}

/** Libraries that were made, or deleted, since the seed. */
interface LibrariesState {
  readonly created: { readonly siteId: string; readonly displayName: string; readonly urlName: string; readonly createdMs: number }[];
  /** Drives of those that are in the recycle bin. */
  readonly recycled: Set<string>;
  /** Counts up with every change. */
  version: number;
}

function librariesState(tenant: Tenant): LibrariesState {
  return tenant.store.state<LibrariesState>('libraries', () => ({ created: [], recycled: new Set(), version: 0 }));
}

export function changeLibraries(tenant: Tenant, change: (state: LibrariesState) => void): void {
  const state = librariesState(tenant);
  change(state);
  state.version += 1;
}

/** Makes an empty library in a site. */
export function createLibrary(tenant: Tenant, site: SitePlace, displayName: string): LibraryPlace {
  const urlName = displayName === 'Site Assets' ? 'SiteAssets' : `${urlNameOf(displayName)}${librariesState(tenant).created.length}`;
  changeLibraries(tenant, ({ created }) => created.push({ siteId: site.id, displayName, urlName, createdMs: tenant.clock.nowMs() }));
  const made = placesOf(tenant)
    .librariesOf(site.id)
    .findLast((library) => library.urlName === urlName);
  if (!made) throw new Error(`The library ${displayName} was not made.`);
  return made;
}

/** The libraries as they are after what was done to them since the seed. */
function librariesNow(tenant: Tenant, { sites, libraries }: Collected): LibraryPlace[] {
  const { created, recycled } = librariesState(tenant);
  const byId = new Map(sites.map((site) => [site.id, site]));
  const made = created.flatMap(({ siteId, createdMs, ...names }) => {
    const site = byId.get(siteId);
    return site ? [{ ...makeLibrary(tenant, site, { ...names, files: 0 }), createdMs }] : [];
  });
  return [...libraries, ...made].filter(({ driveId }) => !recycled.has(driveId));
}

const known = new WeakMap<TeamsState, { readonly stamp: string; readonly places: Places }>();

/** The places of `tenant` as they are now; made anew when people, groups or channels have changed. */
export function placesOf(tenant: Tenant): Places {
  const { directory } = tenant;
  const teams = teamsState(tenant);
  const stamp = [
    directory.userFeed().log.ids.length,
    directory.groupFeed().log.ids.length,
    teams.version,
    librariesState(tenant).version,
  ].join('/');
  const cached = known.get(teams);
  if (cached?.stamp === stamp) return cached.places;
  const places = createPlaces(tenant);
  known.set(teams, { stamp, places });
  return places;
}
