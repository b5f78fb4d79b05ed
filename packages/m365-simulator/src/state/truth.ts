import type { JsonObject } from '../values/json.ts';
import type { Tenant } from './tenant.ts';

/** One item as the store has it: a line of the ground truth. */
export interface TruthRecord {
  /** Where people see it: folder names joined with `/`. */
  readonly path: string;
  readonly id: string;
  /** `message`, `event`, `file`, `listItem`, `chatMessage` … */
  readonly kind: string;
  /** SHA-256 in hex of the exact bytes (MIME, file content), for items that have some. */
  readonly sha256?: string;
  readonly sizeBytes?: number;
  readonly metadata: JsonObject;
}

/** The ground truth of one kind of owner: mailboxes, drives, sites, teams, chats. */
export interface TruthProvider {
  /** The word in the admin address: `truth/{kind}/{owner}`. */
  readonly kind: string;
  owners(tenant: Tenant): Iterable<string>;
  /** How many changes the owner has seen; `at` of `records` is a number up to this. */
  changeCount(tenant: Tenant, owner: string): number;
  /** All items of the owner, now or after change `at`. */
  records(tenant: Tenant, owner: string, at?: number): Iterable<TruthRecord> | AsyncIterable<TruthRecord>;
}
