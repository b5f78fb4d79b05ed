import { createGraphServiceClient } from '@microsoft/msgraph-sdk';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its paths by side effect
import '@microsoft/msgraph-sdk-sites';
import { tell } from './setting.ts';
import { createAdapter, refusalOf } from './typed-adapter.ts';

const graph = createGraphServiceClient(createAdapter());
const all = await graph.sites.getAllSites.get();
const found = all?.value?.find((entry) => entry.webUrl?.includes('/sites/'));
const site = graph.sites.bySiteId(found?.id ?? '');
const itself = await site.get({ queryParameters: { select: ['id', 'webUrl', 'displayName'] } });
const delta = await graph.sites.delta.get();
const drives = await site.drives.get();
const subsites = await site.sites.get();
const columns = await site.columns.get();
const contentTypes = await site.contentTypes.get();
const list = await site.lists.post({
  displayName: 'Typed',
  list: { template: 'genericList' },
  columns: [{ name: 'Colour', text: {} }],
});
const items = site.lists.byListId(list?.id ?? '').items;
const item = await items.post({ fields: { additionalData: { Title: 'first', Colour: 'red' } } });
const read = await items.byListItemId(item?.id ?? '').get({ queryParameters: { expand: ['fields'] } });
const changed = await items.byListItemId(item?.id ?? '').fields.patch({ additionalData: { Colour: 'blue' } });
const itemDelta = await items.delta.get();
const versions = await items.byListItemId(item?.id ?? '').versions.get();
const listColumns = await site.lists.byListId(list?.id ?? '').columns.get();
await items.byListItemId(item?.id ?? '').delete();
await site.lists.byListId(list?.id ?? '').delete();
const pages = await site.pages.get();
const malformed = await refusalOf(() => graph.sites.bySiteId('nonsense').get());

tell({
  sites: (all?.value?.length ?? 0) > 0,
  itself: itself?.webUrl === found?.webUrl,
  delta: (delta?.value?.length ?? 0) > 0,
  drives: (drives?.value?.length ?? 0) > 0,
  subsites: Array.isArray(subsites?.value),
  columns: (columns?.value?.length ?? 0) > 0,
  contentTypes: (contentTypes?.value?.length ?? 0) > 0,
  fields: [read?.fields?.additionalData?.['Title'], changed?.additionalData?.['Colour']],
  itemDelta: itemDelta?.value?.some((entry) => entry.id === item?.id),
  versions: (versions?.value?.length ?? 0) > 0,
  listColumns: listColumns?.value?.some((column) => column.name === 'Colour'),
  pages: Array.isArray(pages?.value),
  malformed,
});
