/**
 * Proxy rights: who may open what is kept of somebody else, for which purpose and until when.
 *
 * A holder is an account or a group of the directory; whoever signs in to the portal with a confirmed address of that
 * account, or of a member of that group, holds the right. Accounts and groups are read when a right is granted and every
 * quarter of an hour after that; while the directory cannot be read, its last state counts.
 *
 * Content of whoever is exempt opens to nobody on a right or a role. One person exempts, two let it end.
 *
 * Whether a right lets somebody open something is decided by `content-access`.
 */
export { createProxyRightsFeature, type ProxyRightsFeature } from './feature.ts';
export { addressesOf } from './directory-parties.ts';
export { holdsNow, isExempt, reaches } from './proxy-rights.views.ts';
