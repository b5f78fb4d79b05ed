/**
 * The overview and the dashboards of backup and Teams. Other features show their largest mailboxes with
 * `RankedMailboxes`, and the specification's times of disuse by `unusedNames`.
 */
export { RankedMailboxes } from './top-mailboxes-card.tsx';
export { unusedNames } from './team-list.tsx';
