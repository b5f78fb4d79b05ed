import { guidOf } from '../values/seeded.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import type { ColumnRecord } from '../places/list-records.ts';

/** Facets that tell the type of a column. */
export const COLUMN_KINDS = [
  'text',
  'number',
  'currency',
  'boolean',
  'dateTime',
  'choice',
  'personOrGroup',
  'lookup',
  'hyperlinkOrPicture',
  'geolocation',
  'term',
  'calculated',
  'thumbnail',
  'contentApprovalStatus',
] as const;

export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** The type of a column; undefined when no facet is there. */
export function kindOf(column: JsonObject): ColumnKind | undefined {
  return COLUMN_KINDS.find((kind) => isJsonObject(column[kind]));
}

const TEXT = { allowMultipleLines: false, appendChangesToExistingText: false, linesForEditing: 0, maxLength: 255 };

/** Facets of every type, as the service fills them in. */
export const DEFAULT_FACETS: Readonly<Record<ColumnKind, JsonObject>> = {
  text: TEXT,
  number: { decimalPlaces: 'automatic', displayAs: 'number', maximum: 1.7976931348623157e308, minimum: -1.7976931348623157e308 },
  currency: { locale: 'de-DE' },
  boolean: {},
  dateTime: { displayAs: 'default', format: 'dateTime' },
  choice: { allowTextEntry: false, choices: [], displayAs: 'dropDownMenu' },
  personOrGroup: { allowMultipleSelection: false, chooseFromType: 'peopleOnly', displayAs: 'nameWithPresence' },
  lookup: { allowMultipleValues: false, allowUnlimitedLength: false, columnName: 'Title', listId: '' },
  hyperlinkOrPicture: { isPicture: false },
  geolocation: {},
  term: { allowMultipleValues: false, showFullyQualifiedName: false },
  calculated: { format: 'dateOnly', formula: '', outputType: 'text' },
  thumbnail: {},
  contentApprovalStatus: {},
};

/** A column of `kind`, with what `facet` says differently. */
export function column(id: string, name: string, kind: ColumnKind, more: { facet?: JsonObject; rest?: JsonObject } = {}): ColumnRecord {
  return {
    columnGroup: 'Custom Columns',
    description: '',
    displayName: name,
    enforceUniqueValues: false,
    hidden: false,
    indexed: false,
    readOnly: kind === 'calculated',
    required: false,
    ...more.rest,
    id,
    name,
    [kind]: { ...DEFAULT_FACETS[kind], ...more.facet },
  };
}

/** A column that SharePoint makes of others: Graph knows no type for it. */
function computed(id: string, name: string, displayName: string): ColumnRecord {
  const { text: _text, ...rest } = column(id, name, 'text', { rest: { displayName, columnGroup: '_Hidden' } });
  return { ...rest, id, name };
}

function builtIn(id: string, name: string, displayName: string, kind: ColumnKind): ColumnRecord {
  return column(id, name, kind, { rest: { displayName, columnGroup: '_Hidden', readOnly: true } });
}

/** One that can't be written either and does not say so. */
function silent(id: string, name: string, displayName: string, kind: ColumnKind): ColumnRecord {
  return { ...builtIn(id, name, displayName, kind), readOnly: false };
}

/** Columns of every list, with the ids that SharePoint has for them everywhere. Not all that can't be written says so. */
export const BUILT_IN_COLUMNS: readonly ColumnRecord[] = [
  column('fa564e0f-0c70-4ab9-b863-0177e6ddd247', 'Title', 'text', { rest: { columnGroup: 'Base Columns', required: true } }),
  builtIn('1d22ea11-1e32-424e-89ab-9fedbadb6ce1', 'ID', 'ID', 'number'),
  silent('03e45e84-1992-4d42-9116-26f756012634', 'ContentType', 'Content Type', 'text'),
  builtIn('28cf69c5-fa48-462a-b5cd-27b6f9d2bd5f', 'Modified', 'Modified', 'dateTime'),
  builtIn('8c06beca-0777-48f7-91c7-6da68bc07b69', 'Created', 'Created', 'dateTime'),
  builtIn('1df5e554-ec7e-46a6-901d-d85a3881cb18', 'Author', 'Created By', 'personOrGroup'),
  builtIn('d31655d1-1d5b-4511-95a1-7a09e9b75bf2', 'Editor', 'Modified By', 'personOrGroup'),
  builtIn('dce8262a-3ae9-45aa-aab4-83bd75fb738a', '_UIVersionString', 'Version', 'text'),
  computed('67df98f4-9dec-48ff-a553-29bece9c5bf4', 'Attachments', 'Attachments'),
  computed('503f1caa-358e-4918-9094-4a2cdc4bc034', 'Edit', 'Edit'),
  computed('bc91a437-52e7-49e1-8c4e-4698904b2b6d', 'LinkTitleNoMenu', 'Title'),
  computed('82642ec8-ef9b-478f-acf9-31f7d45fbc31', 'LinkTitle', 'Title'),
  computed('081c6e4c-5c14-4f20-b23e-1a71ceb6a67c', 'DocIcon', 'Type'),
  silent('b824e17e-a1b3-426e-aecf-f0184d900485', 'ItemChildCount', 'Item Child Count', 'lookup'),
  silent('960ff01f-2b6d-4f1b-9c3f-e19ad8927341', 'FolderChildCount', 'Folder Child Count', 'lookup'),
  silent('3a6b296c-3f50-445c-a13f-9c679ea9dda3', 'ComplianceAssetId', 'Compliance Asset Id', 'text'),
  builtIn('6bfaba20-36bf-44b5-a1b2-eb6346d49716', 'AppAuthor', 'App Created By', 'lookup'),
  builtIn('e08400f3-c779-4ed2-a18c-ab7f34caa318', 'AppEditor', 'App Modified By', 'lookup'),
];

/** True for a column that nobody sets, whatever it says of itself. */
export function isFilledByService({ id, name }: ColumnRecord): boolean {
  return name !== 'Title' && BUILT_IN_COLUMNS.some((known) => known.id === id);
}

/** One column of every type that people can fill in; `peerListId` is what the lookup points to. */
export function everyKindOfColumn(seed: number, listKey: string, peerListId: string): ColumnRecord[] {
  const id = (name: string): string => guidOf(seed, 'column', listKey, name);
  const make = (name: string, kind: ColumnKind, facet?: JsonObject): ColumnRecord => column(id(name), name, kind, facet ? { facet } : {});
  return [
    make('Notes', 'text', { allowMultipleLines: true, linesForEditing: 6, textType: 'plain' }),
    make('Effort', 'number'),
    make('Budget', 'currency'),
    make('Approved', 'boolean'),
    make('Due', 'dateTime', { format: 'dateOnly' }),
    make('Status', 'choice', { choices: ['Open', 'In progress', 'Done'] }),
    make('Topics', 'choice', { choices: ['Sales', 'Technik', 'Recht'], displayAs: 'checkBoxes' }),
    make('Responsible', 'personOrGroup'),
    make('Team', 'personOrGroup', { allowMultipleSelection: true }),
    make('Contact', 'lookup', { listId: peerListId }),
    make('Link', 'hyperlinkOrPicture'),
    make('Place', 'geolocation'),
    make('Keyword', 'term'),
    make('Picture', 'thumbnail'),
    make('Label', 'calculated', { formula: '=[Status]&" "&[Title]' }),
  ];
}
