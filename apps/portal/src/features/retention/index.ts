/**
 * Retention policies in the portal: how long archived messages and files are kept at least.
 *
 * The page lists policies and events. The file manager brings sites, folders and files under a policy with
 * `PutUnderRetention`, and records what happened to them with `EventForm`. The monitor shows what people did with policies.
 */
export { DispositionList } from './disposition-list.tsx';
export { EventForm } from './event-form.tsx';
export { PutUnderRetention } from './put-under-retention.tsx';
export { RetentionActivity } from './retention-activity.tsx';
