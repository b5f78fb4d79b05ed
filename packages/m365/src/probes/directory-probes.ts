import { described, entriesOf, unlessOk, unlessRefused } from './expectations.ts';
import type { Probe } from './probe.ts';
import type { ServiceReader } from './service-reader.ts';

const EVENTUAL = { consistencylevel: 'eventual' };

/** A query that is refused plainly, and answered with `ConsistencyLevel` and `$count`. */
async function isAdvanced(service: ServiceReader, query: string): Promise<string | undefined> {
  const plain = unlessRefused(await service.get(`/users?${query}`), 400, ['Request_UnsupportedQuery', 'Request_BadRequest']);
  if (plain !== undefined) return `without ConsistencyLevel ${plain}`;
  const advanced = unlessOk(await service.get(`/users?${query}&$count=true`, EVENTUAL));
  return advanced === undefined ? undefined : `with ConsistencyLevel ${advanced}`;
}

async function deltaOf(service: ServiceReader, path: string): Promise<string | undefined> {
  const answer = await service.get(path);
  entriesOf(answer, path.split('?')[0] ?? path);
  const links = ['@odata.nextLink', '@odata.deltaLink'].filter((name) => typeof answer.json[name] === 'string');
  return links.length === 1 ? undefined : `a page has ${links.length === 0 ? 'neither nextLink nor deltaLink' : 'both links'}`;
}

/** Sign-in, queries and the directory. */
export const directoryProbes: readonly Probe[] = [
  {
    name: 'token-without-bearer',
    relies: 'A token without the word Bearer is refused with 401.',
    difference: async (service) => unlessRefused(await service.getWithBareToken('/organization'), 401, ['InvalidAuthenticationToken']),
  },
  {
    name: 'request-ids',
    relies: 'Answers carry request-id, echo client-request-id and say the time.',
    async difference(service) {
      const { headers } = await service.get('/organization', { 'client-request-id': '3f2504e0-4f89-11d3-9a0c-0305e82c3301' });
      const missing = ['request-id', 'date'].filter((name) => headers[name] === undefined);
      if (missing.length > 0) return `it answered without ${missing.join(' and ')}`;
      const echo = headers['client-request-id'];
      return echo === '3f2504e0-4f89-11d3-9a0c-0305e82c3301' ? undefined : `client-request-id came back as ${echo ?? 'nothing'}`;
    },
  },
  {
    name: 'unknown-property-selected',
    relies: 'An unknown name in $select is refused with 400.',
    difference: async (service) =>
      unlessRefused(await service.get('/users?$select=holdfastUnknown&$top=1'), 400, ['BadRequest', 'Request_BadRequest']),
  },
  {
    name: 'unknown-property-filtered',
    relies: 'An unknown name in $filter is refused with 400.',
    difference: async (service) =>
      unlessRefused(await service.get("/users?$filter=holdfastUnknown eq 'a'&$top=1"), 400, ['BadRequest', 'Request_BadRequest']),
  },
  {
    name: 'advanced-ne',
    relies: 'ne in $filter of people needs ConsistencyLevel: eventual and $count=true.',
    difference: (service) => isAdvanced(service, "$filter=displayName ne 'a'&$select=id&$top=1"),
  },
  {
    name: 'advanced-ends-with',
    relies: 'endsWith in $filter of people needs ConsistencyLevel: eventual and $count=true.',
    difference: (service) => isAdvanced(service, "$filter=endsWith(mail,'a')&$select=id&$top=1"),
  },
  {
    name: 'advanced-sorted-filter',
    relies: '$filter with $orderby of people needs ConsistencyLevel: eventual and $count=true.',
    difference: (service) => isAdvanced(service, "$filter=startsWith(displayName,'a')&$orderby=displayName&$select=id&$top=1"),
  },
  {
    name: 'count-segment',
    relies: '/users/$count answers a number as text, with ConsistencyLevel: eventual alone.',
    async difference(service) {
      const plain = unlessRefused(await service.get('/users/$count'), 400, ['Request_BadRequest', 'Request_UnsupportedQuery']);
      if (plain !== undefined) return `without ConsistencyLevel ${plain}`;
      const answer = await service.get('/users/$count', { ...EVENTUAL, accept: 'text/plain' });
      if (answer.status !== 200) return described(answer);
      return /^\uFEFF?\d+$/u.test(answer.text.trim()) ? undefined : `it answered "${answer.text.slice(0, 40)}"`;
    },
  },
  {
    name: 'no-skip',
    relies: '$skip is not supported on people.',
    difference: async (service) =>
      unlessRefused(await service.get('/users?$skip=1&$top=1'), 400, ['Request_BadRequest', 'Request_UnsupportedQuery']),
  },
  {
    name: 'directory-page-size',
    relies: 'Lists of the directory take $top up to 999, and refuse more.',
    async difference(service) {
      const over = unlessRefused(await service.get('/users?$top=1000&$select=id'), 400, ['Request_UnsupportedQuery', 'Request_BadRequest']);
      return over ?? unlessOk(await service.get('/users?$top=999&$select=id'));
    },
  },
  {
    name: 'teams-among-groups',
    relies: 'Groups that are teams are found by resourceProvisioningOptions.',
    difference: async (service) =>
      unlessOk(
        await service.get("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')&$select=id,resourceProvisioningOptions&$top=1"),
      ),
  },
  {
    name: 'people-delta',
    relies: 'A delta of people ends each page with exactly one link.',
    difference: (service) => deltaOf(service, '/users/delta?$select=id'),
  },
  {
    name: 'unknown-user',
    relies: 'Somebody who is not there is Request_ResourceNotFound with 404.',
    difference: async (service) =>
      unlessRefused(await service.get('/users/00000000-0000-4000-8000-000000000000?$select=id'), 404, [
        'Request_ResourceNotFound',
        'ResourceNotFound',
      ]),
  },
];
