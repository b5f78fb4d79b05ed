import type { Scope } from '@holdfast/database';

/** Events that belong to no organisation, and work on the tree alone, run under this one: nobody is a member of it. */
export const nobody: Scope = { organisationId: '00000000-0000-0000-0000-000000000000' as Scope['organisationId'], realm: 'production' };
