/**
 * Auditor access: a list that is frozen of a case or a saved search, which one auditor reads, prints and takes as csv for a time, with attachments of mails.
 *
 * What comes after the list was frozen is not in it, and neither is what belongs to whoever is exempt or is private, then or
 * now. Nothing of it is downloaded, exported or restored. Every look is in the audit log, by the access that it was on.
 *
 * The decision whether an item opens is made by `content-access`, which asks `createAuditorGround`.
 */
export { createAuditorGround } from './auditor-ground.views.ts';
export { createAuditorAccessFeature } from './feature.ts';
