import type { JsonObject } from '../ports/item.ts';
import { foldLine, plainValue, textValue } from './text-lines.ts';

interface StoredContact {
  readonly displayName?: string | null;
  readonly givenName?: string | null;
  readonly surname?: string | null;
  readonly middleName?: string | null;
  readonly title?: string | null;
  readonly generation?: string | null;
  readonly nickName?: string | null;
  readonly categories?: readonly string[] | null;
  readonly businessHomePage?: string | null;
  readonly companyName?: string | null;
  readonly department?: string | null;
  readonly jobTitle?: string | null;
  readonly birthday?: string | null;
  readonly personalNotes?: string | null;
  readonly mobilePhone?: string | null;
  readonly businessPhones?: readonly string[] | null;
  readonly homePhones?: readonly string[] | null;
  readonly emailAddresses?: readonly { readonly address?: string | null }[] | null;
  readonly businessAddress?: PostalAddress | null;
  readonly homeAddress?: PostalAddress | null;
  readonly otherAddress?: PostalAddress | null;
}

interface PostalAddress {
  readonly street?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly postalCode?: string | null;
  readonly countryOrRegion?: string | null;
}

/** A card without a name is refused by many programs: what people would call it else. */
function shownName(contact: StoredContact): string {
  const { displayName, givenName, surname, companyName, emailAddresses } = contact;
  const full = [givenName, surname].filter((part) => part).join(' ');
  return [displayName, full, companyName, emailAddresses?.[0]?.address].find((name) => name) ?? '';
}

/** What the bytes of a picture say that they are. */
function pictureType(photo: Uint8Array): string {
  if (photo[0] === 0x89 && photo[1] === 0x50) return 'PNG';
  return photo[0] === 0x47 && photo[1] === 0x49 ? 'GIF' : 'JPEG';
}

function address(kind: string, value: PostalAddress | null | undefined): readonly string[] {
  if (!value || Object.values(value).every((part) => !part)) return [];
  const { street, city, state, postalCode, countryOrRegion } = value;
  return [`ADR;TYPE=${kind}:;;${[street, city, state, postalCode, countryOrRegion].map(textValue).join(';')}`];
}

function optional(name: string, value: string | null | undefined): readonly string[] {
  return value ? [`${name}:${textValue(value)}`] : [];
}

/** A contact as a vCard 3.0, with its photo when there is one. */
export function contactCard(stored: JsonObject, photo: Uint8Array | undefined): string {
  const contact = stored as unknown as StoredContact;
  const { surname, givenName, middleName, title, generation, companyName, department } = contact;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${[surname, givenName, middleName, title, generation].map(textValue).join(';')}`,
    `FN:${textValue(shownName(contact))}`,
    ...optional('NICKNAME', contact.nickName),
    ...(companyName || department ? [`ORG:${[companyName, department].map(textValue).join(';')}`] : []),
    ...optional('TITLE', contact.jobTitle),
    ...(contact.emailAddresses ?? []).flatMap((mail) => (mail.address ? [`EMAIL;TYPE=INTERNET:${plainValue(mail.address)}`] : [])),
    ...optional('TEL;TYPE=CELL', contact.mobilePhone),
    ...(contact.businessPhones ?? []).flatMap((phone) => optional('TEL;TYPE=WORK', phone)),
    ...(contact.homePhones ?? []).flatMap((phone) => optional('TEL;TYPE=HOME', phone)),
    ...address('WORK', contact.businessAddress),
    ...address('HOME', contact.homeAddress),
    ...address('POSTAL', contact.otherAddress),
    ...(contact.businessHomePage ? [`URL:${plainValue(contact.businessHomePage)}`] : []),
    ...optional('BDAY', contact.birthday?.slice(0, 10)),
    ...(contact.categories?.length ? [`CATEGORIES:${contact.categories.map(textValue).join(',')}`] : []),
    ...optional('NOTE', contact.personalNotes),
    ...(photo ? [`PHOTO;ENCODING=b;TYPE=${pictureType(photo)}:${Buffer.from(photo).toString('base64')}`] : []),
    'END:VCARD',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
