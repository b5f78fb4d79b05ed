import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import type { JsonObject } from '../values/json.ts';
import { answerTo, collection, type DocumentedRow, entity, missingRows } from '../testing/documented-rows.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import type { Shape } from '../testing/shape.ts';
import { placesOf } from '../places/places.ts';
import { sitesWorkload } from './sites-workload.ts';

const text = 'string';
const flag = 'boolean';
const person: Shape = { user: { email: text, id: text, displayName: text } };
const app: Shape = { application: { id: text, displayName: text } };
const times = { createdDateTime: text, lastModifiedDateTime: text };

const site = {
  id: text,
  name: text,
  displayName: text,
  description: text,
  webUrl: text,
  ...times,
  isPersonalSite: flag,
  siteCollection: { hostname: text },
  root: {},
};
const rootSite = { ...site, siteCollection: { hostname: text, root: {} } };
const list = {
  '@odata.etag': text,
  id: text,
  name: text,
  displayName: text,
  description: text,
  eTag: text,
  webUrl: text,
  ...times,
  createdBy: { user: { displayName: text } },
  parentReference: { siteId: text },
  list: { contentTypesEnabled: flag, hidden: flag, template: text },
};
const textColumn = { allowMultipleLines: flag, appendChangesToExistingText: flag, linesForEditing: 'number', maxLength: 'number' };
const column = {
  columnGroup: text,
  description: text,
  displayName: text,
  enforceUniqueValues: flag,
  hidden: flag,
  indexed: flag,
  readOnly: flag,
  required: flag,
  id: text,
  name: text,
  text: textColumn,
};
const notesColumn = { ...column, text: { ...textColumn, textType: text } };
const contentType = {
  id: text,
  name: text,
  description: text,
  group: text,
  hidden: flag,
  isBuiltIn: flag,
  readOnly: flag,
  sealed: flag,
  parentId: text,
};

const ofTheService = {
  '@odata.etag': text,
  id: text,
  ContentType: text,
  Modified: text,
  Created: text,
  AuthorLookupId: text,
  EditorLookupId: text,
  _UIVersionString: text,
  Attachments: flag,
  Edit: text,
  LinkTitle: text,
  LinkTitleNoMenu: text,
  ItemChildCount: text,
  FolderChildCount: text,
};
const fields = { ...ofTheService, Title: text, Company: text, EMail: text, Phone: text };

function row(by: Shape, more: { readonly [name: string]: Shape } = {}): { readonly [name: string]: Shape } {
  return {
    '@odata.etag': text,
    id: text,
    eTag: text,
    ...times,
    webUrl: text,
    createdBy: by,
    lastModifiedBy: by,
    parentReference: { id: text, siteId: text },
    contentType: { id: text, name: text },
    ...more,
  };
}

function page(by: Shape): { readonly [name: string]: Shape } {
  const publishingState = { level: text, versionId: text };
  return {
    '@odata.type': text,
    '@odata.etag': text,
    id: text,
    eTag: text,
    name: text,
    title: text,
    pageLayout: text,
    webUrl: text,
    ...times,
    lastModifiedBy: by,
    parentReference: { siteId: text },
    publishingState,
  };
}

const titleArea = {
  enableGradientEffect: flag,
  imageWebUrl: text,
  layout: text,
  showAuthor: flag,
  showPublishedDate: flag,
  showTextBlockAboveTitle: flag,
  textAboveTitle: text,
  textAlignment: text,
};
const wholePage = { promotionKind: text, showComments: flag, showRecommendedPages: flag, thumbnailWebUrl: text, titleArea };
const textPart = { '@odata.type': text, id: text, innerHtml: text };
const canvasLayout = {
  horizontalSections: [{ layout: text, id: text, emphasis: text, columns: [{ id: text, width: 'number', webparts: [textPart] }] }],
  verticalSection: null,
};

