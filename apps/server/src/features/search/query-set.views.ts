import { FOREVER } from '@holdfast/database';
import type { FieldName, Identifier } from '@holdfast/contract/query/fields';
import { isIdentifier } from '@holdfast/contract/query/identifiers';
import type { Query, RangeTerm, Term, TextTerm, ValueTerm } from '@holdfast/contract/query/tree';
import { spellingsOf, wordsOf } from '@holdfast/contract/query/words';
import { sortText } from '@holdfast/foundation/text';
import { sql, type RawBuilder } from 'kysely';
import { isPrivate } from '../content-access/index.ts';
import { likePattern } from '../../http/paging.ts';
import { spanOfTime } from './search-times.ts';
import { identifierLexeme } from './lexemes.ts';
import { keyOfMark, type MarkConditions } from './query-marks.ts';
import { anyValueQuery, nearQuery, termQueries, type Vocabulary } from './tsquery.ts';

/** What a query depends on besides its text. */
export interface QueryWorld {
  readonly known: Vocabulary;
  readonly nowMs: number;
  readonly timeZone: string;
  /** What the marks of the query stand for, for whoever asks. */
  readonly marks: MarkConditions;
  /** Looks only at versions from a time on: the newest hits are found without all others. Everything when absent. */
  readonly since?: Date | undefined;
}

type Sql = RawBuilder<unknown>;

/** Where versions end that nothing has replaced: see the migration of the catalog. */
const ours = sql`organisation_id = holdfast.organisation() and realm = holdfast.realm()`;

/** The workload of a `resource`. Archives are of mail: whoever looks for mail looks for theirs as well. */
export const searchedWorkload: Sql = sql`coalesce(nullif(resource.workload, 'archive'), 'exchange')`;

const nothing: Sql = sql`(select item_no from search_items where false)`;
const DAY_MS = 86_400_000;

function isSince({ since }: QueryWorld): Sql {
  return since ? sql`item.at >= ${since}` : sql`true`;
}

function itemsWhere(condition: Sql, world: QueryWorld): Sql {
  return sql`(select item_no from search_items item where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
    and ${isSince(world)} and ${condition})`;
}

const everything = (world: QueryWorld): Sql => itemsWhere(sql`true`, world);

function itemsWithWords(query: string | undefined, { since }: QueryWorld): Sql {
  if (query === undefined) return nothing;
  const leaf = since ? Math.floor(since.getTime() / DAY_MS) : null;
  return sql`(select holdfast.items_with_words(${query}::tsquery, ${leaf}) as item_no)`;
}

/** Comparisons count a day, month or year as a whole: after May begins with June. */
function timeCondition(column: Sql, term: RangeTerm, world: QueryWorld): Sql {
  const span = (text: string) => spanOfTime(text, world.nowMs, world.timeZone);
  const low = term.low === null ? undefined : term.withLow ? span(term.low).from : span(term.low).before;
  const high = term.high === null ? undefined : term.withHigh ? span(term.high).before : span(term.high).from;
  return sql`${low ? sql`${column} >= ${low}` : sql`true`} and ${high ? sql`${column} < ${high}` : sql`true`}`;
}

function numberCondition(column: Sql, { low, high, withLow, withHigh }: RangeTerm): Sql {
  const above = low === null ? sql`true` : withLow ? sql`${column} >= ${Number(low)}::numeric` : sql`${column} > ${Number(low)}::numeric`;
  const below =
    high === null ? sql`true` : withHigh ? sql`${column} <= ${Number(high)}::numeric` : sql`${column} < ${Number(high)}::numeric`;
  return sql`${above} and ${below}`;
}

const version = sql`version.organisation_id = item.organisation_id and version.realm = item.realm and version.source_id = item.source_id
  and version.item_key = item.item_key`;

/** Versions that the newest restore point of their source up to the end of a time shows. */
function keptAt(term: RangeTerm, world: QueryWorld): Sql {
  const until = spanOfTime(term.high ?? term.low ?? 'today', world.nowMs, world.timeZone).before;
  return itemsWhere(
    sql`exists (select from catalog_items version join lateral (
      select max(sequence) as sequence from catalog_points point where point.organisation_id = item.organisation_id
        and point.realm = item.realm and point.source_id = item.source_id and point.committed_at < ${until}) shown
      on version.from_point <= shown.sequence and version.to_point > shown.sequence
    where ${version} and version.from_point = item.from_point)`,
    world,
  );
}

