/**
 * Notifications: what owners and administrators are told by mail without looking.
 *
 * A run that failed or was defective is told at once, each day is summed up at 07:00. What has been told
 * is noted in the transaction that queues the mails, so that nothing is told twice however often it is
 * tried, and a sweep tells what a process that died could not. Each reader gets their own language.
 *
 * A day is one of the organisation's own time zone; without one, of the zone that most of its schedules
 * are in, else of UTC. Whose mailbox was opened by somebody else is told, where the organisation wants that. A saved search with an alert
 * notifies its owner of new hits. Staging rehearses and tells nobody. Sending is the business of the mail queue.
 */
export { createNotificationsFeature } from './feature.ts';
export type { ReportMailWords, ReportNews } from './notification-mails.ts';
export type { Notifications } from './notifications.service.ts';