const at = (sim: InProcess): string => `/sites/${placesOf(sim.tenant).sites.find((place) => place.lists > 1)?.id ?? ''}`;
const contacts = (sim: InProcess): string => `${at(sim)}/lists/Contacts`;
const newPage: JsonObject = { '@odata.type': '#microsoft.graph.sitePage', name: 'New.aspx', title: 'New', titleArea: { layout: 'plain' } };

async function pageOf(sim: InProcess, more: string): Promise<string> {
  const { entries } = await sim.all(`${at(sim)}/pages`);
  return `${at(sim)}/pages/${entries[1]?.['id'] as string}${more}`;
}

const rows: readonly DocumentedRow[] = [
  { row: 'GET /sites/getAllSites', ask: () => '/sites/getAllSites', status: 200, shape: collection(rootSite) },
  {
    row: 'GET /sites/delta',
    ask: () => '/sites/delta',
    status: 200,
    shape: { '@odata.context': text, '@odata.deltaLink': text, value: [rootSite] },
  },
  { row: 'GET /sites', ask: () => '/sites?search=Intranet', status: 200, shape: collection(site) },
  { row: 'GET /sites/{id}', ask: at, status: 200, shape: entity(site) },
  {
    row: 'GET /sites/{id}/sites',
    ask: (sim) => `/sites/${placesOf(sim.tenant).sites.find((place) => place.displayName === 'Vertrieb')?.id ?? ''}/sites`,
    status: 200,
    shape: collection(Object.fromEntries(Object.entries(site).filter(([name]) => name !== 'root'))),
  },
  { row: 'GET /sites/{id}/lists', ask: (sim) => `${at(sim)}/lists`, status: 200, shape: collection(list) },
  {
    row: 'POST /sites/{id}/lists',
    ask: (sim) => `${at(sim)}/lists`,
    body: { displayName: 'New', list: { template: 'genericList' } },
    status: 201,
    shape: entity(list),
  },
  {
    row: 'GET /sites/{id}/lists/{id}',
    ask: (sim) => `${contacts(sim)}?$expand=columns,contentTypes`,
    status: 200,
    shape: entity({ ...list, columns: [column], contentTypes: [contentType] }),
  },
  { row: 'DELETE /sites/{id}/lists/{id}', ask: contacts, status: 204 },
  { row: 'GET /sites/{id}/lists/{id}/columns', ask: (sim) => `${contacts(sim)}/columns`, status: 200, shape: collection(column) },
  {
    row: 'POST /sites/{id}/lists/{id}/columns',
    ask: (sim) => `${contacts(sim)}/columns`,
    body: { name: 'Nick', text: {} },
    status: 201,
    shape: entity(column),
  },
  { row: 'GET /sites/{id}/columns', ask: (sim) => `${at(sim)}/columns`, status: 200, shape: collection(column) },
  { row: 'GET /sites/{id}/contentTypes', ask: (sim) => `${at(sim)}/contentTypes`, status: 200, shape: collection(contentType) },
  {
    row: 'POST /sites/{id}/contentTypes',
    ask: (sim) => `${at(sim)}/contentTypes`,
    body: { name: 'Order', base: { id: '0x01' } },
    status: 201,
    shape: entity(contentType),
  },
  {
    row: 'POST /sites/{id}/contentTypes/{id}/columns',
    async ask(sim) {
      const made = await sim.ask('POST', `${at(sim)}/contentTypes`, { body: { name: 'Order', base: { id: '0x01' } } });
      return `${at(sim)}/contentTypes/${made.json['id'] as string}/columns`;
    },
    async body(sim) {
      const { entries } = await sim.all(`${at(sim)}/columns`);
      const notes = entries.find((entry) => entry['name'] === 'Notes')?.['id'] as string;
      return { 'sourceColumn@odata.bind': `https://graph.microsoft.com/v1.0${at(sim)}/columns/${notes}` };
    },
    status: 200,
    shape: entity(notesColumn),
  },
  {
    row: 'GET /sites/{id}/lists/{id}/contentTypes',
    ask: (sim) => `${contacts(sim)}/contentTypes`,
    status: 200,
    shape: collection(contentType),
  },
  {
    row: 'POST /sites/{id}/lists/{id}/contentTypes/addCopy',
    ask: (sim) => `${contacts(sim)}/contentTypes/addCopy`,
    async body(sim) {
      const { entries } = await sim.all(`${at(sim)}/contentTypes`);
      const type = entries.find((entry) => entry['name'] === 'Vorgang')?.['id'] as string;
      return { contentType: `https://graph.microsoft.com/v1.0${at(sim)}/contentTypes/${type}` };
    },
    status: 201,
    shape: entity(contentType),
  },
  {
    row: 'GET /sites/{id}/lists/{id}/items',
    ask: (sim) => `${contacts(sim)}/items?$expand=fields`,
    status: 200,
    shape: collection(row(person, { fields })),
  },
  {
    row: 'POST /sites/{id}/lists/{id}/items',
    ask: (sim) => `${contacts(sim)}/items`,
    body: { fields: { Title: 'New' } },
    status: 201,
    shape: entity(row(app)),
  },
  {
    row: 'GET /sites/{id}/lists/{id}/items/delta',
    ask: (sim) => `${contacts(sim)}/items/delta?$expand=fields`,
    status: 200,
    shape: { '@odata.context': text, '@odata.deltaLink': text, value: [{ '@odata.type': text, ...row(person, { fields }) }] },
  },
  { row: 'GET /sites/{id}/lists/{id}/items/{id}', ask: (sim) => `${contacts(sim)}/items/1`, status: 200, shape: entity(row(person)) },
  { row: 'DELETE /sites/{id}/lists/{id}/items/{id}', ask: (sim) => `${contacts(sim)}/items/1`, status: 204 },
  {
    row: 'PATCH /sites/{id}/lists/{id}/items/{id}/fields',
    ask: (sim) => `${contacts(sim)}/items/1/fields`,
    body: { Phone: '110' },
    status: 200,
    shape: entity(fields),
  },
  {
    row: 'GET /sites/{id}/lists/{id}/items/{id}/versions',
    ask: (sim) => `${contacts(sim)}/items/1/versions?$expand=fields`,
    status: 200,
    shape: collection({ '@odata.type': text, id: text, lastModifiedDateTime: text, lastModifiedBy: person, fields }),
  },
  { row: 'GET /sites/{id}/pages', ask: (sim) => `${at(sim)}/pages`, status: 200, shape: collection(page(person)) },
  {
    row: 'POST /sites/{id}/pages',
    ask: (sim) => `${at(sim)}/pages`,
    body: newPage,
    status: 201,
    shape: entity({ ...page(app), ...wholePage, titleArea: { layout: text } }),
  },
  {
    row: 'GET /sites/{id}/pages/{id}',
    ask: (sim) => pageOf(sim, '/microsoft.graph.sitePage?$expand=canvasLayout'),
    status: 200,
    shape: entity({ ...page(person), ...wholePage, canvasLayout }),
  },
  {
    row: 'PATCH /sites/{id}/pages/{id}',
    ask: (sim) => pageOf(sim, '/microsoft.graph.sitePage'),
    body: { '@odata.type': '#microsoft.graph.sitePage', title: 'Other' },
    status: 200,
    shape: entity({ ...page(app), ...wholePage }),
  },
  { row: 'DELETE /sites/{id}/pages/{id}', ask: (sim) => pageOf(sim, ''), status: 204 },
  { row: 'POST /sites/{id}/pages/{id}/publish', ask: (sim) => pageOf(sim, '/microsoft.graph.sitePage/publish'), status: 204 },
];

describe('sites answer in the documented shape', () => {
  it.each(rows)('$row', async (documented) => {
    const sim = createInProcess({ workloads: [directoryWorkload, drivesWorkload, sitesWorkload], recipe: 'contoso' });
    expect(await answerTo(sim, documented)).toEqual({ status: documented.status, shape: documented.shape });
    sim.requireValid();
  });

  it('and every route has its row', () => {
    expect(missingRows(sitesWorkload, rows)).toEqual([]);
  });
});