/** Items with an electronic invoice of which something is true. */
function invoicesWhere(condition: Sql, world: QueryWorld): Sql {
  return itemsWhere(
    sql`exists (select from search_invoices invoice where invoice.organisation_id = item.organisation_id and invoice.realm = item.realm
      and invoice.item_no = item.item_no and ${condition})`,
    world,
  );
}

/** Words in a row of a text that was kept with a space around each. */
function invoiceText(column: Sql, term: TextTerm, world: QueryWorld): Sql {
  const patterns = spellingsOf(term.text).map((text) => {
    const words = [...wordsOf(text)].join(' ');
    if (term.match === 'exactly') return sql`${column} = ${` ${words} `}`;
    return sql`${column} like ${likePattern(`${term.openStart ? '' : ' '}${words}${term.openEnd ? '' : ' '}`)}`;
  });
  return invoicesWhere(sql`(${sql.join(patterns, sql` or `)})`, world);
}

/** An invoice has a day and not a moment: the days of a query count as they are written. */
function invoiceDay(term: RangeTerm, world: QueryWorld): Sql {
  const day = (moment: Date): string =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(world.timeZone).toPlainDate().toString();
  const span = (text: string) => spanOfTime(text, world.nowMs, world.timeZone);
  const low = term.low === null ? null : day(term.withLow ? span(term.low).from : span(term.low).before);
  const high = term.high === null ? null : day(term.withHigh ? span(term.high).before : span(term.high).from);
  return invoicesWhere(
    sql`invoice.issued_on is not null and (${low}::date is null or invoice.issued_on >= ${low}::date) and (${high}::date is null or invoice.issued_on < ${high}::date)`,
    world,
  );
}

/** Times that not every item says of itself. */
const saidTimes: Readonly<Partial<Record<FieldName, Sql>>> = { sent: sql`item.sent_at`, archived: sql`item.archived_at` };

function rangeSet(term: RangeTerm, world: QueryWorld): Sql {
  if (term.field === 'invoice.date') return invoiceDay(term, world);
  if (term.field === 'invoice.total')
    return invoicesWhere(sql`invoice.total is not null and ${numberCondition(sql`invoice.total`, term)}`, world);
  if (term.field === 'at') return keptAt(term, world);
  const said = saidTimes[term.field];
  if (said) return itemsWhere(sql`${said} is not null and ${timeCondition(said, term, world)}`, world);
  if (term.field === 'size') return itemsWhere(numberCondition(sql`item.size_bytes`, term), world);
  if (term.field === 'attachments') return itemsWhere(numberCondition(sql`item.attachments`, term), world);
  return itemsWhere(timeCondition(sql`item.at`, term, world), world);
}

const valueConditions: Readonly<Partial<Record<FieldName, (value: string) => Sql>>> = {
  kind: (value) => sql`item.kind = ${value}`,
  workload: (value) =>
    sql`exists (select from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
      where source.organisation_id = item.organisation_id and source.realm = item.realm and source.source_id = item.source_id
        and ${searchedWorkload} = ${value})`,
  importance: (value) => sql`item.importance = ${value}`,
  language: (value) => sql`item.language = ${value}`,
  journaled: (value) => sql`item.is_journaled = ${value === 'true'}`,
  isread: (value) => sql`item.is_read = ${value === 'true'}`,
  signed: (value) => sql`item.is_signed = ${value === 'true'}`,
  encrypted: (value) => sql`item.is_encrypted = ${value === 'true'}`,
  filetype: (value) => sql`item.file_type = ${value.toLowerCase()}`,
  hasattachment: (value) => sql`(item.attachments > 0) = ${value === 'true'}`,
  partial: (value) =>
    sql`(item.state in ('encrypted', 'unsupported', 'tooLarge', 'failed') or exists (select from search_scans scan
      where scan.organisation_id = item.organisation_id and scan.realm = item.realm and scan.item_no = item.item_no
        and scan.state = 'failed')) = ${value === 'true'}`,
  // What an archive has is never deleted: an erased message leaves it in every version.
  deleted: (value) =>
    sql`(not exists (select from catalog_items version where ${version} and version.to_point = ${FOREVER})) = ${value === 'true'}`,
  sensitive: (value) =>
    sql`exists (select from search_sensitive found where found.organisation_id = item.organisation_id and found.realm = item.realm
      and found.item_no = item.item_no and lower(found.kind) = ${value})`,
  label: (value) =>
    sql`exists (select from search_labels label where label.organisation_id = item.organisation_id and label.realm = item.realm
      and label.item_no = item.item_no and (label.label_id = lower(${value}) or lower(label.name) = lower(${value})))`,
  private: (value) => sql`${isPrivate(sql`item.content_hash`)} = ${value === 'true'}`,
  hash: (value) => sql`item.content_hash = ${value.toLowerCase()}`,
};

