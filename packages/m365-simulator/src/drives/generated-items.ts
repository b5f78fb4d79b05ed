import type { Random } from '@holdfast/foundation/random';
import { between, chance, guidOf, logNormal, pick, randomOf } from '../values/seeded.ts';
import type { LibraryPlace } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { DriveLayout } from './drive-layout.ts';
import type { Actor } from '../state/actor.ts';
import type { Grant, ItemRecord, VersionRecord } from './drive-record.ts';
import type { MadeContent } from './file-content.ts';
import type { ItemIds } from './item-id.ts';
import { SMALLEST_OFFICE_BYTES } from './office-file.ts';

const FOLDERS = {
  en: ['Projects', 'Invoices', 'Contracts', 'Meetings', 'Presentations', 'Archive', 'Travel', 'Templates', 'Customers', 'Photos'],
  de: ['Projekte', 'Rechnungen', 'Verträge', 'Besprechungen', 'Präsentationen', 'Ablage', 'Reisen', 'Vorlagen', 'Kunden', 'Fotos'],
} as const;
const TOPICS = {
  en: ['Budget', 'Quarterly report', 'Minutes', 'Offer', 'Roadmap', 'Price list', 'Specification', 'Team photo', 'Export', 'Handbook'],
  de: [
    'Budget',
    'Quartalsbericht',
    'Protokoll',
    'Angebot',
    'Fahrplan',
    'Preisliste',
    'Pflichtenheft',
    'Teamfoto',
    'Auswertung',
    'Handbuch',
  ],
} as const;
const EXTENSIONS = ['docx', 'xlsx', 'pptx', 'docx', 'xlsx', 'pdf', 'pdf', 'png', 'jpg', 'csv', 'txt', 'zip', 'mp4'] as const;
const DAY_MS = 86_400_000;
const LARGEST_TEXT_BYTES = 48_000;
const LARGEST_OFFICE_BYTES = 128_000;
/** So many files of a tenant have the content of one of these, wherever they are: as templates and attachments do. */
const SHARED_CONTENTS = 24;

/** What is needed to make the items of one drive from the seed. */
export interface DriveSeed {
  readonly tenant: Tenant;
  readonly library: LibraryPlace;
  readonly layout: DriveLayout;
  readonly ids: ItemIds;
}

/** Some member of the seed: by number, so that people who come and go change nothing about the past. */
function someMember(tenant: Tenant, random: Random): string {
  return guidOf(tenant.seed, 'member', random.below(Math.max(1, tenant.recipe.people.members)));
}

function actorOf({ tenant, library }: DriveSeed, random: Random): Actor {
  const { owner } = library;
  return { userId: owner && 'userId' in owner ? owner.userId : someMember(tenant, random) };
}

/** The bytes of a new file of the seed: their kind follows from the extension. */
export function madeContent(name: string, extension: string, sizeBytes: number): MadeContent {
  if (['docx', 'xlsx', 'pptx'].includes(extension)) {
    const bounded = Math.min(Math.max(SMALLEST_OFFICE_BYTES, sizeBytes), LARGEST_OFFICE_BYTES);
    return { kind: 'office', name, extension, sizeBytes: bounded };
  }
  if (['csv', 'txt', 'md'].includes(extension)) {
    return { kind: 'text', name, extension, sizeBytes: Math.min(sizeBytes, LARGEST_TEXT_BYTES) };
  }
  return { kind: 'media', name, extension, sizeBytes };
}

