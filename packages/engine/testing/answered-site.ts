import { answered, type Answered, type ToldAs, type Values } from './answered.ts';
import type { Rig } from './rig.ts';

interface Named {
  readonly name?: string | null;
  readonly isBuiltIn?: boolean | null;
}

function byName(a: Named, b: Named): number {
  return (a.name ?? '').localeCompare(b.name ?? '');
}

/** Columns by what they are; ids are the service's. */
function columnsOf(value: unknown): readonly Values[] {
  return ((value ?? []) as readonly (Values & Named)[]).toSorted(byName).map(({ id: _id, ...says }) => says);
}

/** Everything that Graph answers for a list: itself, its columns, its content types. */
export async function answeredList(rig: Rig, siteId: string, listId: string): Promise<Answered> {
  const { columns, contentTypes: _types, ...says } = { ...(await rig.graph.sites.list({ siteId, listId })) } as Values;
  const types: Named[] = [];
  for await (const { name, description, isBuiltIn, columns: own } of rig.graph.sites.listContentTypes({ siteId, listId }))
    types.push({ name, description, isBuiltIn, columns: columnsOf(own).map((column) => column['name']) } as Named);
  return answered({ ...says, columns: columnsOf(columns), contentTypes: types.toSorted(byName) });
}

export const LIST_TOLD_AS: ToldAs = {
  columns: ['column'],
  contentTypes: ['listContentType', 'contentTypeColumns'],
  webUrl: ['listAddress'],
  name: ['listAddress'],
};

/** Fields that name the item itself, its state or its form. */
const OF_THE_ITEM =
  /^(?:id|Edit|_ComplianceFlags|_ComplianceTag|_ComplianceTagWrittenTime|_ComplianceTagUserId|AppAuthorLookupId|AppEditorLookupId|ItemChildCount|FolderChildCount|LinkTitleNoMenu|LinkTitle|_UIVersionString|DocIcon|ContentType|ContentTypeId|Attachments)$/u;

/** Everything that Graph answers for an item of a list; each field is a property of its own. */
export async function answeredRow(
  rig: Rig,
  place: { readonly siteId: string; readonly listId: string; readonly itemId: string },
): Promise<Answered> {
  const { fields, contentType, ...says } = { ...(await rig.graph.sites.item(place)) } as Values;
  const { Created, Modified, AuthorLookupId, EditorLookupId, '@odata.etag': _etag, ...values } = (fields ?? {}) as Values;
  const versions: unknown[] = [];
  for await (const version of rig.graph.sites.itemVersions(place)) versions.push(version.fields);
  const own = Object.entries(values).filter(([name]) => !OF_THE_ITEM.test(name));
  const times = { Created, Modified, AuthorLookupId, EditorLookupId };
  return answered({
    ...says,
    ...times,
    ...Object.fromEntries(own.map(([name, value]) => [`field ${name}`, value])),
    contentType: (contentType as Values | undefined)?.['name'],
    versions: versions.length > 1 ? versions.length : 0,
  });
}

const ROW_NAMES: Readonly<Record<string, readonly string[]>> = {
  Created: ['createdDateTime'],
  Modified: ['lastModifiedDateTime'],
  AuthorLookupId: ['createdBy'],
  EditorLookupId: ['lastModifiedBy'],
};

/** The report names a column by its own name, whatever the service calls its value. */
export function rowToldAs(name: string): readonly string[] {
  if (!name.startsWith('field ')) return ROW_NAMES[name] ?? [];
  const field = name.slice('field '.length);
  const columns = [field, field.replace(/LookupId$/u, '')];
  return columns.flatMap((column) =>
    ['field', 'fieldUnwritable', 'fieldRefused', 'fieldShortened', 'fieldWithoutColumn', 'fieldKept'].map((told) => `${told} ${column}`),
  );
}

/** Everything that Graph answers for a page. */
export async function answeredPage(rig: Rig, siteId: string, pageId: string): Promise<Answered> {
  const { publishingState, ...says } = { ...(await rig.graph.sites.page({ siteId, pageId })) } as Values;
  return answered({ ...says, publishingLevel: (publishingState as Values | undefined)?.['level'] });
}

export const PAGE_TOLD_AS: ToldAs = { canvasLayout: ['webParts'] };