/** What has an identifier; what Microsoft 365 calls an item is its key as well, except in an archive. */
function identifiedSet(field: Identifier, value: string, world: QueryWorld): Sql {
  const found = itemsWithWords(`'${identifierLexeme(field, value)}'`, world);
  return field === 'id' ? joined([itemsWhere(sql`item.item_key = ${value}`, world), found], 'union') : found;
}

function valueSet({ field, value }: ValueTerm, world: QueryWorld): Sql {
  if (isIdentifier(field)) return identifiedSet(field, value, world);
  const compact = value.replaceAll(/\s/gu, '').toUpperCase();
  if (field === 'invoice.iban') return invoicesWhere(sql`invoice.iban = ${compact}`, world);
  if (field === 'invoice.vatid') return invoicesWhere(sql`invoice.vat_id = ${compact}`, world);
  const condition = valueConditions[field];
  return condition ? itemsWhere(condition(value), world) : nothing;
}

/** Every folder under the name that it had last. */
export const namedFolders: Sql = sql`(select distinct on (source_id, item_key) source_id, item_key, parent_key, kind, name, sort_name
  from catalog_items
  where ${ours} and is_container order by source_id, item_key, from_point desc)`;

/** The folders where an archived message of the alias `version` was, by their paths and by their names. */
export const archivedFolders: Sql = sql`(select place ->> 'folder' as path, regexp_replace(place ->> 'folder', '^.*/', '') as name
  from json_array_elements(case when json_typeof(version.detail -> 'properties' -> 'placements') = 'array'
    then version.detail -> 'properties' -> 'placements' end) place)`;

/** Items of the resources whose name or address holds the words, or is the text. */
function mailboxSet({ text, match }: TextTerm, world: QueryWorld): Sql {
  const isExact = match === 'exactly';
  const matches = isExact
    ? sql`(lower(resource.name) = lower(${text}) or lower(resource.address) = lower(${text}))`
    : sql`(lower(resource.name) like ${likePattern(sortText(text))} or lower(resource.address) like ${likePattern(text.toLowerCase())})`;
  return sql`(select item.item_no from search_items item
    join catalog_sources source on source.organisation_id = item.organisation_id and source.realm = item.realm and source.source_id = item.source_id
    join resources resource on resource.organisation_id = item.organisation_id and resource.realm = item.realm
      and resource.resource_id = source.resource_id
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and ${isSince(world)} and ${matches})`;
}

/** Items in the folders of which something is true; unless only they are meant, those of the folders below as well. */
function inFolders(matches: Sql, isExact: boolean, world: QueryWorld): Sql {
  const below = sql`union select child.source_id, child.item_key from catalog_items child
    join folder on folder.source_id = child.source_id and folder.item_key = child.parent_key
    where child.organisation_id = holdfast.organisation() and child.realm = holdfast.realm() and child.is_container`;
  return sql`with recursive folder as (
      select source_id, item_key from ${namedFolders} named where ${matches} ${isExact ? sql`` : below})
    select item.item_no from search_items item join catalog_items version on ${version} and version.from_point = item.from_point
    join folder on folder.source_id = version.source_id and folder.item_key = version.parent_key
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and ${isSince(world)}`;
}

/** Items in folders of a name; unless it is exact, those of the folders below as well. */
function folderSet({ text, match }: TextTerm, world: QueryWorld): Sql {
  const isExact = match === 'exactly';
  const matches = isExact ? sql`lower(name) = lower(${text})` : sql`sort_name like ${likePattern(sortText(text))}`;
  const wasThere = isExact ? sql`lower(archived.name) = lower(${text})` : sql`lower(archived.path) like ${likePattern(text.toLowerCase())}`;
  return sql`(${inFolders(matches, isExact, world)} union ${wereInFolders(wasThere, world)})`;
}

/** Archived messages of which something is true of a folder where they were. */
function wereInFolders(wasThere: Sql, world: QueryWorld): Sql {
  return sql`select item.item_no from catalog_sources source
    join resources archive using (organisation_id, realm, resource_id)
    join search_items item using (organisation_id, realm, source_id)
    join catalog_items version on ${version} and version.from_point = item.from_point
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm() and archive.kind = 'archive' and ${isSince(world)}
      and exists (select from ${archivedFolders} archived where ${wasThere})`;
}

