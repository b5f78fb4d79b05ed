import { badRequest, notFound } from '../http/failure.ts';
import type { Context } from '../http/route.ts';
import { type SitePlace, placesOf } from './places.ts';

/** The site that the path names: by id, by host, or by `host:/path`. */
export function requireSite(context: Context, name = context.params[0] ?? ''): SitePlace {
  const site = placesOf(context.tenant).site(name);
  if (site) return site;
  const isId = name.split(',').length === 3 || name.includes('.sharepoint.com');
  if (isId) throw notFound('sites', 'Requested site could not be found');
  throw badRequest('sites', 'Invalid hostname for this tenancy');
}
