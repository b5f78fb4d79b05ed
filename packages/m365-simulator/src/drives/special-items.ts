import { floorPlan } from '../content/floor-plan.ts';
import { officeDocuments } from '../content/office-documents.ts';
import { leaver } from '../state/generate-people.ts';
import { guidOf } from '../values/seeded.ts';
import type { LibraryPlace } from '../places/places.ts';
import { placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Actor } from '../state/actor.ts';
import type { Grant, ItemRecord, VersionRecord } from './drive-record.ts';
import { type FileContent, receivedContent } from './file-content.ts';
import { officeFile } from './office-file.ts';
import { type DriveSeed, madeContent } from './generated-items.ts';

/** Items of the seed that no rule makes: folders of channels, and one of each thing that goes wrong. */
interface Special extends Partial<Omit<ItemRecord, 'id' | 'parentId'>> {
  readonly name: string;
  readonly contents?: readonly FileContent[];
}

/** A special item and the name of the special folder it is in; the root unless given. */
interface Placed {
  readonly item: Special;
  readonly inside?: string;
}

const DAY_MS = 86_400_000;
/** Numbers that banks and authorities publish as examples: nobody has them, and their check digits are right. */
const PAYROLL = [
  'Adele Vance, IBAN DE89 3704 0044 0532 0130 00, Steuer-ID 86095742719, EUR 4,250.00',
  'Diego Siciliani, IBAN AT61 1904 3002 3457 3201, Steuer-ID 47036892816, EUR 3,980.00',
  'Megan Bowen, IBAN CH93 0076 2011 6238 5295 7, Steuer-ID 65929970489, EUR 5,120.00',
];
const DEPTH = 40;
const MANY_VERSIONS = 120;

/** Two ways to write one letter, and signs that paths and addresses treat badly. */
const NAMES = [
  'Übergröße – Straße (Kopie) #1 %20 & Co.txt',
  'Feier \u{1F389} 2024.txt',
  'Cafe\u0301 zerlegt.txt',
  `${'Sehr langer Name '.repeat(10).trim()}.txt`,
];

function text(name: string): FileContent {
  return madeContent(name, 'txt', 600);
}

function notebook(prefix: string): Placed[] {
  const inside = 'Notizbuch Projekt';
  return [
    { item: { name: inside, kind: 'package', packageType: 'oneNote' } },
    { item: { name: 'Allgemein.one', contents: [madeContent(`${prefix}/one`, 'one', 90_000)] }, inside },
    { item: { name: 'Notizbuch öffnen.onetoc2', contents: [madeContent(`${prefix}/toc`, 'onetoc2', 3_000)] }, inside },
  ];
}

/** What people keep in the folder of a channel: a plan with versions, and minutes in a folder of their own. */
function channelFiles(prefix: string, channel: string): Placed[] {
  const versions = [1, 2, 3].map((number) => madeContent(`${prefix}/plan/${channel}/${number}`, 'docx', 18_000 + number * 900));
  const minutes = `${channel} minutes`;
  return [
    { item: { name: `${channel} plan.docx`, contents: versions }, inside: channel },
    { item: { name: minutes, kind: 'folder' }, inside: channel },
    { item: { name: 'First meeting.txt', contents: [text(`${prefix}/minutes/${channel}`)] }, inside: minutes },
  ];
}

function deepFolders(prefix: string): Placed[] {
  const level = (number: number): string => `Ebene ${String(number).padStart(2, '0')}`;
  const folders = Array.from({ length: DEPTH }, (_, index): Placed => ({
    item: { name: level(index + 1), kind: 'folder' },
    ...(index === 0 ? {} : { inside: level(index) }),
  }));
  return [...folders, { item: { name: 'ganz unten.txt', contents: [text(`${prefix}/deep`)] }, inside: level(DEPTH) }];
}

