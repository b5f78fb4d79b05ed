import { mayDo } from '@holdfast/contract/actions';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { RawBuilder } from 'kysely';
import { membershipIn } from '../../access/actor.ts';
import { packedItems, readRequest } from './data-requests.store.ts';
import type { RequestAsking } from './data-requests.service.ts';

/** What the package of a request for access is made of. */
export interface RequestedItems {
  readonly query: string;
  readonly chosen: RawBuilder<unknown>;
  readonly coverage: SearchCoverage | null;
}

/** What exports need of requests. */
export interface RequestExports {
  /** Everything that was found of the person and is not left out, for whoever handles requests. */
  itemsOf(tx: Tx, asking: RequestAsking, requestId: string): Promise<RequestedItems>;
}

export function createRequestExports({ clock }: { readonly clock: Clock }): RequestExports {
  return Object.freeze<RequestExports>({
    async itemsOf(tx, asking, requestId) {
      const { actor, scope, tenantId } = asking;
      const role = membershipIn(actor, scope.organisationId, clock.nowMs())?.role;
      if (!role || !mayDo(role, 'dataRequests.manage')) throw new AppError('not-found');
      const row = await readRequest(tx, { tenantId, requestId }, true);
      if (!row) throw new AppError('not-found');
      if (row.outcome !== null) throw new AppError('data-requests.answered');
      if (row.kind !== 'access' || row.query === null) throw new AppError('data-requests.not-access');
      return { query: row.query, chosen: packedItems(requestId), coverage: row.coverage as SearchCoverage | null };
    },
  });
}
