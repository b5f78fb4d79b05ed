/**
 * Who may open what is kept: the one decision that search, previews, downloads and restores to another place ask.
 *
 * In an organisation with open access, owners and administrators open everything and give a reason. Everybody else, and
 * everybody where access is strict, needs a ground: their own mailbox or drive, a proxy right that covers resource, time
 * and action, an open case that finds the item and whose member somebody else has
 * made them, or, for auditors, an access whose frozen list has this very version. Content of whoever is exempt opens to nobody on a role or a proxy right, and neither
 * does a message that its owner has marked as private, unless two people have granted a right over it. Names and sizes are not content, and
 * neither is a restore to the original place.
 *
 * Granting rights is the business of `proxy-rights`, logging an opening that of whoever asks.
 */
export {
  createContentAccess,
  type AuditorGround,
  personOf,
  sightOf,
  type CaseContent,
  type CaseGround,
  type ContentAccess,
  type ContentAction,
  type ContentAsking,
  type OpenedAround,
  type WantedAround,
} from './content-access.service.ts';
export { noteOf, othersReach, ownedBy, sightBy, unlimitedReach, type ContentGround, type Person, type SearchReach } from './reach.views.ts';
export { isPrivate } from './private.views.ts';
export { createAccessRuleFeature } from './feature.ts';