/** What was written, where the whole of it is looked for: a star is one of its characters. */
const literalText = ({ text, openStart, openEnd }: TextTerm): string => `${openStart ? '*' : ''}${text}${openEnd ? '*' : ''}`;

/** Items in a folder by what Microsoft 365 calls it; archived messages remember the folder alone that they were in. */
function folderIdSet(term: TextTerm, world: QueryWorld): Sql {
  const id = literalText(term);
  const here = inFolders(sql`item_key = ${id}`, term.match === 'exactly', world);
  return sql`((${here}) union ${identifiedSet('folderid', id, world)})`;
}

/** Folders by their names from the top; on the way down only those are followed that the path goes through. */
function pathSet(term: TextTerm, world: QueryWorld): Sql {
  const isExact = term.match === 'exactly';
  const path = literalText(term).replace(/^\/+|\/+$/gu, '');
  const isOnTheWay = (at: Sql): Sql => sql`(lower(${path}) = ${at} or starts_with(lower(${path}), ${at} || '/'))`;
  const placed = sql`(with recursive named as materialized (select * from ${namedFolders} every), placed as (
      select source_id, item_key, lower(name) as path from named where kind <> 'area' and ${isOnTheWay(sql`lower(name)`)}
        and not exists (select from named above where above.source_id = named.source_id and above.item_key = named.parent_key and above.kind <> 'area')
      union all select child.source_id, child.item_key, placed.path || '/' || lower(child.name) from named child
        join placed on placed.source_id = child.source_id and placed.item_key = child.parent_key
        where ${isOnTheWay(sql`placed.path || '/' || lower(child.name)`)})
    select source_id, item_key from placed where path = lower(${path}))`;
  const wasThere = isExact
    ? sql`lower(archived.path) = lower(${path})`
    : sql`starts_with(lower(archived.path) || '/', lower(${path}) || '/')`;
  return sql`(${inFolders(sql`(source_id, item_key) in ${placed}`, isExact, world)} union ${wereInFolders(wasThere, world)})`;
}

/** What people have put on items. A mark that the searcher may not see is on nothing. */
function markSet(term: TextTerm, world: QueryWorld): Sql {
  return itemsWhere(world.marks.get(keyOfMark(term)) ?? sql`false`, world);
}

/** Texts that are kept beside the words. */
const textSets: Readonly<Partial<Record<FieldName, (term: TextTerm, world: QueryWorld) => Sql>>> = {
  mailbox: mailboxSet,
  folder: folderSet,
  folderid: folderIdSet,
  path: pathSet,
  hold: markSet,
  policy: markSet,
  case: markSet,
  tag: markSet,
  note: markSet,
  'invoice.number': (term, world) => invoiceText(sql`invoice.number`, term, world),
  'invoice.seller': (term, world) => invoiceText(sql`invoice.seller`, term, world),
};

function termSet(term: Term, world: QueryWorld): Sql {
  if (term.kind === 'range') return rangeSet(term, world);
  if (term.kind === 'value') return valueSet(term, world);
  if (term.kind === 'empty') {
    const any = anyValueQuery(term.field);
    return any === undefined ? nothing : sql`(${everything(world)} except ${itemsWithWords(any, world)})`;
  }
  const beside = term.field === null ? undefined : textSets[term.field];
  if (beside) return beside(term, world);
  const [first = nothing, ...more] = termQueries(term, world.known).map((query) => itemsWithWords(query, world));
  return more.length === 0 ? first : joined([first, ...more], 'union');
}

function joined(sets: readonly Sql[], operator: 'intersect' | 'union'): Sql {
  return sql`(${sql.join(sets, sql.raw(` ${operator} `))})`;
}

/** The numbers of the items that a query finds: sets of items, never conditions on one row of words. */
export function setOf(query: Query, world: QueryWorld): Sql {
  switch (query.kind) {
    case 'everything':
      return everything(world);
    case 'and':
      return joined(
        query.of.map((one) => setOf(one, world)),
        'intersect',
      );
    case 'or':
      return joined(
        query.of.map((one) => setOf(one, world)),
        'union',
      );
    case 'not':
      return sql`(${everything(world)} except ${setOf(query.of, world)})`;
    case 'near':
      return itemsWithWords(nearQuery(query, world.known), world);
    case 'text':
    case 'value':
    case 'empty':
    case 'range':
      return termSet(query, world);
  }
}
