import { addressName, firstNames, lastNames, partners } from '../values/names.ts';
import { between, chance, pick, randomOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import type { JsonObject } from '../values/json.ts';
import { createItemList, type Item, type ItemList } from '../state/item-list.ts';
import type { Picture } from '../state/picture.ts';
import type { Tenant } from '../state/tenant.ts';

export interface ContactFolderRecord extends Item {
  readonly displayName: string;
  /** Number of the parent; 0 for the root of the mailbox. */
  readonly parent: number;
}

export interface ContactRecord extends Item {
  readonly folder: number;
  readonly contact: JsonObject;
  readonly photo: Picture | undefined;
}

export interface ContactsState {
  readonly folders: ItemList<ContactFolderRecord>;
  readonly contacts: ItemList<ContactRecord>;
}

/** The folder that lists leave out. */
export const DEFAULT_FOLDER = 1;

function generate(tenant: Tenant, owner: Person, index: number): ContactRecord {
  const random = randomOf({ seed: tenant.seed, kind: 'contact', owner: owner.id, index });
  const [company, domain] = pick(random, partners);
  const givenName = pick(random, firstNames[owner.language]);
  const surname = pick(random, lastNames[owner.language]);
  const address = `${addressName(givenName)}.${addressName(surname)}@${domain}`;
  const createdMs = tenant.epochMs - between(random, 20, 1500) * 86_400_000;
  const contact: JsonObject = {
    givenName,
    surname,
    displayName: `${givenName} ${surname}`,
    fileAs: `${surname}, ${givenName}`,
    companyName: company,
    emailAddresses: [{ name: `${givenName} ${surname}`, address }],
    businessPhones: [`+49 40 ${between(random, 100_000, 999_999)}`],
    mobilePhone: chance(random, 0.5) ? `+49 171 ${between(random, 1_000_000, 9_999_999)}` : null,
    birthday: chance(random, 0.2) ? '1980-05-17T11:59:00Z' : null,
    personalNotes: chance(random, 0.2) ? 'Met at the trade fair.' : '',
    categories: chance(random, 0.2) ? ['Green category'] : [],
  };
  return {
    number: index + 1,
    version: 0,
    createdMs,
    modifiedMs: createdMs,
    folder: index % 4 === 3 ? 2 : DEFAULT_FOLDER,
    contact,
    photo: index % 7 === 0 ? 'generated' : undefined,
  };
}

function create(tenant: Tenant, owner: Person): ContactsState {
  const isGerman = owner.language === 'de';
  const base = { version: 0, createdMs: owner.createdMs, modifiedMs: owner.createdMs };
  const folders: ContactFolderRecord[] = [
    { ...base, number: DEFAULT_FOLDER, displayName: isGerman ? 'Kontakte' : 'Contacts', parent: 0 },
    { ...base, number: 2, displayName: isGerman ? 'Lieferanten' : 'Suppliers', parent: 0 },
  ];
  const count = owner.kind === 'member' ? tenant.recipe.contactsPerUser : 0;
  return {
    folders: createItemList(folders),
    contacts: createItemList(Array.from({ length: count }, (_, index) => generate(tenant, owner, index))),
  };
}

/** The contacts of a mailbox, generated when they are touched for the first time. */
export function contactsState(tenant: Tenant, owner: Person): ContactsState {
  return tenant.store.state(`contacts/${owner.id}`, () => create(tenant, owner));
}
