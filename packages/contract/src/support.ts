import { defineRoute } from './shared/route.ts';
import { tenantParams } from './shared/values.ts';

/** What support needs to look into a case, without secrets and without content. */
export const support = {
  bundle: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/support/bundle',
    action: 'support.bundle',
    summary: 'State of the installation for support, as a zip without secrets and content',
    params: tenantParams,
    response: 'download',
  }),
};