function oddities({ tenant, library }: DriveSeed): Placed[] {
  const prefix = `${tenant.seed}/${library.driveId}/special`;
  const target = placesOf(tenant).libraries.find((other) => other.driveType === 'documentLibrary');
  const versions = Array.from({ length: 12 }, (_, index) => madeContent(`${prefix}/version/${index}`, 'docx', 20_000 + index * 700));
  const found: Special[] = [
    ...NAMES.map((name) => ({ name, contents: [text(`${prefix}/${name}`)] })),
    { name: 'leer.txt', contents: [receivedContent(tenant.received, Buffer.alloc(0))] },
    { name: 'Testvirus.com', contents: [madeContent(`${prefix}/virus`, 'bin', 68)], malware: 'Virus:DOS/EICAR_Test_File' },
    { name: 'In Bearbeitung.docx', contents: [madeContent(`${prefix}/locked`, 'docx', 30_000)], isLocked: true },
    { name: 'Messwerte.csv', contents: [madeContent(`${prefix}/stale`, 'csv', 9_000)], staleHash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
    { name: 'Vertrag.docx', contents: versions },
  ];
  if (target) found.push({ name: 'Intranet – Dokumente', kind: 'remote', remote: { driveId: target.driveId, itemId: 'root' } });
  return [...notebook(prefix), ...deepFolders(prefix), ...found.map((item) => ({ item }))];
}

/** Documents with texts, as they are in mail as well, and a picture. */
function writtenFiles(tenant: Tenant): Placed[] {
  const inside = 'Contracts';
  const files = [...officeDocuments('en'), ...officeDocuments('de')];
  return [
    { item: { name: inside, kind: 'folder' } },
    ...files.map(({ name, bytes }) => ({ item: { name, contents: [receivedContent(tenant.received, bytes)] }, inside })),
    { item: { name: 'Floor plan.png', contents: [receivedContent(tenant.received, floorPlan())] }, inside },
  ];
}

/** A link of an item, without end unless days are given. */
function linkOf(tenant: Tenant, name: string, scope: 'anonymous' | 'organization', days?: number): Grant {
  const token = guidOf(tenant.seed, 'link', name);
  const link = { type: scope === 'anonymous' ? ('view' as const) : ('edit' as const), scope, token, hasPassword: false };
  const expires = days === undefined ? {} : { expiresMs: tenant.epochMs + days * DAY_MS };
  return { id: token, role: scope === 'anonymous' ? 'read' : 'write', people: [], link, ...expires };
}

/** What an administrator should find: files that too many people can open, and one with versions by the hundred. */
function carelessFiles({ tenant, library }: DriveSeed): Placed[] {
  const prefix = `${tenant.seed}/${library.driveId}/careless`;
  const inside = 'Personnel';
  const versions = Array.from({ length: MANY_VERSIONS }, (_, index) => madeContent(`${prefix}/plan/${index}`, 'xlsx', 16_000 + index * 40));
  const prices = madeContent(`${prefix}/prices`, 'xlsx', 24_000);
  const guest: Grant = { id: guidOf(tenant.seed, 'guest', prefix), role: 'read', people: [{ email: 'purchasing@supplier.example' }] };
  // Somebody who has left.
  const gone: Actor = { userId: leaver(tenant.seed) };
  return [
    { item: { name: inside, kind: 'folder' } },
    {
      item: {
        name: 'Payroll 2026.xlsx',
        contents: [receivedContent(tenant.received, officeFile(`${prefix}/payroll`, 'xlsx', 31_000, PAYROLL))],
        grants: [linkOf(tenant, 'payroll', 'anonymous')],
      },
      inside,
    },
    {
      item: {
        name: 'Board minutes.docx',
        contents: [madeContent(`${prefix}/board`, 'docx', 22_000)],
        createdBy: gone,
        grants: [linkOf(tenant, 'board', 'organization')],
      },
      inside,
    },
    { item: { name: 'Supplier prices.xlsx', contents: [prices], grants: [guest, linkOf(tenant, 'prices', 'anonymous', 30)] } },
    { item: { name: 'Supplier prices (copy).xlsx', contents: [prices], createdBy: gone }, inside },
    { item: { name: 'Master plan.xlsx', contents: versions, createdBy: gone } },
    ...writtenFiles(tenant),
  ];
}

function isCareless(tenant: Tenant, library: LibraryPlace): boolean {
  if (!tenant.recipe.hasOddities || library.urlName !== 'Shared Documents') return false;
  return placesOf(tenant).sites.find(({ id }) => id === library.siteId)?.path === '/sites/projects';
}

function isOddDrive(tenant: Tenant, library: LibraryPlace): boolean {
  const { owner } = library;
  return tenant.recipe.hasOddities && owner !== undefined && 'userId' in owner && owner.userId === guidOf(tenant.seed, 'member', 0);
}

function versionsOf(contents: readonly FileContent[], createdMs: number, modifiedBy: Actor): VersionRecord[] {
  return contents.map((content, index) => ({ id: `${index + 1}.0`, content, modifiedMs: createdMs + index * DAY_MS, modifiedBy }));
}

function recordOf(seed: DriveSeed, special: Special, place: { index: number; parentId: string }): ItemRecord {
  const { contents, ...given } = special;
  const { library, tenant, ids } = seed;
  const createdMs = library.createdMs + (20 + place.index) * DAY_MS;
  const owner = library.owner && 'userId' in library.owner ? library.owner.userId : guidOf(tenant.seed, 'member', 0);
  const actor: Actor = { userId: owner };
  const versions = versionsOf(contents ?? [], createdMs, actor);
  const modifiedMs = versions.at(-1)?.modifiedMs ?? createdMs;
  return {
    kind: versions.length > 0 ? 'file' : 'folder',
    createdMs,
    modifiedMs,
    createdBy: actor,
    modifiedBy: actor,
    fileCreatedMs: createdMs,
    fileModifiedMs: modifiedMs,
    revision: Math.max(1, versions.length),
    contentRevision: Math.max(1, versions.length),
    versions,
    grants: [],
    inherits: true,
    ...given,
    id: ids.id({ origin: 'special', index: place.index }),
    parentId: place.parentId,
  };
}

/** The special items of a drive, parents before what is in them. */
export function specialItems(seed: DriveSeed): readonly ItemRecord[] {
  const { tenant, library, ids } = seed;
  const prefix = `${tenant.seed}/${library.driveId}`;
  const folders = library.channelFolders.map((name): Placed => ({ item: { name, kind: 'folder' } }));
  const files = library.channelFolders.flatMap((name) => channelFiles(prefix, name));
  const odd = isOddDrive(tenant, library) ? oddities(seed) : [];
  const specials = [...folders, ...files, ...odd, ...(isCareless(tenant, library) ? carelessFiles(seed) : [])];
  const idOf = new Map<string, string>();
  return specials.map(({ item, inside }, index) => {
    const root = ids.id({ origin: 'generated', index: 0 });
    const parentId = inside === undefined ? root : (idOf.get(inside) ?? root);
    const record = recordOf(seed, item, { index, parentId });
    idOf.set(item.name, record.id);
    return record;
  });
}
