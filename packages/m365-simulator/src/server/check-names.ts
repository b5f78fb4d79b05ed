import { type Failure, fail } from '../http/failure.ts';
import { readQuery } from '../http/query.ts';
import type { RouteEntry, Service } from '../http/route.ts';
import type { Match } from '../http/router.ts';
import type { Schema } from '../validation/csdl.ts';
import { findUnknownName, type UnknownName } from '../validation/query-names.ts';
import { resolvePath } from '../validation/resolve-path.ts';
import type { Call } from '../calls/create-context.ts';

/** Refuses names that the type behind the path does not have. */
export type CheckNames = (call: Call, match: Match) => void;

const NAMING = /(?:^|&)(?:\$|%24)?(?:select|expand|filter|orderby)=/iu;
const KNOWN_QUERIES = 2000;

function refusal(service: Service, { name, type, option, isProperty }: UnknownName): Failure {
  if (isProperty) {
    const message = `Property '${name}' on type '${type}' is not a navigation property or complex property. Only navigation properties can be expanded.`;
    return fail(400, 'BadRequest', `Parsing OData Select and Expand failed: ${message}`);
  }
  const unknown = `Could not find a property named '${name}' on type '${type}'.`;
  if (option === 'select') return fail(400, 'BadRequest', `Parsing OData Select and Expand failed: ${unknown}`);
  if (service === 'outlook') return fail(400, 'RequestBroker--ParseUri', unknown);
  return fail(400, 'BadRequest', option === 'filter' ? `Invalid filter clause: ${unknown}` : unknown);
}

/** Holds `$select`, `$expand`, `$filter` and `$orderby` of every path of v1.0 against the metadata, before any handler. */
export function createCheckNames(schema: Schema): CheckNames {
  const types = new Map<string, string | undefined>();
  const verdicts = new Map<string, UnknownName | undefined>();

  /** Paths of one route differ in ids alone: the type is looked for once. */
  function typeOf(route: RouteEntry, call: Call, cast: string | undefined): string | undefined {
    const key = `${route.method} ${route.path} ${cast ?? ''}`;
    if (!types.has(key)) {
      const target = resolvePath(schema, decodeURIComponent(call.address.path.replace(/^\/v1\.0/u, '')));
      types.set(key, target?.member?.type);
    }
    return types.get(key);
  }

  function verdictOf(type: string, text: string): UnknownName | undefined {
    const key = `${type}?${text}`;
    if (verdicts.has(key)) return verdicts.get(key);
    if (verdicts.size >= KNOWN_QUERIES) verdicts.clear();
    const query = readQuery(text);
    const options = { select: query.get('select'), expand: query.get('expand'), filter: query.filter, orderBy: query.orderBy };
    const verdict = findUnknownName(schema, type, options);
    verdicts.set(key, verdict);
    return verdict;
  }

  return (call, match) => {
    const { query, path } = call.address;
    if (query === '' || !NAMING.test(query) || path.startsWith('/beta')) return;
    const type = typeOf(match.route, call, match.cast);
    const unknown = type === undefined || type.startsWith('Edm.') ? undefined : verdictOf(type, query);
    if (unknown) throw refusal(match.route.service, unknown);
  };
}
