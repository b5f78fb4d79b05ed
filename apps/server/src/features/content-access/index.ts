/**
 * Who may open what is kept: the one decision that search, previews, downloads and restores to another place ask.
 *
 * In an organisation with open access, owners and administrators open everything and give a reason. Everybody else, and
 * everybody where access is strict, needs a ground: their own mailbox or drive, or a proxy right that covers resource, time
 * and action. Names and sizes are not content, and neither is a restore to the original place.
 *
 * Granting rights is the business of `proxy-rights`, logging an opening that of whoever asks.
 */
export { createContentAccess, type ContentAccess, type ContentAsking } from './content-access.service.ts';
export { unlimitedReach, type ContentGround, type SearchReach } from './reach.views.ts';
export { createAccessRuleService } from './access-rule.service.ts';
export { mountAccessRule } from './access-rule.routes.ts';
