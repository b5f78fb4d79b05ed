/**
 * Retention policies: how long messages of the archive, and files of sites and drives, are kept at least, and messages at most.
 *
 * A policy is drafted, previewed and brought into force by a second person within a day of that. Nobody changes one that
 * is in force: another draft takes its place, or it ends, and both need a second person. Events start the periods of
 * policies that wait for them. Of several policies the longest minimum wins, and a legal hold wins over all of them.
 *
 * `due` only names what is past its maximum. Deletions put it on a list, wait a day, and delete whatever is still free to go.
 * One person stops that at once; it goes on under another policy alone, which needs two.
 *
 * Deletion runs and their previews ask `minimumsOn`, the catalog asks `minimumsWithin` when it forgets restore points,
 * and the removal of a tenant or a location and the console ask `keptIn`. What is kept of a resource point by point is
 * decided by the engine's retention. Nothing here deletes a message or file: what no policy keeps stays all the same,
 * unless a maximum says otherwise.
 */
export { createRetentionFeature, type DueMessages, type RetentionFeature } from './feature.ts';
export { keptVersions, type VersionColumns } from './kept-versions.views.ts';
