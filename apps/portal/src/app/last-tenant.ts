import { z } from 'zod';
import { createKept } from '../api/storage.ts';
import type { Kept } from '../api/storage.ts';

const lastTenant = z.object({ realm: z.enum(['production', 'staging']), clientId: z.string(), tenantId: z.string() });

/** The tenant that was shown last: the next start asks for its figures before it has been told which one it is. */
export function keptTenant(storage: Storage): Kept<z.output<typeof lastTenant>> {
  return createKept(storage, 'holdfast.tenant', lastTenant);
}
