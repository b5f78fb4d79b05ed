/**
 * Notices of legal holds in the portal: what custodians are told, and whether they have acknowledged it.
 *
 * `NoticesOfHold` is a part of the details of a hold. Recipients read and acknowledge on a page of their own that asks for no sign-in.
 */
export { NoticesOfHold } from './notices-of-hold.tsx';
