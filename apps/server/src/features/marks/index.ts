/**
 * What people put on items, as conditions of a query: legal holds, retention policies, cases, and the tags and notes of reviewers.
 *
 * Nothing is kept here: each question is answered by what holds, retention, cases and reviews have written, at the moment it is asked. The
 * names that somebody may know are read first; a mark that they may not see does not exist for them.
 *
 * Who places a hold or writes a note is the business of those features; what `hold:` and `case:` mean in a search, of `search`.
 */
export { custodianResources, resourceIdsOf, type CasePlace } from './custodian-resources.views.ts';
export { guardedItems, heldItems, isOfItems } from './held-items.views.ts';
export { keptPeople } from './kept-people.views.ts';
export { isHeld, isInCase, isNoted, isTagged, isUnderPolicy } from './marked.views.ts';
export { fitsNow, isUnderMaximum, isUnderMinimum } from './policy-archives.views.ts';
export { namedMarks, type Mark, type Sight } from './named-marks.views.ts';
