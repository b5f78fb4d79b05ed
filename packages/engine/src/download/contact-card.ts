import type { JsonObject } from '../ports/item.ts';

interface StoredContact {
  readonly displayName?: string | null;
  readonly givenName?: string | null;
  readonly surname?: string | null;
  readonly middleName?: string | null;
  readonly title?: string | null;
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
}

interface PostalAddress {
  readonly street?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly postalCode?: string | null;
  readonly countryOrRegion?: string | null;
}

function escape(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll(/\r?\n/gu, '\\n');
}

function address(kind: string, value: PostalAddress | null | undefined): readonly string[] {
  if (!value || Object.values(value).every((part) => !part)) return [];
  const { street, city, state, postalCode, countryOrRegion } = value;
  return [`ADR;TYPE=${kind}:;;${[street, city, state, postalCode, countryOrRegion].map(escape).join(';')}`];
}

function optional(name: string, value: string | null | undefined): readonly string[] {
  return value ? [`${name}:${escape(value)}`] : [];
}

/** A contact as a vCard 3.0, with its photo when there is one. */
export function contactCard(stored: JsonObject, photo: Uint8Array | undefined): string {
  const contact = stored as unknown as StoredContact;
  const { surname, givenName, middleName, title } = contact;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${[surname, givenName, middleName, title, ''].map(escape).join(';')}`,
    `FN:${escape(contact.displayName)}`,
    ...(contact.companyName ? [`ORG:${escape(contact.companyName)};${escape(contact.department)}`] : []),
    ...optional('TITLE', contact.jobTitle),
    ...(contact.emailAddresses ?? []).flatMap((mail) => optional('EMAIL;TYPE=INTERNET', mail.address)),
    ...optional('TEL;TYPE=CELL', contact.mobilePhone),
    ...(contact.businessPhones ?? []).flatMap((phone) => optional('TEL;TYPE=WORK', phone)),
    ...(contact.homePhones ?? []).flatMap((phone) => optional('TEL;TYPE=HOME', phone)),
    ...address('WORK', contact.businessAddress),
    ...address('HOME', contact.homeAddress),
    ...optional('BDAY', contact.birthday?.slice(0, 10)),
    ...optional('NOTE', contact.personalNotes),
    ...(photo ? [`PHOTO;ENCODING=b;TYPE=JPEG:${Buffer.from(photo).toString('base64')}`] : []),
    'END:VCARD',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