function versionsOf(seed: DriveSeed, random: Random, facts: { index: number; extension: string; createdMs: number }): VersionRecord[] {
  const { tenant, library } = seed;
  const count = chance(random, 0.25) ? between(random, 2, 5) : 1;
  const sizeBytes = Math.max(1, Math.min(library.largestBytes, Math.round(logNormal(random, library.medianBytes, 1.2))));
  const isShared = chance(random, 0.08);
  const versions: VersionRecord[] = [];
  let modifiedMs = facts.createdMs;
  for (let number = 1; number <= count; number += 1) {
    const own = `${tenant.seed}/${library.driveId}/${facts.index}/${number}`;
    const template = random.below(SHARED_CONTENTS);
    const content = isShared
      ? madeContent(`${tenant.seed}/shared/${template}`, facts.extension, library.medianBytes + template * 997)
      : madeContent(own, facts.extension, Math.round(sizeBytes * (0.7 + (0.3 * number) / count)));
    versions.push({ id: `${number}.0`, content, modifiedMs, modifiedBy: actorOf(seed, random) });
    modifiedMs = Math.min(tenant.epochMs - 1000, modifiedMs + Math.floor(random.next() * 30 * DAY_MS));
  }
  return versions;
}

function grantsOf({ tenant, ids }: DriveSeed, random: Random, index: number): Grant[] {
  if (!chance(random, 0.06)) return [];
  const id = `${ids.guid(ids.id({ origin: 'generated', index })).toLowerCase()}-grant`;
  const userId = someMember(tenant, random);
  const role = chance(random, 0.5) ? ('read' as const) : ('write' as const);
  if (chance(random, 0.4)) {
    const scope = pick(random, ['organization', 'users', 'anonymous'] as const);
    const link = {
      type: role === 'read' ? ('view' as const) : ('edit' as const),
      scope,
      token: random.bytes(18).toString('base64url'),
      hasPassword: false,
    };
    return [{ id, role, people: scope === 'users' ? [{ userId }] : [], link }];
  }
  return [{ id, role, people: [{ userId }] }];
}

function nameOf(seed: DriveSeed, random: Random, index: number): { name: string; extension: string } {
  const { language } = seed.library;
  if (seed.layout.isFolder(index)) return { name: `${pick(random, FOLDERS[language])} ${index}`, extension: '' };
  const extension = pick(random, EXTENSIONS);
  const year = 2018 + random.below(8);
  return { name: `${pick(random, TOPICS[language])} ${year}-${index}.${extension}`, extension };
}

function placedRoot({ library, ids }: DriveSeed): Pick<ItemRecord, 'id' | 'parentId' | 'name' | 'createdMs'> {
  return { id: ids.id({ origin: 'generated', index: 0 }), parentId: undefined, name: 'root', createdMs: library.createdMs };
}

/** The item `index` of the seed, as it was before anybody changed it. */
export function generatedItem(seed: DriveSeed, index: number): ItemRecord {
  const { tenant, library, layout, ids } = seed;
  const random = randomOf({ seed: tenant.seed, kind: 'drive', owner: library.driveId, index });
  const spanMs = Math.max(1, tenant.epochMs - library.createdMs - DAY_MS);
  const createdMs = library.createdMs + Math.floor(random.next() * spanMs);
  const { name, extension } = nameOf(seed, random, index);
  const isFolder = layout.isFolder(index);
  const versions = isFolder ? [] : versionsOf(seed, random, { index, extension, createdMs });
  const createdBy = versions[0]?.modifiedBy ?? actorOf(seed, random);
  const last = versions.at(-1) ?? { modifiedMs: createdMs, modifiedBy: createdBy };
  const count = Math.max(1, versions.length);
  return {
    id: ids.id({ origin: 'generated', index }),
    parentId: ids.id({ origin: 'generated', index: layout.parentOf(index) }),
    name,
    kind: isFolder ? 'folder' : 'file',
    createdMs,
    modifiedMs: last.modifiedMs,
    createdBy,
    modifiedBy: last.modifiedBy,
    fileCreatedMs: createdMs,
    fileModifiedMs: last.modifiedMs,
    revision: count,
    contentRevision: count,
    versions,
    grants: grantsOf(seed, random, index),
    inherits: true,
    ...(index === 0 ? { ...placedRoot(seed), modifiedMs: library.createdMs, grants: [] } : {}),
  };
}
