import type { ItemVersion, Json, JsonObject } from '../ports/item.ts';
import { htmlText } from '../shared/html-text.ts';
import { blank, instantOf, readable, type ItemPreview, type PreviewProperty } from './item-preview.ts';

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}

function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function listAt(value: Json | undefined, name: string): readonly Json[] {
  const found = at(value, name);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

type Fact = ItemPreview['properties'][number];

/** The facts that have a value. */
function facts(values: Readonly<Partial<Record<PreviewProperty, string | undefined>>>): readonly Fact[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [{ name: name as PreviewProperty, value: value.slice(0, 2_000) }],
  );
}

function bodyText(body: Json | undefined): string | null {
  const content = textAt(body, 'content');
  if (content === undefined) return null;
  return readable(textAt(body, 'contentType')?.toLowerCase() === 'html' ? htmlText(content) : content);
}

function person(value: Json | undefined): string | undefined {
  const address = textAt(value, 'emailAddress', 'address') ?? textAt(value, 'address');
  const name = textAt(value, 'emailAddress', 'name') ?? textAt(value, 'name');
  if (name === undefined || name === address) return address;
  return address === undefined ? name : `${name} <${address}>`;
}

function people(list: readonly Json[]): string[] {
  return list.flatMap((one) => person(one) ?? []);
}

function who(value: Json | undefined): string | undefined {
  return textAt(value, 'user', 'displayName') ?? textAt(value, 'user', 'email') ?? textAt(value, 'application', 'displayName');
}

/** A time with the zone it was written in. */
function zoned(value: Json | undefined): string | undefined {
  const time = textAt(value, 'dateTime');
  if (time === undefined) return undefined;
  return `${time.slice(0, 16).replace('T', ' ')} ${textAt(value, 'timeZone') ?? ''}`.trim();
}

function instantIn(value: Json | undefined): string | null {
  const zone = textAt(value, 'timeZone');
  const time = textAt(value, 'dateTime');
  return zone === 'UTC' && time !== undefined ? instantOf(`${time.replace(/Z$/u, '').slice(0, 23)}Z`) : null;
}

function eventPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  const start = at(stored, 'start');
  return {
    ...blank(item.kind, textAt(stored, 'subject') ?? item.name),
    from: person(at(stored, 'organizer')) ?? null,
    to: people(listAt(stored, 'attendees')),
    at: instantIn(start),
    text: bodyText(at(stored, 'body')),
    properties: facts({ start: zoned(start), end: zoned(at(stored, 'end')), location: textAt(stored, 'location', 'displayName') }),
  };
}

function phonesOf(stored: JsonObject): string {
  const lists = [...listAt(stored, 'businessPhones'), ...listAt(stored, 'homePhones')];
  return [textAt(stored, 'mobilePhone'), ...lists].filter((phone) => typeof phone === 'string').join(', ');
}

function contactPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  const place = (name: string): string =>
    ['street', 'postalCode', 'city', 'countryOrRegion'].flatMap((part) => textAt(stored, name, part) ?? []).join(', ');
  return {
    ...blank(item.kind, textAt(stored, 'displayName') ?? item.name),
    text: readable(textAt(stored, 'personalNotes')),
    properties: facts({
      company: textAt(stored, 'companyName'),
      jobTitle: textAt(stored, 'jobTitle'),
      email: people(listAt(stored, 'emailAddresses')).join(', '),
      phone: phonesOf(stored),
      address: place('businessAddress') || place('homeAddress'),
    }),
  };
}

function taskPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  return {
    ...blank(item.kind, textAt(stored, 'title') ?? item.name),
    at: instantOf(textAt(stored, 'createdDateTime')),
    text: bodyText(at(stored, 'body')),
    properties: facts({
      status: textAt(stored, 'status'),
      due: zoned(at(stored, 'dueDateTime')),
      importance: textAt(stored, 'importance'),
    }),
  };
}

function postPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  return {
    ...blank(item.kind, textAt(stored, 'subject') ?? item.name),
    from: who(at(stored, 'from')) ?? null,
    at: instantOf(textAt(stored, 'createdDateTime') ?? item.createdAt),
    text: bodyText(at(stored, 'body')),
  };
}

/** A message whose MIME could not be had: what the service told of it. */
function messagePreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  return {
    ...blank(item.kind, textAt(stored, 'subject') ?? item.name),
    from: person(at(stored, 'from')) ?? null,
    to: people(listAt(stored, 'toRecipients')),
    cc: people(listAt(stored, 'ccRecipients')),
    at: instantOf(textAt(stored, 'receivedDateTime') ?? textAt(stored, 'sentDateTime') ?? item.createdAt),
    text: bodyText(at(stored, 'body')),
  };
}

function valueText(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'object') {
    const name = textAt(value, 'LookupValue') ?? textAt(value, 'Email') ?? textAt(value, 'displayName');
    return name ?? (Array.isArray(value) ? value.map((one) => valueText(one as Json)).join(', ') : JSON.stringify(value));
  }
  return String(value);
}

const MAX_FIELDS = 200;

function fieldsOf(values: Json | undefined): ItemPreview['fields'] {
  if (!isObject(values)) return [];
  return Object.entries(values)
    .filter(([name]) => !name.startsWith('@') && !name.startsWith('_'))
    .map(([name, value]) => ({ name, value: valueText(value).slice(0, 2_000) }))
    .filter(({ value }) => value !== '')
    .slice(0, MAX_FIELDS);
}

function listItemPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  return {
    ...blank(item.kind, textAt(stored, 'fields', 'Title') ?? item.name),
    at: instantOf(item.modifiedAt ?? item.createdAt),
    properties: facts({ createdBy: who(at(stored, 'createdBy')), modifiedBy: who(at(stored, 'lastModifiedBy')) }),
    fields: fieldsOf(at(stored, 'fields') ?? at(item.properties, 'fields')),
  };
}

function textParts(value: Json | undefined, into: string[]): readonly string[] {
  if (Array.isArray(value)) for (const one of value as readonly Json[]) textParts(one, into);
  else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      if (name === 'innerHtml' && typeof part === 'string') into.push(htmlText(part));
      else textParts(part, into);
    }
  }
  return into;
}

function pagePreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  const parts = [textAt(stored, 'description') ?? '', ...textParts(at(stored, 'canvasLayout'), [])];
  return {
    ...blank(item.kind, textAt(stored, 'title') ?? item.name),
    at: instantOf(item.modifiedAt ?? item.createdAt),
    text: readable(parts.filter((part) => part !== '').join('\n\n')),
    properties: facts({ createdBy: who(at(stored, 'createdBy')), modifiedBy: who(at(stored, 'lastModifiedBy')) }),
  };
}

function otherPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  const scalars = Object.fromEntries(Object.entries(stored).filter(([, value]) => typeof value !== 'object'));
  return { ...blank(item.kind, item.name), at: instantOf(item.modifiedAt ?? item.createdAt), fields: fieldsOf(scalars) };
}

type Show = (item: ItemVersion, stored: JsonObject) => ItemPreview;

const shows: Readonly<Partial<Record<ItemVersion['kind'], Show>>> = {
  event: eventPreview,
  contact: contactPreview,
  task: taskPreview,
  post: postPreview,
  reply: postPreview,
  chatMessage: postPreview,
  message: messagePreview,
  listItem: listItemPreview,
  page: pagePreview,
};

/** An item that is kept as the service's JSON, made readable. */
export function jsonPreview(item: ItemVersion, stored: JsonObject): ItemPreview {
  return (shows[item.kind] ?? otherPreview)(item, stored);
}
