import type { Database, Realm } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import { choose, chosenBy } from './accounts.store.ts';

/** Whom somebody works for: what they chose last, as long as they belong to it. */
export interface Choices {
  /** The organisation that an actor chose last, if they still belong to it; else their first. */
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  /** The worker behind which they chose to work. */
  readonly lastWorker: (actor: Actor) => Promise<string | null>;
  readonly remember: (choice: { accountId: string; realm: Realm; organisationId: string; workerId: string }) => Promise<void>;
}

export function createChoices(database: Database): Choices {
  const choiceOf = (actor: Actor) => database.installation((tx) => chosenBy(tx, actor.accountId, actor.realm));
  return Object.freeze<Choices>({
    async chosen(actor) {
      const choice = await choiceOf(actor);
      const isMember = actor.memberships.some(({ organisationId }) => organisationId === choice?.organisationId);
      return isMember ? choice?.organisationId : actor.memberships[0]?.organisationId;
    },
    lastWorker: async (actor) => (await choiceOf(actor))?.workerId ?? null,
    remember: (choice) => database.installation((tx) => choose(tx, choice)),
  });
}
